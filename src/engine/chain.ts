import { modifiable, readModification, unreadKeys, withModifiable } from "../decision/modification.ts";
import { applyChanges, changesBetween, conflictBetween, type ValueChange } from "../decision/patch.ts";
import { type HookResult, overruled, STRICTNESS } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import { toJsonText } from "../event/json.ts";
import type { Hook } from "../hook/hook.ts";

/** Runs one hook on the event as it stands; never rejects. */
export type RunHook = (hook: Hook, event: HookEvent) => Promise<HookResult> | HookResult;

/** What a chain of hooks gave. */
export interface ChainOutcome {
  /** One result per hook that ran, in order. */
  readonly results: readonly HookResult[];
  /** What the hooks made of the event. */
  readonly event: HookEvent;
  readonly isChanged: boolean;
}

/**
 * Runs hooks in order; neighbours marked `parallel` together. Each sees what earlier ones modified. When a gate's input
 * changed after a hook had passed it, that hook looks again at the final input, and the input has to settle.
 */
export async function runChain(
  event: HookEvent,
  hooks: readonly Hook[],
  run: RunHook,
  options: ChainOptions,
): Promise<ChainOutcome> {
  const results: HookResult[] = [];
  /** For each result, the latest version that its hook vouches for. */
  const saw: number[] = [];
  let current: Version = { event, number: 0 };
  let all = hooks;
  for (let at = 0; at < all.length; ) {
    const end = batchEnd(all, at);
    const given = runBatch(all, at, end, current.event, run);
    // By far the most frequent: one hook that answers at once and changes nothing.
    if (!(given instanceof Promise) && !asksForChange(given)) {
      results.push(given);
      saw.push(current.number);
      if (options.stopOnFailure && !given.shouldContinue) break;
      at = end;
      continue;
    }
    const awaited = await given;
    const batch = Array.isArray(awaited) ? awaited : [awaited];
    if (batch.some(asksForChange)) {
      const merged = merge(current, batch);
      results.push(...merged.results);
      saw.push(...merged.saw);
      const isNew = merged.next !== current;
      current = merged.next;
      if (isNew && options.waiting !== undefined)
        all = [...all.slice(0, end), ...(await options.waiting(current.event, all, end))];
    } else
      for (const result of batch) {
        results.push(result);
        saw.push(current.number);
      }
    if (options.stopOnFailure && results.some(({ shouldContinue }) => !shouldContinue)) break;
    at = end;
  }
  const isOpen = event.isGate && current.number > 0 && results.every(({ action }) => action !== "deny");
  if (isOpen) await recheck(results, saw, current, run);
  return { results, event: current.event, isChanged: current.number > 0 };
}

/** How a chain is run. */
interface ChainOptions {
  readonly stopOnFailure: boolean;
  /** Who runs after the first so many of these, now that the event has become another: it may fit hooks that it did not fit before. */
  readonly waiting?: (event: HookEvent, hooks: readonly Hook[], ran: number) => Promise<readonly Hook[]>;
}

/** A state of the event; the number grows with every change. */
interface Version {
  readonly event: HookEvent;
  readonly number: number;
}

/** Neighbours marked parallel form one batch; every other hook is its own. */
function batchEnd(hooks: readonly Hook[], at: number): number {
  let end = at + 1;
  if (hooks[at]?.parallel) while (hooks[end]?.parallel) end++;
  return end;
}

/** Neighbours run together. A hook on its own that answers at once costs no promise. */
function runBatch(
  hooks: readonly Hook[],
  at: number,
  end: number,
  event: HookEvent,
  run: RunHook,
): Promise<HookResult[] | HookResult> | HookResult {
  const only = hooks[at];
  if (only === undefined || end > at + 1)
    return Promise.all(together(hooks.slice(at, end), (hook) => run(hook, event)));
  return run(only, event);
}

/** Runs hooks at the same time, but not more than a machine bears: each of the others begins when one before it has ended. */
export function together(
  hooks: readonly Hook[],
  run: (hook: Hook) => Promise<HookResult> | HookResult,
): Promise<HookResult>[] {
  const runs: Promise<HookResult>[] = [];
  for (const [at, hook] of hooks.entries()) {
    const before = runs[at - MAX_AT_ONCE];
    runs.push(before === undefined ? Promise.resolve(run(hook)) : before.then(() => run(hook)));
  }
  return runs;
}

const MAX_AT_ONCE = 32;

function asksForChange({ action, modifiedData }: HookResult): boolean {
  return modifiedData !== undefined && (action === "modify" || action === "ask");
}

