import { join } from "node:path";
import { type ConfigDocument, parseDocument } from "../../config/document.ts";
import { MARK, readText } from "../../config/read-text.ts";
import { type ConfigTree, flawsIn, member } from "../../config/tree.ts";
import { sha256Text } from "../../fs/late-builtins.ts";
import { statsAt } from "../../fs/resolve-path.ts";
import { FileCache } from "../../fs/stat-cache.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import type { Intent } from "./intent.ts";
import { readEntries } from "./read-entries.ts";

/** What the file of intents gave. */
export type IntentsFile =
  | { readonly state: "missing"; readonly path: string }
  | { readonly state: "corrupt"; readonly path: string; readonly problem: Problem }
  | {
      readonly state: "read";
      readonly path: string;
      readonly document: ConfigDocument;
      /** Tells whether another process has written since. */
      readonly hash: string;
      readonly intents: readonly Intent[];
      /** Entries and words that cannot be meant as they stand. */
      readonly problems: readonly Problem[];
    };

/** Where a project's intents stand. */
export function intentsPath(root: string): string {
  return join(root, INTENTS_FOLDER, "active_intents.yaml");
}

/** The folder of intents and of the trace. */
export const INTENTS_FOLDER = ".orchestration";

/** The file with what no intent may touch. */
export const IGNORE_FILE = ".intentignore";

/** Describes what is at the path of that folder, if that is not a folder. */
export function folderProblem(root: string): Problem | undefined {
  const folder = join(root, INTENTS_FOLDER);
  const found = statsAt(folder);
  return found === undefined || found.isDirectory() ? undefined : PROBLEMS.noFolder({}, { place: { file: folder } });
}

/** Reads a project's intents. One bad entry never drops the others; a file that cannot be read authorises nothing. */
export function readIntents(root: string): IntentsFile {
  const path = intentsPath(root);
  const file = readText(path, { root });
  if (file.state === "missing") {
    const problem = folderProblem(root);
    return problem === undefined ? { state: "missing", path } : { state: "corrupt", path, problem };
  }
  if (file.state !== "read") return { state: "corrupt", path, problem: unreadable(file.problem) };
  return readIntentsText(path, file.text, file.hasMark ? MARK : "");
}

/** The same for a caller that only reads: a file that has not changed is not read into again. */
export function knownIntents(root: string): IntentsFile {
  const path = intentsPath(root);
  return KNOWN.read(path, () => readIntents(root));
}

const KNOWN = new FileCache<IntentsFile>();

/** The same for a text, as it is or as it would be. */
export function readIntentsText(path: string, text: string, mark = ""): Exclude<IntentsFile, { state: "missing" }> {
  const parsed = parseDocument(path, text, mark);
  if (parsed.state !== "read") return { state: "corrupt", path, problem: unreadable(parsed.problem) };
  const { document } = parsed;
  // A file without the list is not ours, and no message quotes its keys.
  const list = listIn(document.tree);
  if (list === undefined) {
    const problem = PROBLEMS.noList(undefined, { place: document.place(document.tree.at) });
    return { state: "corrupt", path, problem };
  }
  const [flaw] = flawsIn(document.tree);
  if (flaw !== undefined) {
    const place = document.place(flaw.at);
    return { state: "corrupt", path, problem: unreadable(flaw.problem.at(place)) };
  }
  const { intents, problems: found } = readEntries(list, document);
  return { state: "read", path, document, hash: hashOf(mark + text), intents, problems: found };
}

/** The fingerprint of a text. */
export function hashOf(text: string): string {
  return `sha256:${sha256Text(text)}`;
}

/** The entries; an empty list for an empty file, and undefined if there is something else instead of a list. */
function listIn(tree: ConfigTree): readonly ConfigTree[] | undefined {
  if (isNothing(tree)) return [];
  const value = member(tree, "active_intents")?.value;
  if (value === undefined) return undefined;
  if (isNothing(value) || value.kind === "flaw") return [];
  return value.kind === "list" ? value.items : undefined;
}

function isNothing(tree: ConfigTree): boolean {
  return tree.kind === "scalar" && tree.value === null;
}

/** The same fact, in words that are about intents. */
function unreadable(problem: Problem): Problem {
  const why = problem.message.replace(
    / None of (?:the file's|its) hooks are active\.$| with hooks(?= is looked for)/,
    "",
  );
  return PROBLEMS.unreadable({ why, fix: problem.fix }, { place: problem.place, cause: problem });
}

const PROBLEMS = problems("intent", {
  noFolder: (_: object) => ({
    what: "This is a file, where the folder of intents and of the trace belongs.",
    fix: "Move it away; `sluice intents new` makes the folder.",
  }),
  unreadable: ({ why, fix }: { why: string; fix: string | undefined }) => ({
    what: `The file of intents cannot be used: ${why} No intent authorises anything.`,
    fix: fix ?? "Correct the file.",
  }),
  noList: () => ({
    what: "The file of intents has no list `active_intents`. No intent authorises anything.",
    fix: "Write `active_intents:` and the intents below it, or begin with `sluice intents new`.",
  }),
});
