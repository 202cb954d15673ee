import { type PackContent, writtenOf } from "../config/pack-content.ts";
import { type Action, STRICTNESS } from "../decision/result.ts";
import { canonicalJson } from "../event/json.ts";
import { placeFinder } from "../examples/place-finder.ts";
import { readExamples } from "../examples/read-examples.ts";
import { tryTogether } from "../examples/run-example.ts";
import type { Hook } from "../hook/hook.ts";

/** What becomes of one hook of a pack. */
export interface HookDifference {
  readonly kind: "removed" | "changed" | "added";
  /** Its name within the pack. */
  readonly name: string;
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
  /** Calls of its own examples that it stopped and the new version does not, or stops less strictly. */
  readonly opens: readonly OpenedExample[];
}

/** An example of the old version about which the new version is less strict. */
interface OpenedExample {
  readonly call: string;
  readonly from: Action;
  readonly to: Action;
}

/** What a new version of a pack changes; what opens something comes first. The examples of the old version are put to the new one. */
export async function packDifference(
  pack: string,
  before: PackContent | undefined,
  after: PackContent,
  root: string,
): Promise<readonly HookDifference[]> {
  const old = new Map((before?.hooks ?? []).map((hook) => [hook.name, hook]));
  const young = new Map(after.hooks.map((hook) => [hook.name, hook]));
  const found: HookDifference[] = [];
  for (const [name, hook] of old) {
    const now = young.get(name);
    const written = { before: writtenOf(hook, pack), after: now && writtenOf(now, pack) };
    if (now !== undefined && canonicalJson(written.before) === canonicalJson(written.after)) continue;
    const opens = await openedBy(hook, after.hooks, root);
    found.push({
      kind: now === undefined ? "removed" : "changed",
      name: name.slice(pack.length + 1),
      ...written,
      opens,
    });
  }
  for (const [name, hook] of young)
    if (!old.has(name))
      found.push({ kind: "added", name: name.slice(pack.length + 1), after: writtenOf(hook, pack), opens: [] });
  return found.sort((one, other) => weightOf(other) - weightOf(one));
}

/** Whether a difference may let something pass that was stopped before. */
export function mayOpen({ kind, opens }: HookDifference): boolean {
  return kind === "removed" || opens.length > 0;
}

function weightOf({ kind, opens }: HookDifference): number {
  return (opens.length > 0 ? 4 : 0) + { removed: 2, changed: 1, added: 0 }[kind];
}

async function openedBy(hook: Hook, hooks: readonly Hook[], root: string): Promise<OpenedExample[]> {
  const rules = hooks.filter(({ parts }) => parts.every(({ type }) => type === "inline"));
  const subject = { root, hooks: rules, active: rules };
  const bench = { subject, isLive: false, placeOf: placeFinder(), isNamed: false, tried: [] };
  const opened: OpenedExample[] = [];
  for (const example of readExamples(hook).examples) {
    if (example.expect === "continue") continue;
    const label = { kind: "test", group: hook.name, name: example.name } as const;
    const { got = "continue" } = await tryTogether(example, label, bench);
    if (STRICTNESS[got] < STRICTNESS[example.expect])
      opened.push({ call: example.name.replace(`${example.expect} `, ""), from: example.expect, to: got });
  }
  return opened;
}
