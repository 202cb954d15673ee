import { type Field, fieldOf } from "../parse/value.ts";
import { joinPath } from "../paths.ts";
import { values } from "./call.ts";
import { readOptions } from "./options.ts";
import type { Inner, Invocation, Program } from "./program.ts";
import { asProgram, splitWords } from "./runs.ts";

/** Settings of git whose value is a command line. */
const CODE_SETTINGS = () =>
  /^(?:core\.(?:pager|editor|fsmonitor|sshcommand|askpass|gitproxy|alternaterefscommand)|pager\..+|sequence\.editor|diff\.external|credential\.(?:.*\.)?helper|gpg\.(?:.*\.)?program|(?:diff|merge)tool\..+\.cmd|diff\..+\.(?:command|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|uploadpack\.packobjectshook|trailer\..+\.(?:command|cmd)|interactive\.difffilter|sendemail\..*cmd|web\.browser|browser\..+\.cmd|man\..+\.cmd|submodule\..+\.update|remote\..+\.(?:uploadpack|receivepack|vcs))$/;

/** Hooks that a subcommand may run. */
const HOOKS: Readonly<Record<string, readonly string[]>> = {
  __proto__: null as never,
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  merge: ["pre-merge-commit", "post-merge"],
  pull: ["pre-merge-commit", "post-merge"],
  push: ["pre-push"],
  checkout: ["post-checkout"],
  switch: ["post-checkout"],
  clone: ["post-checkout"],
  rebase: ["pre-rebase", "post-rewrite"],
  am: ["applypatch-msg", "pre-applypatch"],
};

/** What git runs by its settings, its verbs and its aliases. */
export function gitRuns(run: Invocation): readonly Inner[] {
  const [subcommand] = run.operands;
  const rest = run.operands.slice(1);
  const inners: Inner[] = [];
  const settings = [...values(run, "c"), ...fromEnvironment(run)];
  for (const setting of settings) {
    inners.push(...fromSetting(setting));
    const [, alias, line = ""] = /^alias\.([^=]+)=([^!][\s\S]*)$/i.exec(setting.text) ?? [];
    if (alias !== undefined && alias === subcommand?.text) inners.push(aliased(line, rest));
  }
  const hooks = settings.find(({ text }) => /^core\.hookspath=/i.test(text));
  if (hooks !== undefined)
    for (const hook of HOOKS[subcommand?.text ?? ""] ?? []) {
      const path = { ...hooks, text: `${hooks.text.replace(/^[^=]*=/, "")}/${hook}` };
      if (run.file(path) !== undefined) inners.push({ runs: "file", path, via: `git ${hook}` });
    }
  const more = fromSubcommand(subcommand?.text ?? "", rest, run);
  const aliases = fromAlias(subcommand, rest, run);
  return inners.length === 0 && aliases.length === 0 ? more : [...inners, ...more, ...aliases];
}

/** `git-push` is `git push`: the verbs of git are also separate programs. */
export function partOfGit(name: string): Program | undefined {
  const [, verb] = /^git-([a-z][a-z-]*)$/.exec(name) ?? [];
  if (verb === undefined) return undefined;
  return {
    runs: ({ args }) => asProgram(name, [fieldOf("git"), fieldOf(verb), ...args]),
    examples: [["git-push -f", "runs git push -f"]],
  };
}

/** `GIT_CONFIG_KEY_0=a.b GIT_CONFIG_VALUE_0=c`, `GIT_CONFIG_PARAMETERS="'a.b=c'"`: settings for one command. */
function fromEnvironment({ assignments }: Invocation): Field[] {
  const settings: Field[] = [];
  for (const name in assignments) {
    const word = assignments[name];
    if (word === undefined || !name.startsWith("GIT_CONFIG_")) continue;
    const [, number] = /^GIT_CONFIG_KEY_(\d+)$/.exec(name) ?? [];
    const value = assignments[`GIT_CONFIG_VALUE_${number}`];
    if (number !== undefined && value !== undefined) settings.push({ ...value, text: `${word.text}=${value.text}` });
    if (name === "GIT_CONFIG_PARAMETERS")
      for (const [, setting = ""] of word.text.replaceAll("'='", "=").matchAll(/'([^']*)'/g))
        settings.push({ ...word, text: setting });
  }
  return settings;
}

function fromSetting(setting: Field): Inner[] {
  const equals = setting.text.indexOf("=");
  return equals < 0 ? [] : setTo(setting.text.slice(0, equals), { ...setting, text: setting.text.slice(equals + 1) });
}

function setTo(key: string, value: Field): Inner[] {
  const name = key.toLowerCase();
  if (name.startsWith("alias."))
    return value.text.startsWith("!")
      ? [{ runs: "shell", text: { ...value, text: value.text.slice(1) }, via: "git alias" }]
      : [];
  if (!CODE_SETTINGS().test(name) || /^(?:true|false|cat|less|store|cache|osxkeychain|manager|)$/.test(value.text))
    return [];
  return [{ runs: "shell", text: { ...value, text: value.text.replace(/^!/, "") }, via: `git ${key}` }];
}

/** The options of a verb whose value is a command line. */
const LINES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    rebase: "exec|x=",
    difftool: "extcmd|x=",
    mergetool: "extcmd|x=",
    "filter-branch":
      "tree-filter= index-filter= msg-filter= env-filter= commit-filter= parent-filter= tag-name-filter= setup=",
    clone: "upload-pack|u=",
    fetch: "upload-pack=",
    pull: "upload-pack=",
    "ls-remote": "upload-pack|exec=",
    push: "receive-pack|exec=",
    archive: "exec=",
    grep: "open-files-in-pager|O?",
  }),
);

