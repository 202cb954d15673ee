import { shellWord } from "../../parse/shell-word.ts";
import { type Field, fieldOf } from "../../parse/value.ts";
import { type Call, type Inner, optionsOf, type Wrapper } from "./wrapper.ts";

const LIFECYCLE: ReadonlySet<string> = new Set(["test", "start", "stop", "restart"]);

/** What yarn, pnpm and bun do themselves; other words are names of scripts. */
const OWN_COMMANDS: ReadonlySet<string> = new Set(
  `add audit autoclean bin cache check ci config constraints create dedupe deploy doctor env explain fetch generate-lock-entry
  help import info init install i upgrade-interactive link list ls licenses login logout node outdated owner pack patch
  patch-commit pm plugin prune publish rebuild remove rm root self-update set setup stage store team tag unlink uninstall
  unplug up update upgrade version versions view why workspace workspaces global build-binary`.split(/\s+/),
);

/** `npm run name`: what stands behind the name, with the rest of the words. */
const packageScripts: Wrapper = {
  examples: [
    ["npm exec -c 'rm x'", "rm x"],
    ["npm exec -- rm x", "rm x"],
    ["npm pkg set scripts.postinstall='rm x'", "rm x"],
  ],
  unwrap: (call) => {
    const { name, args } = call;
    const options = optionsOf(args, [
      "--prefix",
      "-C",
      "--dir",
      "--cwd",
      "-w",
      "--workspace",
      "--filter",
      "-F",
      "-c",
      "--call",
      "-p",
      "--package",
    ]);
    const [action, ...rest] = options.operands;
    if (action === undefined) return [];
    const words = rest.filter(({ text }) => text !== "--");
    if (/^(?:run|run-script|rum|urn)$/.test(action.text)) {
      const { operands } = optionsOf(rest, ["--prefix", "-w", "--workspace"]);
      const [script, ...more] = operands;
      return script === undefined ? [] : task(call, name, script, more);
    }
    if (/^(?:exec|x|dlx)$/.test(action.text)) {
      const line =
        options.value("-c", "--call") ?? optionsOf(rest, ["-c", "--call", "-p", "--package"]).value("-c", "--call");
      if (line !== undefined) return [{ runs: "shell", text: line, via: `${name} exec` }];
      const { operands } = optionsOf(rest, ["-p", "--package"]);
      const [only, ...others] = operands;
      // One word with blanks in it is a line of the shell.
      if (only !== undefined && others.length === 0 && /\s/.test(only.text))
        return [{ runs: "shell", text: only, via: `${name} ${action.text}` }];
      return operands.length === 0
        ? []
        : [{ runs: "words", words: operands, via: `${name} ${action.text}`, isProgram: true }];
    }
    if (action.text === "pkg" && rest[0]?.text === "set")
      return rest.flatMap(({ text }): Inner[] => {
        const [, code] = /^scripts\.(?:(?:pre|post)?install|prepare)=([\s\S]+)$/.exec(text) ?? [];
        return code === undefined ? [] : [{ runs: "shell", text: fieldOf(code), via: `${name} install` }];
      });
    if (LIFECYCLE.has(action.text) || (name !== "npm" && !OWN_COMMANDS.has(action.text)))
      return task(call, name, action, words);
    return [];
  },
};

function task(call: Call, runner: string, name: Field, args: readonly Field[]): Inner[] {
  const line = call.task(runner, name.text);
  const via = `${runner} run ${name.text}`;
  if (line === undefined) return [{ runs: "doubt", why: "unread script", what: via }];
  const rest = args.filter(({ text }) => text !== "--").map(({ text }) => ` ${shellWord(text)}`);
  return [{ runs: "shell", text: fieldOf(line + rest.join("")), via }];
}

const npx: Wrapper = {
  examples: [
    ["npx -c 'rm x'", "rm x"],
    ["npx -y rimraf x", "rimraf x"],
    ["npx rimraf@5 x", "rimraf x"],
  ],
  unwrap: ({ name, args }) => {
    const options = optionsOf(args, ["-c", "--call", "-p", "--package", "--from", "--with"]);
    const line = options.value("-c", "--call");
    if (line !== undefined) return [{ runs: "shell", text: line, via: `${name} -c` }];
    const [first, ...rest] = options.operands;
    if (first === undefined) return [];
    // `rimraf@5` is a version of rimraf.
    const program = first.text.includes("@") ? { ...first, text: first.text.replace(/(.)@[\w.^~-]*$/, "$1") } : first;
    return [{ runs: "words", words: [program, ...rest], via: name, isProgram: true }];
  },
};

const make: Wrapper = {
  examples: [
    ["make -f - <<< $'all:\\n\\trm x'", "rm x"],
    ["printf 'all:\\n\\t@rm x\\n' > m; make -f m", "rm x"],
    ["make SHELL='rm x'", "rm x"],
    ["make --eval='$(shell rm x)'", "rm x"],
  ],
  unwrap: (call) => {
    const { name, args } = call;
    const options = optionsOf(
      args,
      ["-f", "-C", "-j", "-I", "-o", "-W", "-l", "--file", "--makefile", "--directory", "--eval", "-E"],
      true,
    );
    const inners: Inner[] = [];
    for (const { text, isKnown } of options.operands) {
      const [, value] = /^(?:SHELL|MAKE|CC|CXX)=([\s\S]*)$/.exec(text) ?? [];
      if (value !== undefined) inners.push({ runs: "shell", text: { text: value, isKnown, isGlob: false }, via: name });
    }
    for (const text of options.values("--eval", "-E"))
      inners.push({ runs: "code", language: "make", text, via: `${name} --eval` });
    const file = options.value("-f", "--file", "--makefile");
    if (file?.text === "-" || file?.text === "/dev/stdin")
      return [...inners, { runs: "input", language: "make", via: name }];
    if (file !== undefined && call.file(file) !== undefined)
      return [...inners, { runs: "file", path: file, language: "make", via: name }];
    const targets = options.operands.filter(({ text }) => !text.includes("="));
    for (const target of targets.length === 0 ? [fieldOf("")] : targets) {
      const line = call.task(name, target.text);
      const via = `${name} ${target.text}`.trim();
      inners.push(
        line === undefined
          ? { runs: "doubt", why: "unread script", what: via }
          : { runs: "shell", text: fieldOf(line), via },
      );
    }
    return inners;
  },
};

const recipes: Wrapper = {
  examples: [],
  unwrap: (call) => {
    const [target] = call.args.filter(({ text }) => !/^-/.test(text));
    const line = call.task(call.name, target?.text ?? "");
    const via = `${call.name} ${target?.text ?? ""}`.trim();
    return [
      line === undefined
        ? { runs: "doubt", why: "unread script", what: via }
        : { runs: "shell", text: fieldOf(line), via },
    ];
  },
};

/** Programs that run what a project's files name. */
export const TASK_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  npm: packageScripts,
  pnpm: { ...packageScripts, examples: [["pnpm dlx rimraf x", "rimraf x"]] },
  yarn: { ...packageScripts, examples: [["yarn exec rm x", "rm x"]] },
  bun: { ...packageScripts, examples: [["bun x rimraf x", "rimraf x"]] },
  npx,
  bunx: { ...npx, examples: [["bunx rimraf x", "rimraf x"]] },
  pnpx: { ...npx, examples: [["pnpx rimraf x", "rimraf x"]] },
  uvx: { ...npx, examples: [["uvx black x", "black x"]] },
  make,
  gmake: { ...make, examples: [["gmake SHELL='rm x'", "rm x"]] },
  just: recipes,
  rake: recipes,
};
