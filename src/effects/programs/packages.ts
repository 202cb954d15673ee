import type { Role } from "../effect.ts";
import { fieldOf } from "../parse/value.ts";
import { anyArgument, anyOperand, hasOperands, operandIs } from "./act.ts";
import {
  type Call,
  has,
  known,
  operandText,
  pieceOf,
  plays,
  reveals,
  runsFetched,
  talks,
  value,
  values,
  writes,
} from "./call.ts";
import { LOADING, loadedByPackages, loadedByText } from "./loaded-code.ts";
import type { Inner, Program, Programs, Runs, Use } from "./program.ts";
import { asProgram, runVerb } from "./runs.ts";
import { namedTask, scriptNamed } from "./task-runners.ts";

/** Roles of a run that installs a package. */
export const INSTALL: readonly Role[] = ["package-install", "network-in"];
/** Roles of a run that publishes one. */
export const PUBLISH: readonly Role[] = ["publish", "network-out"];
/** Roles of a run that takes a published one back. */
export const UNPUBLISH: readonly Role[] = ["publish", "network-out", "work-loss"];
/** Roles of a run that changes who may publish. */
export const ACCOUNT: readonly Role[] = ["account", "network-out"];
/** Roles of a run that changes settings. */
export const SETTINGS: readonly Role[] = ["settings"];

/** Installs packages from the registry that is named, or from the public one. */
function installsFrom(registry: string): (call: Call) => void {
  return (call) => {
    plays(call, ...INSTALL);
    const { args } = call.command;
    const at = args.findIndex(({ text }) => /^(?:-i|--index-url|--registry|--extra-index-url)(?:=|$)/.test(text));
    const [option, next] = [args[at], args[at + 1]];
    const equals = option?.text.indexOf("=") ?? -1;
    const named =
      at < 0 || option === undefined ? undefined : equals < 0 ? next : pieceOf(option, option.text.slice(equals + 1));
    talks(call, "in", named ?? known(registry));
  };
}

const fromNpm = installsFrom("registry.npmjs.org");
/** Installs from the index of Python, or from the one that is named. */
export const fromPypi = installsFrom("pypi.org");

/** The verb that publishes, with its dry run. */
export const publish: Use = {
  options: "dry-run|n tag= access= otp= registry= token= allow-dirty no-verify",
  dry: "dry-run",
  roles: PUBLISH,
};

const npmLike = (): NonNullable<Program["verbs"]> => ({
  "install|i|in|ci|add|isntall|install-test|it|update|up|upgrade|upgrade-interactive|import|link|ln|rebuild|audit fix":
    { does: fromNpm },
  "global add|create|init": { when: hasOperands, does: fromNpm },
  "publish|pub": publish,
  "npm publish": publish,
  "deprecate|dist-tag rm|npm tag": UNPUBLISH,
  unpublish: { options: "dry-run force|f otp= registry= workspace|w=", dry: "dry-run", roles: UNPUBLISH },
  "dist-tag add|owner add|owner rm|access grant|access public|access set": PUBLISH,
  "token create": { roles: ACCOUNT, does: reveals },
  "login|adduser|logout|token|owner|access|npm login|npm logout|whoami-set": ACCOUNT,
  "config set|set": {
    roles: SETTINGS,
    runs: (run) => {
      const [, name, held = ""] =
        /^(script-shell|node-options)[= ](.+)$/.exec(run.operands.map(({ text }) => text).join(" ")) ?? [];
      if (name === "node-options") return loadedByText(LOADING.node, fieldOf(held), run);
      return name === undefined ? [] : [{ runs: "shell", text: fieldOf(held), via: run.name }];
    },
    does: [{ when: operandIs(0, /^(?:script-shell|onload-script|node-options)(?:$|=)/), roles: ["run-code"] }],
  },
  "config get|get": { when: anyOperand(/_auth|_password|token/i), keys: true },
  "config delete|config edit": SETTINGS,
  "cache clean|store prune|cache rm": [],
});

/** Verbs of npm and its like that look something up. */
const NPM_ASKS =
  "ls|list|ll|la|view|info|show|v|outdated|audit|why|explain|search|find|help|whoami|ping|root|prefix|bin|fund|query|doctor|diff|docs|config get|config list|config ls|get|env list|env ls|cache ls|pkg get|profile get|licenses list|workspaces list|workspaces info|store path|store status|pm ls|pm bin";
/** The same of pip and its like. */
const PIP_ASKS =
  "list|show|freeze|check|tree|info|search|inspect|debug|hash|help|index versions|pip list|pip show|pip freeze|pip check|pip tree|tool list|tool dir|python list|python find|python dir|cache list|cache info|cache dir|env list|config list|config get|config show";

