import { GAP, type Word } from "../parse/command.ts";
import { LIMITS } from "../parse/limits.ts";
import { type Field, fieldOf, shellWord } from "../parse/value.ts";
import { joinPath } from "../paths.ts";
import { allValues, valueIs } from "./act.ts";
import { value, values } from "./call.ts";
import { LOADING } from "./loaded-code.ts";
import type { Inner, Invocation, Programs, Runs } from "./program.ts";
import { asProgram, optionsAsLines, prefix } from "./runs.ts";

/** Programs that run builds, tests and tasks of a project. */
export const TASK_RUNNERS = (): Programs => ({
  make: {
    options:
      "file|f|makefile= directory|C= jobs|j? include-dir|I= old-file|o= what-if|W= load-average|l? eval|E= always-make|B keep-going|k dry-run|n|just-print|recon question|q silent|s touch|t version|v help|h",
    interpreter: { language: "make", code: ["eval"], file: "file" },
    does: [{ when: valueIs("file", /^(?:-$|\/dev\/(?:stdin$|fd\/))/), input: "run" }, { scripts: allValues("file") }],
    runs: makeRuns,
    taskFiles: ["Makefile", "makefile", "GNUmakefile"],
    examples: [
      ["make all", "unknown: make all"],
      ["make -f - <<< $'all:\\n\\trm x'", "runs rm x"],
      ["printf 'all:\\n\\t@rm x\\n' > m; make -f m", "runs rm x"],
      ["make SHELL='rm x'", "runs rm x"],
      ["make --eval='$(shell rm x)'", "runs rm x"],
    ],
  },
  just: {
    runs: (run) => {
      const at = run.args.findIndex(({ text }) => /^(?:-c|--command)$/.test(text));
      return at < 0 ? recipe(run) : asProgram("just --command", run.args.slice(at + 1));
    },
    is: { "runs-named": true },
    taskFiles: ["justfile", "Justfile", ".justfile"],
    examples: [
      ["just build", "unknown: just build"],
      ["just --command rm x", "runs rm x"],
    ],
  },
  task: { is: { "runs-named": true }, taskFiles: ["Taskfile.yml", "Taskfile.yaml"], examples: [["task build"]] },
  cmake: {
    is: { "loads-unnamed": true },
    options: "B= S= G= D? build= install= target|t= parallel|j? config= preset= P= E",
    style: "whole",
    // Its tools have the names of programs, or names that describe them.
    runs: ({ name, args: [first, tool, ...words] }) => {
      if (first?.text !== "-E" || tool === undefined) return [];
      const called = CMAKE_TOOLS[tool.text] ?? [tool.text];
      return asProgram(`${name} -E`, [...called.map(fieldOf), ...words]);
    },
    examples: [
      ["cmake ."],
      ["cmake -B build -S ."],
      ["cmake -E rm -rf x", "runs rm -rf x"],
      ["cmake -E remove_directory x", "runs rm -rf x"],
    ],
  },
  pytest: {
    is: { "loads-unnamed": true },
    options: "p= c= rootdir= k= m= n= quiet|q verbose|v exitfirst|x",
    loads: LOADING.python,
    examples: [["pytest -q tests"]],
  },
  "ninja meson tox nox jest vitest mocha ava playwright cypress ctest phpunit rspec webpack vite rollup": {
    is: { "loads-unnamed": true },
    options: LOADING.tool.options,
    loads: LOADING.tool,
    examples: [
      ["vitest run"],
      ["echo \"fs.unlinkSync('x')\" > a.js; mocha -r ./a", "runs rm -f x"],
      ["echo \"fs.unlinkSync('x')\" > a.js; mocha -R a", "runs rm -f x"],
      ["echo \"fs.unlinkSync('x')\" > dot.js; mocha -R dot", "writes dot.js"],
    ],
  },
  "nyc c8": { ...prefix("c8 rm x", LOADING.tool.options), loads: LOADING.tool },
  "stylelint tap ts-mocha": {
    options: LOADING.tool.options,
    loads: LOADING.tool,
    examples: [["stylelint --config a.js src"]],
  },
  "run-parts": {
    options: "test list verbose|v report umask|u= arg|a= regex= exit-on-error reverse lsbsysinit new-session debug",
    is: { "runs-folder": true },
    examples: [["run-parts checks"]],
  },
  "bazel nx turbo": {
    is: { "loads-unnamed": true },
    readOnly: "query|cquery|aquery|info|list|ls|show|report|help",
    examples: [["bazel query //..."], ["nx show projects"], ["turbo build"]],
  },
  nodemon: {
    is: { "loads-unnamed": true },
    options: "exec|x= ext|e= watch|w= ignore|i= delay= config= signal= require|r= quiet|q verbose|V",
    loads: LOADING.node,
    runs: optionsAsLines("exec"),
    examples: [["nodemon --exec 'rm x'", "runs rm x"]],
  },
});

