import { type Action, STRICTNESS } from "../decision/result.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import type { CallOrigin, CannotTell } from "./replay-call.ts";

/** What decided about calls: a hook and its place; a built-in guard is in no file. */
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
  /** `change`: the two policies differ. `drift`: the older policy decides otherwise now than was recorded. */
  readonly cause: "change" | "drift";
  readonly count: number;
  /** How many sessions made such calls. */
  readonly sessions: number;
  readonly example: ReplayExample;
  /** What said the stricter of the two. */
  readonly rule: ReplayRule | null;
  /** The same with the rule of a built-in guard. */
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
  /** How many calls were not a person's own: made by sub-agents, and in sessions that a program began. */
  readonly made: Readonly<Record<CallOrigin, number>>;
  /** What would open comes first. */
  readonly changes: readonly ReplayChange[];
  /** Names what opens: the same as long as the same shapes open by the same rules. */
  readonly hash: string;
  /** The policies that judged the calls as the newer one, each with the number of its calls. */
  readonly policies: readonly ReplayPolicyCount[];
  /** Whether both policies could be read whole, and every call was looked at. */
  readonly isWhole: boolean;
}

/** A policy, where it was read, and how many calls it judged. */
interface ReplayPolicyCount {
  readonly hash: string;
  /** The name of the newer policy as the headline gives it; the folder of any other policy. */
  readonly from: string;
  /** Whether it is the policy that the headline names. */
  readonly isNamed: boolean;
  readonly calls: number;
}

/** What a report without any change comes to; undefined for a report that has changes or no call. */
export function unchangedText(report: ReplayReport): string | undefined {
  const { total, judged, changes, isWhole } = report;
  if (total === 0 || changes.length > 0) return undefined;
  const others = total - callsOfNamed(report);
  const limits = [
    ...(judged < total ? [`${total - judged} of ${total} calls cannot be judged`] : []),
    ...(others > 0 ? [`${others} of ${total} calls were judged by other policies than the named ones`] : []),
    ...(isWhole ? [] : ["a policy could not be read whole"]),
  ];
  if (limits.length === 0) return "Nothing would be decided otherwise.";
  return `No difference was found, but ${limits.join(", and ")}.`;
}

/** The policies that judged calls although the headline does not name them, one line each. */
export function otherPolicyLines({ policies }: Pick<ReplayReport, "policies">): string[] {
  return policies
    .filter(({ isNamed }) => !isNamed)
    .map(
      ({ hash, from, calls }) => `${calls} ${calls === 1 ? "call" : "calls"} judged by the policy of ${from} (${hash})`,
    );
}

function callsOfNamed({ policies }: ReplayReport): number {
  return policies.filter(({ isNamed }) => isNamed).reduce((sum, { calls }) => sum + calls, 0);
}

/** The report as programs read it. */
export function reportJson({ total, judged, cannot_tell, changes, hash, policies }: ReplayReport): object {
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
    policies: policies.map(({ hash: own, from, calls }) => ({ hash: own, from, calls })),
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