const NPM_OPTIONS =
  "prefix= C= dir= cwd= global|g workspace|w= filter|F= loglevel= registry= silent|s call|c= package|p= recursive|r";

/** The commands of yarn, pnpm and bun; other operands are names of scripts. */
const NO_COMMAND = () =>
  /^(?!(?:add|audit|autoclean|bin|cache|check|ci|config|constraints|create|dedupe|deploy|dlx|doctor|env|exec|explain|fetch|generate-lock-entry|help|import|info|init|install|i|upgrade-interactive|link|list|ls|licenses|login|logout|node|outdated|owner|pack|patch|patch-commit|pkg|pm|plugin|prune|publish|rebuild|remove|rm|root|rum|run|run-script|urn|self-update|set|setup|stage|store|team|tag|unlink|uninstall|unplug|up|update|upgrade|version|versions|view|why|workspace|workspaces|global|build-binary|x)$)/;

/** The verbs of npm and its like that run scripts of the project, and programs of packages. */
const packageRuns = (): NonNullable<Program["verbs"]> => ({
  "run|run-script|rum|urn": {
    options: "prefix= workspace|w= filter|F= cwd= C= dir= if-present silent|s",
    style: "first",
    runs: (run) => {
      const [script, ...more] = run.operands;
      return script === undefined ? [] : scriptNamed(run, script, more);
    },
  },
  // `yarn workspace app lint` is `yarn lint` in the folder of that package.
  workspace: {
    style: "first",
    runs: ({ name, operands }) => (operands.length < 2 ? [] : asProgram(name, [fieldOf(name), ...operands.slice(1)])),
  },
  workspaces: {
    style: "first",
    runs: ({ name, args }) => {
      const at = args.findIndex(({ text }) => /^(?:run|exec|node)$/.test(text));
      return at < 0 ? [] : asProgram(name, [fieldOf(name), ...args.slice(at)]);
    },
  },
  node: {
    style: "first",
    runs: ({ name, args }) => {
      const at = args.findIndex(({ text }) => text === "node");
      return asProgram(`${name} node`, args.slice(at));
    },
  },
  "exec|x|dlx": {
    options: "call|c= package|p= workspace|w= yes|y shell-mode",
    style: "first",
    does: [{ when: hasOperands, does: fromNpm }],
    runs: (run) => {
      const { name, operands } = run;
      const line = value(run, "call");
      if (line !== undefined) return [{ runs: "shell", text: line, via: `${name} exec` }];
      const [only, ...others] = operands;
      // A single argument with blanks is a command line.
      if (only !== undefined && others.length === 0 && /\s/.test(only.text))
        return [{ runs: "shell", text: only, via: `${name} exec` }];
      return asProgram(`${name} exec`, operands);
    },
  },
  "pkg set": {
    runs: ({ name, operands }) =>
      operands.flatMap(({ text }): Inner[] => {
        const [, code] = /^scripts\.[\w:.-]+=([\s\S]+)$/.exec(text) ?? [];
        return code === undefined ? [] : [{ runs: "shell", text: fieldOf(code), via: `${name} install` }];
      }),
  },
});

/** Runs of a package manager, after the code that its options and settings load. */
function withSettings(runs: Runs): Runs {
  return (run) => [...loadedByPackages(run), ...runs(run)];
}

const PIP_OPTIONS = "index-url= python= verbose|v quiet|q directory=";

const PYTHON_VERBS = (): NonNullable<Program["verbs"]> => ({
  "install|pip install|tool install|add|sync|pip sync|update|upgrade|inject|download|wheel|lock|env create|create|reinstall":
    {
      does: (call) => {
        fromPypi(call);
        const { args } = call.command;
        for (const [at, { text }] of args.entries())
          if (/^(?:-t|--target|--root|--prefix)$/.test(text)) writes(call, args[at + 1], { isTree: true });
      },
    },
  "uninstall|pip uninstall|remove|tool uninstall|env remove": ["delete"],
  publish,
  "config set": SETTINGS,
  "auth login": ACCOUNT,
});

/** The scripts and tools of a project for Node's package managers. */
const NODE_PROJECT = { taskFiles: ["package.json"], toolFolder: "node_modules/.bin" } as const;