/** Puts together what the hooks of one batch changed; two that change the same field differently deny. */
function merge(current: Version, batch: readonly HookResult[]): Merged {
  const before = modifiable(current.event);
  const proposals = batch.map((result) => propose(current.event, result, before));
  const changing = proposals.filter(({ changes }) => changes.length > 0);
  const results = proposals.map(({ result, changes }) =>
    againstConflict(
      result,
      changes,
      changes.length === 0 ? [] : changing,
      current.event.isGate ? "the whole input" : "the whole result",
    ),
  );
  // Of changes that contradict each other none is made.
  const authors = proposals.filter(({ changes }, at) => changes.length > 0 && results[at]?.code !== CONFLICT);
  if (authors.length === 0) return { next: current, results, saw: results.map(() => current.number) };
  const number = current.number + 1;
  const after = applyChanges(
    before,
    authors.flatMap(({ changes }) => changes),
  );
  const next = { event: withModifiable(current.event, after), number };
  // Its only author knows the new version; of several, each knows only its own part.
  const [author] = authors;
  const saw = proposals.map((proposal) => (authors.length === 1 && proposal === author ? number : current.number));
  return { next, results, saw };
}

/** What the hooks of one batch came to, and which version each of them vouches for. */
interface Merged {
  readonly next: Version;
  readonly results: readonly HookResult[];
  readonly saw: readonly number[];
}

interface Proposal {
  readonly result: HookResult;
  readonly changes: readonly ValueChange[];
}

/** What a hook wants changed. A change that cannot be made is a broken answer, and a gate stays shut before it. */
function propose(event: HookEvent, result: HookResult, before: unknown): Proposal {
  if (!asksForChange(result) || result.modifiedData === undefined) return { result, changes: [] };
  const modification = readModification(event, result.modifiedData);
  switch (modification.kind) {
    case "none":
      return { result: withNote(result, emptyNote(unreadKeys(event, result.modifiedData))), changes: [] };
    case "changed":
      return { result, changes: changesBetween(before, modification.value) };
    case "refused": {
      const { why } = modification;
      const reason = `hook "${result.hook.name}" asks for a change that cannot be made: ${why}`;
      const got = toJsonText(result.modifiedData).slice(0, 200);
      const failure = { why: "bad_json", message: why, got } as const;
      const action = event.isGate ? "deny" : result.hook.onError;
      return {
        result: { ...overruled(result, action, reason, "HOOK_ERROR"), failure, error: reason, success: false },
        changes: [],
      };
    }
  }
}

/** A hook that says modify and names nothing to change has most likely forgotten a key. */
function emptyNote(keys: readonly string[]): string | undefined {
  return keys.length > 0
    ? `modified_data has ${keys.join(", ")}, which changes nothing; put it under "patch"`
    : undefined;
}

function withNote(result: HookResult, note: string | undefined): HookResult {
  return note === undefined ? result : { ...result, notes: [...(result.notes ?? []), note] };
}

function againstConflict(
  result: HookResult,
  changes: readonly ValueChange[],
  proposals: readonly Proposal[],
  whole: string,
): HookResult {
  for (const other of proposals) {
    const conflict = conflictBetween(changes, other.changes);
    if (conflict === undefined) continue;
    const names = [result.hook.name, other.result.hook.name].sort();
    const field = conflict.path.join(".") || whole;
    const reason = `hooks "${names[0]}" and "${names[1]}" change ${field} differently at the same time`;
    return overruled(result, "deny", reason, CONFLICT);
  }
  return result;
}

/** No approval outlives the input it approved: hooks that saw an older input look at the final one. */
async function recheck(results: HookResult[], saw: readonly number[], final: Version, run: RunHook): Promise<void> {
  for (const [at, first] of results.entries()) {
    const { hook } = first;
    if (saw[at] === final.number || hook.mode === "monitor") continue;
    const again = await run(hook, final.event);
    results[at] = stricter(first, settled(final.event, again));
  }
}

function settled(event: HookEvent, again: HookResult): HookResult {
  const { result, changes } = propose(event, again, modifiable(event));
  if (changes.length === 0) return result;
  const reason = `the input did not settle: hook "${again.hook.name}" changes what later hooks made of it`;
  return overruled(result, "deny", reason, "HOOK_ERROR");
}

/** What a hook wanted the agent to know survives a second look that has nothing to add. */
function stricter(first: HookResult, again: HookResult): HookResult {
  if (STRICTNESS[again.action] < STRICTNESS[first.action]) return first;
  return first.context && !again.context ? { ...again, context: first.context } : again;
}

const CONFLICT = "MODIFY_CONFLICT";
