import { callHash } from "../approvals/call-hash.ts";
import { answeredAction, isOfGate } from "../trace/outcome.ts";
import type { DecisionRecord, ResultRecord } from "../trace/record.ts";
import { recordedEvent } from "../trace/recorded-event.ts";

/** A recorded call that was stopped or asked about, and what the user made of it. */
export interface StoppedCall {
  readonly record: DecisionRecord;
  readonly told: "deny" | "ask";
  /** The one hook, or rule of a guard, that objected; nothing where several did. */
  readonly by: ResultRecord | undefined;
  /** Whether it was made all the same: the user said yes to the agent, or let it pass once with `sluice allow-once`. */
  readonly isApproved: boolean;
}

/** What the journal holds about one hook. */
interface HookHistory {
  readonly name: string;
  /** How often it was asked about a call. */
  asked: number;
  /** How often it denied, asked or changed something, also where it only watches. */
  decided: number;
  /** The calls that it would have stopped, had it not only watched; the newest first. */
  readonly watched: DecisionRecord[];
}

/** What the journal holds about a period. */
export interface CallHistory {
  readonly total: number;
  readonly stopped: readonly StoppedCall[];
  readonly hooks: ReadonlyMap<string, HookHistory>;
}

/** Reads records, the newest first, and finds the stopped calls that were made all the same. */
export function callHistory(records: Iterable<DecisionRecord>): CallHistory {
  const [carriedOut, permitted] = [new Set<string>(), new Set<string>()];
  const hooks = new Map<string, HookHistory>();
  const stopped: StoppedCall[] = [];
  let total = 0;
  for (const record of records) {
    if (record.kind !== "decision" || record.background) continue;
    if (!isOfGate(record)) {
      const hash = AFTER.has(record.event) ? hashOf(record) : undefined;
      if (hash !== undefined) carriedOut.add(hash);
      continue;
    }
    total++;
    count(record, hooks);
    if (record.approved && record.call !== undefined) permitted.add(record.call);
    const told = answeredAction(record);
    if (told !== "deny" && told !== "ask") continue;
    const isMade = told === "ask" && carriedOut.has(hashOf(record) ?? "");
    const isApproved = isMade || (record.call !== undefined && permitted.has(record.call));
    stopped.push({ record, told, by: onlyObjection(record), isApproved });
  }
  return { total, stopped, hooks };
}

/** What happens after a call was carried out, well or badly. */
const AFTER: ReadonlySet<string> = new Set(["tool:post_execute", "tool:error"]);

function hashOf(record: DecisionRecord): string | undefined {
  const event = recordedEvent(record);
  return event === undefined ? undefined : callHash(event);
}

function onlyObjection({ results, action }: DecisionRecord): ResultRecord | undefined {
  const objecting = results.filter((result) => result.action === action);
  return objecting.length === 1 ? objecting[0] : undefined;
}

function count(record: DecisionRecord, hooks: Map<string, HookHistory>): void {
  for (const result of record.results) {
    const known = hooks.get(result.hook) ?? newHistory(result.hook);
    hooks.set(result.hook, known);
    known.asked++;
    if (result.action !== "continue" || result.monitor !== undefined || result.reason !== undefined) known.decided++;
    if (result.monitor === "deny" || result.monitor === "ask") known.watched.push(record);
  }
}

function newHistory(name: string): HookHistory {
  return { name, asked: 0, decided: 0, watched: [] };
}