/** Programs that install packages of programming languages, and publish them. */
export const PACKAGES = (): Programs => ({
  "npm cnpm": {
    readOnly: NPM_ASKS,
    is: { "runs-package": "npm", "options-until-dashes": "npm", "hook-options": true, "uses-keys": true },
    options: NPM_OPTIONS,
    ...NODE_PROJECT,
    verbs: { ...npmLike(), ...packageRuns() },
    runs: withSettings(namedTask(/^(?:test|start|stop|restart)$/)),
    examples: [
      ["npm install left-pad", "package-install network-in", "fetches from registry.npmjs.org"],
      ["npm ci", "package-install network-in", "fetches from registry.npmjs.org"],
      ["npm test", "unknown: npm run test"],
      ["npm publish --access public", "publish network-out"],
      ["npm publish --dry-run"],
      ["npm unpublish x --force", "publish network-out work-loss"],
      ["npm unpublish x --dry-run"],
      ["npm deprecate x@1 no --dry-run", "publish network-out work-loss"],
      ["npm token create", "account network-out reveal"],
      ["npm config set fund false", "settings"],
      ["npm config set script-shell ./x", "settings run-code"],
      ["npm run a --script-shell='rm x'", "runs rm x"],
      ["echo script-shell=./a.sh > .npmrc; echo 'rm x' > a.sh; npm test", "runs rm x"],
      ["npm_config_script_shell='rm x' npm test", "runs rm x"],
      ["npm exec -c 'rm x'", "runs rm x"],
      ["npm exec -- rm x", "runs rm x"],
      ["npm pkg set scripts.postinstall='rm x'", "runs rm x"],
    ],
  },
  "pnpm yarn": {
    readOnly: NPM_ASKS,
    is: { "runs-package": true, "options-until-dashes": true, "hook-options": "pnpm" },
    options: NPM_OPTIONS,
    ...NODE_PROJECT,
    verbs: { ...npmLike(), ...packageRuns() },
    does: [{ names: "yarn", unless: [hasOperands, anyArgument(/^--?(?:v|version|h|help)$/)], does: fromNpm }],
    runs: withSettings(namedTask(NO_COMMAND())),
    examples: [
      ["yarn", "package-install network-in", "fetches from registry.npmjs.org"],
      ["pnpm add -D x", "package-install network-in", "fetches from registry.npmjs.org"],
      ["pnpm dlx rimraf x", "runs rimraf x"],
      ["pnpm prisma migrate reset --force", "runs prisma migrate reset --force"],
      ["yarn exec rm x", "runs rm x"],
      ["yarn workspace app exec rm x", "runs rm x"],
      ["yarn workspaces foreach -A exec rm x", "runs rm x"],
      [`yarn node -e "fs.unlinkSync('x')"`, "runs rm -f x"],
    ],
  },
  bun: {
    is: { "runs-package": true, "options-until-dashes": true, "runs-code": true },
    readOnly: NPM_ASKS,
    ...NODE_PROJECT,
    options: `${NPM_OPTIONS} eval|e= print|p= preload|r= config|c= port= hot watch smol`,
    loads: LOADING.node,
    interpreter: { language: "javascript", code: ["eval", "print"], script: /\.[cm]?[jt]sx?$/ },
    verbs: { ...npmLike(), ...packageRuns() },
    does: (call) => {
      if (call.command.args.at(-1)?.text === "-") call.report.input = "run";
      const [verb, script] = call.operands;
      const named = verb?.text === "run" ? script : verb;
      if (/^https?:\/\//.test(named?.text ?? "")) runsFetched(call, named);
    },
    runs: (run) => {
      const codes = values(run, "eval", "print");
      // `bun test` is a test runner, even if a script has that name.
      if (/^(?:test|build|repl)$/.test(operandText(run))) return [];
      const [script, ...args] = run.operands.slice(run.operands[0]?.text === "run" ? 1 : 0);
      if (script !== undefined && /\.[cm]?[jt]sx?$/.test(script.text) && run.file(script) !== undefined)
        return [{ runs: "file", path: script, language: "javascript", args, via: "bun" }];
      return codes.length === 0
        ? namedTask(NO_COMMAND())(run)
        : codes.map((text) => ({
            runs: "code",
            language: "javascript",
            text: { ...text, isGlob: false },
            via: "bun -e",
          }));
    },
    examples: [
      ["bun add x", "package-install network-in", "fetches from registry.npmjs.org"],
      [`bun -e "require('fs').rmSync('x',{recursive:true})"`, "runs rm -rf x"],
      ["bun x rimraf x", "runs rimraf x"],
    ],
  },
  "npx bunx uvx pnpx": {
    is: { "runs-package": "npx bunx pnpx" },
    options: "yes|y package|p= call|c= from= with= python= quiet|q no-install",
    style: "first",
    toolFolder: NODE_PROJECT.toolFolder,
    does: (call) => {
      if (/^(?:https?:|git\+|git@|(?:github|gitlab|bitbucket|gist):)/.test(operandText(call)))
        runsFetched(call, call.operands[0]);
      if (has(call, "yes", "package", "from", "with") || /.@/.test(operandText(call)))
        (call.report.program === "uvx" ? fromPypi : fromNpm)(call);
    },
    runs: withSettings((run) => {
      const { name } = run;
      const line = value(run, "call");
      if (line !== undefined) return [{ runs: "shell", text: line, via: `${name} -c` }];
      const [first, ...rest] = run.operands;
      if (first === undefined) return [];
      // `rimraf@5` is a version of rimraf.
      const program = first.text.includes("@") ? { ...first, text: first.text.replace(/(.)@[\w.^~-]*$/, "$1") } : first;
      return asProgram(name, [program, ...rest]);
    }),
    examples: [
      ["npx tsc --noEmit"],
      ["npx -y evil", "package-install network-in", "fetches from registry.npmjs.org"],
      ["npx -c 'rm x'", "runs rm x"],
      ["npx -y rimraf x", "runs rimraf x"],
      ["npx rimraf@5 x", "runs rimraf x"],
      ["bunx rimraf x", "runs rimraf x"],
      ["uvx black x", "runs black x"],
    ],
  },
  "pip pip3": {
    readOnly: PIP_ASKS,
    options: PIP_OPTIONS,
    verbs: PYTHON_VERBS(),
    examples: [
      ["pip install -r requirements.txt", "package-install network-in", "fetches from pypi.org"],
      [
        "pip install -i https://example.com/simple x",
        "package-install network-in foreign-source",
        "fetches from example.com",
      ],
      [
        "pip install --target lib x",
        "package-install network-in",
        "fetches from pypi.org",
        "writes lib tree",
        "network lib flows to file",
      ],
      ["pip list"],
    ],
  },
  pipx: {
    readOnly: PIP_ASKS,
    options: PIP_OPTIONS,
    verbs: {
      ...PYTHON_VERBS(),
      run: { ...runVerb("spec= python= pip-args= index-url|i= verbose no-cache"), does: fromPypi },
    },
    examples: [
      ["pipx run x", "package-install network-in", "fetches from pypi.org"],
      ["pipx run --spec a rm x", "runs rm x"],
    ],
  },
  "uv rye pdm": {
    readOnly: PIP_ASKS,
    is: { "takes-code": true, "runs-named": true },
    options: PIP_OPTIONS,
    verbs: {
      ...PYTHON_VERBS(),
      run: {
        ...runVerb("with= python|p= extra= group= env-file= package= directory= project|P= module|m="),
        does: (call) => {
          const [script] = call.operands;
          if (/^https?:\/\//.test(script?.text ?? "")) runsFetched(call, script);
        },
      },
    },
    examples: [
      [
        "uv run https://h.test/a.py",
        "network-in run-code",
        "fetches from h.test",
        "network flows to shell",
        "unknown: https://h.test/a.py",
      ],
      ["uv pip install x", "package-install network-in", "fetches from pypi.org"],
      ["uv run pytest"],
      ["uv run --with a rm x", "runs rm x"],
      ["pdm run rm x", "runs rm x"],
    ],
  },
  "conda mamba micromamba": {
    readOnly: PIP_ASKS,
    options: PIP_OPTIONS,
    verbs: { ...PYTHON_VERBS(), run: runVerb("name|n= prefix|p= cwd= attach|a= no-capture-output live-stream") },
    examples: [
      ["conda install x", "package-install network-in", "fetches from pypi.org"],
      ["conda run -n a rm x", "runs rm x"],
    ],
  },
  "poetry hatch flit pipenv": {
    readOnly: "show|check|search|about|env info|env list|env show|graph|source show|dep show|status|help",
    options: "directory|C= project|P= env|e= python= verbose|v quiet|q",
    verbs: {
      run: runVerb(),
      "install|add|update|sync|lock": INSTALL,
      publish,
      "config|config set": SETTINGS,
      "env remove": ["delete"],
    },
    examples: [
      ["poetry add x", "package-install network-in"],
      ["poetry publish", "publish network-out"],
      ["poetry run rm x", "runs rm x"],
    ],
  },
  twine: {
    readOnly: "check",
    verbs: { "upload|register": PUBLISH },
    examples: [["twine upload dist/*", "publish network-out"]],
  },
});