const CMAKE_TOOLS: Readonly<Record<string, readonly string[]>> = {
  __proto__: null as never,
  remove_directory: ["rm", "-rf"],
  remove: ["rm", "-f"],
  copy_directory: ["cp", "-r"],
  copy: ["cp"],
  copy_if_different: ["cp"],
  rename: ["mv"],
  create_symlink: ["ln", "-s"],
  create_hardlink: ["ln"],
  make_directory: ["mkdir", "-p"],
  chdir: ["env", "-C"],
};

function makeRuns(run: Invocation): readonly Inner[] {
  const { name, operands } = run;
  const inners: Inner[] = [];
  for (const { text, isKnown } of operands) {
    const [, line] = /^(?:SHELL|MAKE|CC|CXX)=([\s\S]*)$/.exec(text) ?? [];
    if (line !== undefined) inners.push({ runs: "shell", text: { text: line, isKnown, isGlob: false }, via: name });
  }
  for (const text of values(run, "eval")) inners.push({ runs: "code", language: "make", text, via: `${name} --eval` });
  const file = value(run, "file");
  if (file?.text === "-" || file?.text === "/dev/stdin")
    return [...inners, { runs: "input", language: "make", via: name }];
  if (file !== undefined && run.file(file) !== undefined)
    return [...inners, { runs: "file", path: file, language: "make", via: name }];
  const targets = operands.filter(({ text }) => !text.includes("="));
  const followed = targets.length === 0 ? [fieldOf("")] : targets.slice(0, LIMITS.elements);
  for (const target of followed) inners.push(...taskNamed(run, target.text));
  if (followed.length < targets.length)
    inners.push({ runs: "doubt", why: "unread script", what: `more than ${LIMITS.elements} targets of ${name}` });
  return inners;
}

/** The folder whose task is run; `GAP` if several packages may have it. */
export function taskFolder(runner: string, args: readonly Word[], folder: string): string {
  const isMake = runner === "make";
  let at = folder;
  for (const [position, { text }] of args.entries()) {
    if (text === "--") break;
    if (!isMake && SEVERAL_PACKAGES.test(text)) return GAP;
    const [, glued] = (isMake ? MAKE_FOLDER : PACKAGE_FOLDER).exec(text) ?? [];
    const named = glued === "" ? args[position + 1]?.text : glued;
    if (named !== undefined) at = joinPath(at, named);
  }
  return at;
}

const SEVERAL_PACKAGES = /^(?:-w|-ws|-r|-F|--recursive|--workspaces?(?:=.*)?|--filter(?:=.*)?)$/;
const PACKAGE_FOLDER = /^(?:-C|--(?:prefix|dir|cwd)(?:=|$))(.*)$/;
const MAKE_FOLDER = /^(?:-C|--directory(?:=|$))(.*)$/;

/** The recipe that the first operand names in a file of the project. */
export function recipe(run: Invocation): readonly Inner[] {
  return taskNamed(run, run.args.find(({ text }) => !text.startsWith("-"))?.text ?? "");
}

function taskNamed({ name, task }: Invocation, target: string): readonly Inner[] {
  const line = task(name, target);
  const via = `${name} ${target}`.trim();
  if (line === undefined) return [{ runs: "doubt", why: "unread script", what: via }];
  return [{ runs: "shell", text: fieldOf(line), via }];
}

/** `npm test`: operands that are names of scripts. */
export function namedTask(names: RegExp): Runs {
  return (run) => {
    const [script, ...more] = run.operands;
    if (script === undefined || !names.test(script.text)) return [];
    const isTool = PACKAGE_TOOLS.test(script.text) && run.task(run.name, script.text) === undefined;
    // Without a script of that name, it is a program of a package.
    return isTool ? asProgram(run.name, run.args.slice(run.args.indexOf(script))) : scriptNamed(run, script, more);
  };
}

/** Programs of packages that change more than files of the project. */
const PACKAGE_TOOLS =
  /^(?:prisma|knex|sequelize(?:-cli)?|typeorm|drizzle-kit|mikro-orm|node-pg-migrate|db-migrate|wrangler|vercel|netlify|cdk|sst|serverless|sls|pulumi|firebase|supabase|convex|rimraf|shx|amplify|cdktf|hasura|strapi|node|tsx|ts-node|vite-node)$/;

/** The command of a project's script by its name, with the rest of the operands. */
export function scriptNamed({ task, name }: Invocation, script: Field, args: readonly Field[]): readonly Inner[] {
  const line = task(name, script.text);
  const via = `${name} run ${script.text}`;
  if (line === undefined) return [{ runs: "doubt", why: "unread script", what: via }];
  const rest = args.filter(({ text }) => text !== "--").map(({ text }) => ` ${shellWord(text)}`);
  return [{ runs: "shell", text: fieldOf(line + rest.join("")), via }];
}
