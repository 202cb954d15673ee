import { type Action, STRICTNESS } from "../decision/result.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import type { CallOrigin, CannotTell } from "./replay-call.ts";

/** What said something about calls: a hook, and where it stands; a built-in guard stands in no file. */
export interface ReplayRule {
  readonly hook: string;
  readonly file: string | null;
  readonly line: number | null;
}

/** One call of a group, as it was recorded. */
interface ReplayExample {
  readonly id?: string | undefined;
  readonly time: string;
  readonly agent?: string | undefined;
  readonly session_id?: string | undefined;
  readonly event: string;
  readonly tool?: string | undefined;
  readonly cwd?: string | undefined;
  readonly made?: CallOrigin | undefined;
  readonly input: unknown;
}

/** Calls of one shape about which two verdicts differ in the same way. */
export interface ReplayChange {
  readonly from: Action;
  readonly to: Action;
  /** `change`: the two policies differ. `drift`: the older policy says something else now than was recorded. */
  readonly cause: "change" | "drift";
  readonly count: number;
  /** How many sessions made such calls. */
  readonly sessions: number;
  readonly example: ReplayExample;
  /** What said the stricter of the two. */
  readonly rule: ReplayRule | null;
  /** The same in more words: the hook, and the rule of a built-in guard. */
  readonly said: string;
  /** Whether nothing was removed from the example. */
  readonly isWhole: boolean;
  /** What the inputs have in common. */
  readonly shape: string;
  readonly agents: readonly string[];
  readonly first: string;
  readonly last: string;
}

/** What judging recorded calls by two policies came to. */
export interface ReplayReport {
  readonly total: number;
  readonly judged: number;
  readonly cannot_tell: Readonly<Record<CannotTell, number>>;
  /** How many calls were no person's own: made by sub-agents, and in sessions that a program began. */
  readonly made: Readonly<Record<CallOrigin, number>>;
  /** What would open comes first. */
  readonly changes: readonly ReplayChange[];
  /** Names what opens: the same as long as the same shapes open by the same rules. */
  readonly hash: string;
}

/** The report as programs read it. */
export function reportJson({ total, judged, cannot_tell, changes, hash }: ReplayReport): object {
  return {
    total,
    judged,
    cannot_tell,
    changes: changes.map(({ from, to, cause, count, sessions, example, rule }) => ({
      from,
      to,
      cause,
      count,
      sessions,
      example,
      rule,
    })),
    hash,
  };
}

/** Whether less is forbidden than before. */
export function opens({ from, to }: Pick<ReplayChange, "from" | "to">): boolean {
  return STRICTNESS[to] < STRICTNESS[from];
}

/** What a change of policy opens; drift is not its fault. */
export function openings(changes: readonly ReplayChange[]): ReplayChange[] {
  return changes.filter((one) => one.cause === "change" && opens(one));
}

/** Changes before drift, what opens before what shuts, then by how often. */
export function inOrder(changes: readonly ReplayChange[]): ReplayChange[] {
  return changes.toSorted(
    (one, other) =>
      CAUSES.indexOf(one.cause) - CAUSES.indexOf(other.cause) ||
      rank(one) - rank(other) ||
      other.count - one.count ||
      compare(one.shape, other.shape) ||
      compare(one.said, other.said) ||
      compare(one.example.time, other.example.time),
  );
}

function rank({ from, to }: ReplayChange): number {
  const at = OPENINGS.indexOf(`${from}>${to}`);
  return at < 0 ? OPENINGS.length + STRICTNESS.deny - STRICTNESS[to] : at;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Sixteen digits that name what opens. */
export function hashOf(changes: readonly ReplayChange[]): string {
  const named = openings(changes).map(({ from, to, shape, said }) => [from, to, shape, said].join("\t"));
  return sha256Text(named.sort().join("\n")).slice(0, HASH_DIGITS);
}

const CAUSES: readonly ReplayChange["cause"][] = ["change", "drift"];
const OPENINGS: readonly string[] = [
  "deny>continue",
  "ask>continue",
  "modify>continue",
  "deny>ask",
  "deny>modify",
  "ask>modify",
];
const HASH_DIGITS = 16;
