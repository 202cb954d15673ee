import { dirname, resolve } from "node:path";
import {
  type CallEffects,
  type Effect,
  GAP,
  isProgram,
  type PathEffect,
  programNamed,
  resolvedPath,
  takesStaged,
  undescribedChanges,
} from "../../effects/index.ts";
import { readOnce } from "../../fs/read-once.ts";
import { modulesBeside } from "../../trust/code-modules.ts";
import { languagesOf } from "../../trust/script-file.ts";

/**
 * The folder in which a change happens whose path is known only when it runs; undefined where it may be any folder. A name
 * that is put together in a folder is in it.
 */
export function folderOfUnclear({ path: { text } }: PathEffect, cwd: string): string | undefined {
  const unclear = text.search(UNCLEAR);
  if (unclear < 0) return resolve(cwd, text);
  const fixed = text.slice(0, text.lastIndexOf("/", unclear) + 1);
  return fixed === "" && text.startsWith(GAP) ? undefined : resolve(cwd, fixed);
}

/** Whether a command of git takes something from the work tree, the index or the history. */
export function takesFromGit(effect: Effect, call: CallEffects): boolean {
  return losesByGit(effect) || changesIndex(effect) || overwritesWorkTree(effect, call);
}

/**
 * Git throws away work or history, or removes what it is told to ignore: a guard does not take that for work, and may be gone
 * all the same.
 */
export function losesByGit(effect: Effect): boolean {
  if (effect.does !== "run" || !isProgram("version-control", effect.program)) return false;
  const { roles, verb } = effect;
  return (
    roles.includes("work-loss") || roles.includes("history-rewrite") || (verb === "clean" && roles.includes("delete"))
  );
}

/** Whether git writes over files of the work tree, and which of them is known only when it runs. */
function overwritesWorkTree(effect: Effect, { unknown }: CallEffects): boolean {
  if (effect.does !== "run" || !isProgram("version-control", effect.program)) return false;
  const [verb = ""] = effect.verb?.split(" ") ?? [];
  // What only lists, as `git stash list` does, leaves nothing unknown.
  return OVERWRITING.has(verb) && (unknown.length > 0 || effect.roles.length > 0);
}

/** Whether git changes what is staged, and no file beyond those that it is told. */
export function changesIndex(effect: Effect): boolean {
  if (effect.does !== "run" || !isProgram("version-control", effect.program)) return false;
  return takesStaged(effect.verb);
}

/** Whether code that a command line holds may write over or remove files that it does not name. */
export function writesUnnamed(effect: Effect, { commands, unknown }: CallEffects): boolean {
  if (effect.does !== "run" || effect.code === undefined) return false;
  const { source = "" } = commands[effect.command] ?? {};
  return effect.code === "small" ? WRITING_ELSEWHERE.test(source) : unknown.length > 0 && WRITING.test(source);
}

/**
 * What programs are given of which nothing is known, as paths from the folder of the call: one that is a file may be written
 * over, a folder only where a word says that files are rewritten.
 */
export function givenToUnknown(call: CallEffects): { readonly path: string; readonly rewrites: boolean }[] {
  return call.commands.flatMap((command, at) => {
    const { program, args, folder } = command;
    if (program === undefined || args.length === 0 || programNamed(program.text) !== undefined) return [];
    if (undescribedChanges(command, at, call).length === 0) return [];
    const rewrites = args.some(({ text }) => REWRITING.test(text));
    const words = args.map(({ text }) => text.replace(/^-[\w-]*=/, "")).filter((text) => !/^-|^$/.test(text));
    return words
      .filter((text) => !text.includes(GAP) && !folder.includes(GAP))
      .map((text) => ({ path: resolvedPath(folder, text), rewrites }));
  });
}

/**
 * Whether a script that a call runs, or a module beside it that it loads, has a function in it that writes over or removes
 * files: which ones is known only when it runs.
 */
