import { existsSync } from "node:fs";
import { join } from "node:path";
import { Minimatch } from "minimatch";
import { type ConfigTree, member, plain } from "../../config/tree.ts";
import { nearest } from "../../problem/nearest.ts";
import { type Place, type Problem, problems } from "../../problem/problem.ts";
import { ACTIVE, type Intent, isActive } from "./intent.ts";
import { type IntentsFile, intentsPath, readIntents } from "./intents-file.ts";
import { takesAway, whyOwnsNothing } from "./scope.ts";
import { openRequests } from "./scope-requests.ts";
import { walk } from "./walk.ts";
import { Workspace } from "./workspace.ts";

/** What in a project's intents cannot be meant, and what is most likely a mistake. */
export interface IntentProblems {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Looks at the file of intents as a person would who asks why nothing is authorised; each problem names its line. */
export function checkIntents(root: string, mode: "off" | "advise" | "enforce"): IntentProblems {
  const file = readIntents(root);
  const place = { file: intentsPath(root) };
  if (file.state === "missing")
    return { errors: [], warnings: mode === "enforce" ? [PROBLEMS.nothingDeclared({}, { place })] : [] };
  if (file.state === "corrupt") return { errors: [file.problem], warnings: [] };
  const scopes = file.intents.map((intent) => scopeProblems(intent, file, new Workspace(root)));
  const idle = mode === "enforce" && !file.intents.some(isActive);
  const isMild = ({ code }: Problem) => mode === "off" || code === UNKNOWN_STATUS;
  const found = [...file.problems, ...scopes.flatMap(({ errors }) => errors)];
  return {
    errors: found.filter((problem) => !isMild(problem)),
    warnings: [
      ...(idle ? [PROBLEMS.noneActive({}, { place: file.document.place(file.document.tree.at) })] : []),
      ...found.filter(isMild),
      ...scopes.flatMap(({ warnings }) => warnings),
    ],
  };
}

type Read = Extract<IntentsFile, { state: "read" }>;

function scopeProblems(intent: Intent, file: Read, workspace: Workspace): IntentProblems {
  const [errors, warnings]: [Problem[], Problem[]] = [[], []];
  const { id } = intent;
  for (const { pattern, place } of patternsOf(intent, file)) {
    const meant = takesAway(pattern) ? pattern.trim().slice(1) : pattern;
    const why = whyOwnsNothing(meant) ?? whyOutside(meant, workspace);
    if (why !== undefined) errors.push(PROBLEMS.ownsNothing({ id, pattern, why }, { place }));
    else if (isActive(intent) && !namesSomething(meant, workspace))
      warnings.push(PROBLEMS.namesNothing({ id, pattern }, { place }));
  }
  const misspelt = misspeltKeys(intent, file);
  for (const { key, meant, at } of misspelt)
    warnings.push(PROBLEMS.misspelt({ id, key, meant }, { place: file.document.place(at) }));
  if (isActive(intent) && intent.ownedScope.length === 0 && !misspelt.some(({ meant }) => meant === "owned_scope"))
    warnings.push(PROBLEMS.emptyScope({ id }, { place: placeOf(intent, file) }));
  const asked = openRequests(file, intent);
  if (asked.length > 0) {
    const place = file.document.place(member(entryOf(intent, file), "scope_requests")?.at ?? 0);
    warnings.push(PROBLEMS.asked({ id, count: asked.length }, { place }));
  }
  return { errors, warnings };
}

/** Keys of one's own are kept; those that look like one of ours, where ours is not there, are hardly meant. */
function misspeltKeys(intent: Intent, file: Read): { key: string; meant: string; at: number }[] {
  const entry = entryOf(intent, file);
  const members = entry?.kind === "map" ? entry.members : [];
  const open = KEYS.filter((key) => member(entry, key) === undefined);
  return members.flatMap(({ key, at }) => {
    const meant = KEYS.includes(key) ? undefined : nearest(key, open, key.length > 5 ? 2 : 1);
    return meant === undefined ? [] : [{ key, meant, at }];
  });
}

function patternsOf(intent: Intent, file: Read): { readonly pattern: string; readonly place: Place }[] {
  const entry = entryOf(intent, file);
  const scope = entry && member(entry, "owned_scope")?.value;
  const items = scope?.kind === "list" ? scope.items : [];
  return items.flatMap((item) => {
    const pattern = plain(item);
    if (typeof pattern !== "string" && typeof pattern !== "number") return [];
    return [{ pattern: String(pattern), place: file.document.place(item.at) }];
  });
}

function placeOf(intent: Intent, file: Read): Place {
  return file.document.place(entryOf(intent, file)?.at ?? 0);
}

function entryOf({ index }: Intent, { document }: Read): ConfigTree | undefined {
  const list = member(document.tree, "active_intents")?.value;
  return list?.kind === "list" ? list.items[index] : undefined;
}

/** The path of the part of a pattern without wildcards, if that is outside of the project. */
function whyOutside(pattern: string, workspace: Workspace): string | undefined {
  const located = workspace.locate(fixedPart(pattern) || ".", undefined);
  return located.kind === "outside" ? located.why : undefined;
}

/** Whether a file or a folder is there that a pattern means; what is too much to look at counts as there. */
function namesSomething(pattern: string, { root }: Workspace): boolean {
  const tidy = pattern.trim().replace(/^(?:\.\/)+/, "");
  const fixed = fixedPart(tidy);
  if (existsSync(join(root, tidy.replace(/\/(?:\*\*(?:\/\*)?)?$/, "")))) return true;
  if (!existsSync(join(root, fixed))) return false;
  const rest = tidy.slice(fixed.length).replace(/^\//, "");
  if (rest === "") return true;
  const matcher = new Minimatch(rest, { dot: true, nonegate: true, nocomment: true });
  return walk(join(root, fixed))?.some(({ path }) => matcher.match(path)) ?? true;
}

/** The folders of a pattern before the first part that is one. */
function fixedPart(pattern: string): string {
  const parts = pattern.trim().split("/");
  const wild = parts.findIndex((part) => /[*?[{(!+@]/.test(part));
  return parts.slice(0, wild === -1 ? undefined : wild).join("/");
}

const KEYS = "id name status owned_scope constraints acceptance_criteria on_unknown scope_requests".split(" ");

/** A project may have words of its own for work that is not being done. */
const UNKNOWN_STATUS = "intent/status";

const PROBLEMS = problems("intent", {
  nothingDeclared: (_: object) => ({
    what: "Intents are enforced, and the project has declared none: nothing can be changed by an agent.",
    fix: 'Declare one with `sluice intents new --name "…" --scope "src/**"`, and begin it with `sluice intents start`.',
  }),
  noneActive: (_: object) => ({
    what: `Intents are enforced, and none is ${ACTIVE}: nothing can be changed by an agent.`,
    fix: "Begin one with `sluice intents start <id>`.",
  }),
  ownsNothing: ({ id, pattern, why }: { id: string; pattern: string; why: string }) => ({
    what: `"${pattern}" in the scope of ${id} owns nothing: ${why}.`,
    fix: 'Write it from the project\'s root, such as "src/auth/**".',
  }),
  namesNothing: ({ id, pattern }: { id: string; pattern: string }) => ({
    what: `"${pattern}" in the scope of ${id} names no file that is there.`,
    fix: "Correct it, or leave it when the files are yet to be made.",
  }),
  misspelt: ({ id, key, meant }: { id: string; key: string; meant: string }) => ({
    what: `${id} has the key "${key}", which means nothing here, and no "${meant}".`,
    fix: `Did you mean "${meant}"?`,
  }),
  asked: ({ id, count }: { id: string; count: number }) => ({
    what: `${id} has ${count === 1 ? "an open request" : `${count} open requests`} for more scope.`,
    fix: `\`sluice intents show ${id}\` shows what is asked for, and the command that grants it.`,
  }),
  emptyScope: ({ id }: { id: string }) => ({
    what: `${id} is ${ACTIVE} and owns nothing, so nothing can be changed under it.`,
    fix: `Add what it owns: sluice intents scope add ${id} "src/**"`,
  }),
});
