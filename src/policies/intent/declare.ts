import { plain } from "../../config/tree.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { problems } from "../../problem/problem.ts";
import { changeIntents, type IntentEdit, type ReadIntents, usable } from "./change-intents.ts";
import type { Intent, STATUSES } from "./intent.ts";
import { openRequests, whyNotAskable } from "./scope-requests.ts";

/** What a person declares. */
export interface Declaration {
  /** The next free one when left out. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly scope: readonly string[];
  readonly constraints: readonly string[];
  readonly criteria: readonly string[];
}

/** Writes a new intent down, not begun yet, and says its id. */
export function declareIntent(root: string, { id, name, scope, constraints, criteria }: Declaration): string {
  let given = "";
  changeIntents(root, (file) => {
    given = id ?? nextId(file);
    if (hasId(file, given)) throw PROBLEMS.taken({ id: given }, { place: { file: file.path } });
    const value = {
      id: given,
      name,
      status: "PENDING" satisfies keyof typeof STATUSES,
      owned_scope: scope,
      constraints,
      acceptance_criteria: criteria,
    };
    return { list: LIST, steps: [...kept(entries(file)), { kind: "add", value }] };
  });
  return given;
}

/** Says how far a piece of work is. */
export function setStatus(root: string, id: string, status: keyof typeof STATUSES): void {
  changeIntents(root, (file) => changing(file, id, { status }));
}

/** Lets an intent own more; what it owns already is not written twice. Says what is new. */
export function addScope(root: string, id: string, globs: readonly string[]): readonly string[] {
  let added: readonly string[] = [];
  changeIntents(root, (file) => {
    const { index, ownedScope } = intentIn(file, id);
    added = [...new Set(globs)].filter((glob) => !ownedScope.includes(glob));
    return adding(file, index, "owned_scope", added);
  });
  return added;
}

/** Writes down a request that an intent own more; it owns no more by that. What is asked for already is not asked twice. */
export function requestScope(
  root: string,
  id: string,
  { paths, reason, by }: { paths: readonly string[]; reason: string; by?: string | undefined },
): void {
  for (const path of paths) {
    const why = whyNotAskable(path);
    if (why !== undefined) throw PROBLEMS.notAskable({ path, why });
  }
  changeIntents(root, (file) => {
    const intent = intentIn(file, id);
    const isAsked = openRequests(file, intent).some((open) => paths.every((path) => open.paths.includes(path)));
    const requested = { requested_at: new Date().toISOString(), ...(by === undefined ? {} : { requested_by: by }) };
    return adding(file, intent.index, "scope_requests", isAsked ? [] : [{ paths, reason, ...requested }]);
  });
}

/** The intent of that id, or a problem that names those there are. */
export function intentNamed(root: string, id: string): Intent {
  return intentIn(usable(root), id);
}

function intentIn({ intents, path }: ReadIntents, id: string): Intent {
  const found = intents.find((intent) => intent.id === id);
  if (found === undefined)
    throw PROBLEMS.unknown({ id, known: intents.map((intent) => intent.id) }, { place: { file: path } });
  return found;
}

function changing(file: ReadIntents, id: string, set: Readonly<Record<string, unknown>>): IntentEdit {
  const { index } = intentIn(file, id);
  const steps = kept(entries(file)).map((step) => (step.index === index ? { ...step, ...CHANGES, set } : step));
  return { list: LIST, steps };
}

/** A list that has something is added to, so that its comments stay; else the entry gets it as a whole. */
function adding(file: ReadIntents, index: number, key: string, values: readonly unknown[]): IntentEdit {
  const before = (Object(entries(file)[index]) as Record<string, unknown>)[key];
  if (Array.isArray(before) && before.length > 0) {
    const added = values.map((value) => ({ kind: "add", value }) as const);
    return { list: [...LIST, index, key], steps: [...kept(before), ...added] };
  }
  const steps = kept(entries(file)).map((step) =>
    step.index === index ? { ...step, ...CHANGES, set: { [key]: values } } : step,
  );
  return { list: LIST, steps };
}

function entries({ document }: ReadIntents): readonly unknown[] {
  const list = (Object(plain(document.tree)) as Record<string, unknown>).active_intents;
  return Array.isArray(list) ? list : [];
}

function hasId(file: ReadIntents, id: string): boolean {
  return idsIn(file).includes(id);
}

function nextId(file: ReadIntents): string {
  const numbers = idsIn(file).flatMap((id) => /^INT-(\d+)$/.exec(id)?.[1] ?? []);
  const highest = Math.max(0, ...numbers.map(Number));
  return `INT-${String(highest + 1).padStart(3, "0")}`;
}

/** The ids in the file, also of entries that cannot be used. */
function idsIn(file: ReadIntents): string[] {
  return entries(file).map((entry) => String((Object(entry) as Record<string, unknown>).id));
}

function kept(list: readonly unknown[]): { kind: "keep"; index: number }[] {
  return list.map((_, index) => ({ kind: "keep", index }));
}

const LIST = ["active_intents"];
const CHANGES = { kind: "change", remove: [] } as const;

const PROBLEMS = problems("intent", {
  unknown: ({ id, known }: { id: string; known: readonly string[] }) => ({
    what: `There is no intent "${id}".`,
    fix:
      known.length === 0
        ? "No intent is declared; `sluice intents new --name … --scope …` declares one."
        : `${didYouMean(id, known)} \`sluice intents list\` shows them all.`.trim(),
  }),
  notAskable: ({ path, why }: { path: string; why: string }) => ({
    what: `No intent can own "${path}": ${why}.`,
    fix: "Ask for paths or globs from the project's root, such as `src/auth/**`.",
  }),
  taken: ({ id }: { id: string }) => ({
    what: `There is an intent ${id} already.`,
    fix: "Choose another id, or leave --id out.",
  }),
});
