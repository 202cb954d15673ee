import { joinPath } from "../../join-path.ts";
import { type Field, fieldOf } from "../../parse/value.ts";
import { splitWords } from "./environment.ts";
import type { Call, Inner } from "./wrapper.ts";

/** What `git name` runs when git has no such command: the alias that a file of settings, or the line itself, gives it. */
export function fromAlias(name: Field | undefined, rest: readonly Field[], { file }: Call): Inner[] {
  if (name === undefined || !/^[A-Za-z][\w-]*$/.test(name.text) || COMMANDS.has(name.text)) return [];
  for (const path of [".git/config", "~/.gitconfig"]) {
    const line = aliasIn(file(fieldOf(path)) ?? "", name.text);
    if (line !== undefined) return [aliased(line, rest)];
  }
  return [];
}

/** The command behind an alias: one of git's, or after `!` one of the shell's. */
export function aliased(line: string, rest: readonly Field[]): Inner {
  if (!line.startsWith("!"))
    return { runs: "words", words: [fieldOf("git"), ...splitWords(fieldOf(line)), ...rest], via: "git alias" };
  return { runs: "shell", text: fieldOf(`${line.slice(1)} "$@"`), args: rest, via: "git alias" };
}

/** Remembers an alias that the line sets, where git would look for it. */
export function rememberAlias(key: string, value: string, isGlobal: boolean, { shell, file }: Call): void {
  const path = isGlobal ? "~/.gitconfig" : ".git/config";
  const line = `\t${key.slice("alias.".length)} = "${value.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  shell.files.set(joinPath(shell.folder, path), { text: `${file(fieldOf(path)) ?? ""}\n[alias]\n${line}\n` });
}

/** The last value of an alias in a text of settings. */
function aliasIn(text: string, name: string): string | undefined {
  if (!text.includes("[alias]")) return undefined;
  let isInside = false;
  let found: string | undefined;
  for (const line of text.replaceAll("\\\n", "").split("\n").slice(0, MOST_LINES)) {
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

const MOST_LINES = 2_000;

/** Commands that no alias can take the place of. */
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
