import { fieldNamed } from "../hook/schema.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import type { ConfigDocument } from "./document.ts";
import { type ConfigTree, member, type TreeMember } from "./tree.ts";

/** Hooks inside of `hooks` that are not in its list, and so are lost: one under its name, or a list under a wrong key. */
export function misplacedHooks({ key, value }: TreeMember, place: Place): Problem | undefined {
  if (isHook(value)) return PROBLEMS.hookByName({ key }, { place });
  return holdsHooks(value) ? PROBLEMS.misspeltHooks({ key: `hooks.${key}` }, { place }) : undefined;
}

/** A file without `hooks` that has hooks elsewhere, or of which nothing is known, has lost whatever it was to protect. */
export function withMisplacedHooks<Read extends Found>(
  read: Read,
  holder: ConfigTree | undefined,
  { place }: ConfigDocument,
  known: readonly string[],
): Read {
  const members = holder?.kind === "map" ? holder.members.filter(({ key }) => key !== "$schema") : [];
  const [first] = members;
  if (first === undefined || member(holder, "hooks") !== undefined) return read;
  const lost = members.find(({ key, value }) => !known.includes(key) && holdsHooks(value));
  const isStrange = read.errors.length === 0 && members.every(({ key }) => !known.includes(key));
  if (lost === undefined && !isStrange) return read;
  const at = place((lost ?? first).at);
  const problem = lost ? PROBLEMS.misspeltHooks({ key: lost.key }, { place: at }) : nothingKnown(at);
  // Other problems of the same key are less specific.
  const warnings = isStrange ? [] : read.warnings.filter((other) => other.place?.line !== at.line);
  return { ...read, errors: [problem, ...read.errors], warnings };
}

/** What is reported about a file without any key of a configuration; the keys that it has are not quoted. */
export function nothingKnown(place: Place): Problem {
  return PROBLEMS.nothingKnown(undefined, { place });
}

interface Found {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** A list of hooks, or hooks by their names. */
export function holdsHooks(tree: ConfigTree): boolean {
  if (tree.kind === "list") return tree.items.some(isHook);
  return tree.kind === "map" && tree.members.some(({ value }) => isHook(value));
}

function isHook(tree: ConfigTree): boolean {
  return tree.kind === "map" && tree.members.some(({ key }) => EARS.has(fieldNamed(key) ?? ""));
}

const EARS: ReadonlySet<string> = new Set(["event", "matcher"]);

const PROBLEMS = problems("config", {
  hookByName: ({ key }: { key: string }) => ({
    what: `\`hooks.${key}\` is a hook under its name; hooks are a list, and it is not active.`,
    fix: `Write \`- name: ${key}\` under \`hooks:\`, and its other keys below.`,
  }),
  misspeltHooks: ({ key }: { key: string }) => ({
    what: `There are hooks under the key \`${key}\`, which nothing reads. None of them are active.`,
    fix: "Write them as a list under `hooks:`, each beginning with `- `.",
  }),
  nothingKnown: () => ({
    what: "Nothing in this file is read: it has neither a key of a configuration nor hooks.",
    fix: "Write hooks as a list under `hooks:`, each beginning with `- `.",
  }),
});