function fromSubcommand(verb: string, rest: readonly Field[], run: Invocation): readonly Inner[] {
  const spec = LINES.get(verb);
  if (spec !== undefined) {
    const { given } = readOptions(rest, `${spec} m= b= o= config|c=`);
    const names = spec.split(" ").map((entry) => entry.split(/[|=?]/, 1)[0] ?? "");
    const lines = values({ given }, ...names).map((text): Inner => ({ runs: "shell", text, via: `git ${verb}` }));
    return verb === "clone" ? [...lines, ...values({ given }, "config").flatMap(fromSetting)] : lines;
  }
  const words = rest.filter(({ text }) => !text.startsWith("-"));
  if (verb === "config") {
    const [key, value] = words[0]?.text === "set" ? words.slice(1) : words;
    if (key === undefined || value === undefined) return [];
    const isGlobal = rest.some(({ text }) => text === "--global");
    if (/^alias\../i.test(key.text)) rememberAlias(key.text, value.text, isGlobal, run);
    return setTo(key.text, value);
  }
  const [first, ...others] = words;
  if (verb === "bisect" && first?.text === "run")
    return asProgram("git bisect run", rest.slice(rest.indexOf(first) + 1));
  if (verb !== "submodule" || first?.text !== "foreach" || others.length === 0) return [];
  return [{ runs: "shell", text: fieldOf(others.map(({ text }) => text).join(" ")), via: "git submodule foreach" }];
}

/** What `git name` runs if git has no such command: the alias in a file of settings or in the line itself. */
function fromAlias(name: Field | undefined, rest: readonly Field[], { file }: Invocation): Inner[] {
  if (name === undefined || !/^[A-Za-z][\w-]*$/.test(name.text) || COMMANDS.has(name.text)) return [];
  for (const path of [".git/config", "~/.gitconfig"]) {
    const line = aliasIn(file(fieldOf(path)) ?? "", name.text);
    if (line !== undefined) return [aliased(line, rest)];
  }
  return [];
}

/** The command of an alias: a command of git, or after `!` a command line for the shell. */
function aliased(line: string, rest: readonly Field[]): Inner {
  if (!line.startsWith("!"))
    return { runs: "words", words: [fieldOf("git"), ...splitWords(fieldOf(line)), ...rest], via: "git alias" };
  return { runs: "shell", text: fieldOf(`${line.slice(1)} "$@"`), args: rest, via: "git alias" };
}

/** Remembers an alias that the line sets, in the file in which git would find it. */
function rememberAlias(key: string, value: string, isGlobal: boolean, { shell, file }: Invocation): void {
  const path = isGlobal ? "~/.gitconfig" : ".git/config";
  const line = `\t${key.slice("alias.".length)} = "${value.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  shell.files.set(joinPath(shell.folder, path), { text: `${file(fieldOf(path)) ?? ""}\n[alias]\n${line}\n` });
}

/** The last value of an alias in a text of settings. */
function aliasIn(text: string, name: string): string | undefined {
  if (!text.includes("[alias]")) return undefined;
  let isInside = false;
  let found: string | undefined;
  for (const line of text.replaceAll("\\\n", "").split("\n").slice(0, MAX_LINES)) {
    if (/^\s*\[/.test(line)) isInside = /^\s*\[alias\]/i.test(line);
    const [, key, value = ""] = (isInside && /^\s*(?:\[alias\]\s*)?([\w-]+)\s*=\s*(.*)$/.exec(line)) || [];
    if (key?.toLowerCase() === name.toLowerCase()) found = plain(value);
  }
  return found;
}

/** A value without its quotes and its comment. */
function plain(value: string): string {
  const pieces = value.matchAll(/"((?:[^"\\]|\\.)*)"?|([^"#;\\]|\\.)|[#;].*/g);
  const text = [...pieces].map(([, quoted, bare]) => quoted ?? bare ?? "").join("");
  return text.replaceAll(/\\(.)/g, (_, sign) => ({ n: "\n", t: "\t" })[sign as string] ?? sign).trim();
}

const MAX_LINES = 2_000;

/** Commands that an alias cannot replace. */
const COMMANDS: ReadonlySet<string> = new Set(
  `add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout checkout-index cherry
  cherry-pick clean clone commit commit-tree config count-objects describe diff diff-files diff-index diff-tree difftool
  fast-export fast-import fetch filter-branch for-each-ref format-patch fsck gc grep gui hash-object help init lfs log ls-files
  ls-remote ls-tree maintenance merge merge-base mergetool mktree mv name-rev notes pack-refs prune pull push range-diff
  read-tree rebase reflog remote repack replace rerere reset restore rev-list rev-parse revert rm send-email shortlog show
  show-ref sparse-checkout stash status submodule switch symbolic-ref tag update-index update-ref var verify-commit version
  whatchanged worktree write-tree`
    .trim()
    .split(/\s+/),
);