export function scriptsMayDestroy({ scripts }: CallEffects, cwd: string): boolean {
  if (scripts.length === 0) return false;
  const read = readOnce();
  const texts = new Map(scripts.map(({ path, text }) => [resolve(cwd, path), text]));
  // Modules are added while they are looked through.
  for (const [path, text] of texts) {
    if (DESTROYING.test(text)) return true;
    for (const language of languagesOf({ path, text }))
      for (const module of modulesBeside({ path, text, language }, [dirname(path)], read))
        if (texts.size < MAX_FILES && !texts.has(module) && !INSTALLED.test(module))
          texts.set(module, read(module)?.text ?? "");
  }
  return false;
}

const MAX_FILES = 40;
const INSTALLED = /\/(?:node_modules|site-packages|dist-packages|vendor)\//;

/** How the usual languages call what removes, empties, writes over, moves and unpacks files, and start programs. */
const DESTROYING = new RegExp(
  [
    String.raw`\bunlink|\brm(?:tree|_)|\b(?:file_put_contents|extractall|unpack_archive|fileinput|inplace|rimraf)`,
    String.raw`\b(?:r(?:m|emove|ename)|del(?:ete)?|trash|empty|move|copy|truncat)\w{0,30}!?\s{0,9}[({]|\bcp(?:Sync)?\(`,
    String.raw`\b(?:write|append|output)_?(?:Text)?(?:[bB]ytes|File|Json|JSON|String|All|Lines)|\bwrite_text|\bcreateWriteStream`,
    String.raw`\b(?:shutil|FileUtils|shelljs|fs-extra)\b|\b(?:File|Files|IO|Bun|Deno|Pathname)\.(?:write|open|new|create)`,
    String.raw`\bf?open\s{0,9}\(?[^\n;]{0,200}?["'][rbt]{0,3}[wax+>][^"'\n]{0,80}["']`,
    String.raw`\bos\.(?:replace|Create|WriteFile|OpenFile)|\.to_(?:csv|json|excel|parquet|pickle|feather|hdf)\(|\.save\w{0,10}\(`,
    String.raw`\b(?:subprocess|child_process|popen|system|exec(?:a|File|Sync|FileSync)?|spawn(?:Sync)?|shell_exec|passthru|qx|zx|Open3)\b`,
  ].join("|"),
  "m",
);

/** Words by which programs are told to change files in place. */
const REWRITING = /^(?:fmt|format|fix|--fix|--write|--in-?place|-i|-w|-U|--apply\S*|--update\S*|--replace\S*)$/;

const UNCLEAR = new RegExp(`[${GAP}*?[{]`);

/** Verbs of git that change files in the work tree beyond those that they name. */
const OVERWRITING: ReadonlySet<string> = new Set(
  "am apply bisect checkout cherry-pick filter-branch filter-repo merge mergetool pull rebase revert sparse-checkout stash submodule subtree switch".split(
    " ",
  ),
);

/** Words by which the usual languages write, empty, rename and remove files. */
const WRITING =
  /writ|unlink|remove|delete|rmtree|\brm|rename|replace\(|truncat|\bmove|copy|open|sysopen|spew|\bdump|save|\bto_(?:csv|json|excel|parquet|pickle)|file_put|fput|touch|chmod|symlink|\blink\b|mkdir|extract|unpack|inplace|\$\^I|\bARGV\b|system|exec|spawn|popen|`|\bIO\.|\bFile\b|\bqx\b/i;

/** How a filter prints into a file whose name it makes, and an editor goes to other files than it was started with. */
const WRITING_ELSEWHERE =
  /\bprintf?\b[^;}\n]*>>?\s*[^"\s>]|\bsystem\(|\b(?:arg|buf|win|tab|c|l)f?do\b|\b(?:e|edit|n|next|sav|saveas|split|tabe|badd)!?\s+\S|\b(?:writefile|delete|rename)\(|save-buffer|write-(?:file|region)|delete-(?:file|directory)/;
