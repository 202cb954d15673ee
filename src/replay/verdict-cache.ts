import { SELF_PROTECTION_HOOK } from "../decide/decide-recorded.ts";
import type { RecordedPolicy } from "../decide/recorded-policy.ts";
import { STRICTNESS } from "../decision/result.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { RecentMap } from "./recent-map.ts";
import type { BothVerdicts, ReplayCall } from "./replay-call.ts";
import type { ReplaySession } from "./session.ts";

interface BothPolicies {
  readonly before: RecordedPolicy | undefined;
  readonly after: RecordedPolicy;
}

/** One verdict for all calls with the same input, where nothing looks at anything else. */
export class VerdictCache {
  readonly #known = new RecentMap<string, BothVerdicts>(MOST_KNOWN);
  readonly #ignored = new WeakMap<RecordedPolicy, Map<RecordedPolicy | undefined, readonly string[] | undefined>>();
  #last: { readonly call: ReplayCall; readonly key: string | undefined } | undefined;

  find(
    call: ReplayCall,
    policies: BothPolicies,
    sessions: Readonly<Record<"before" | "after", ReplaySession>>,
  ): BothVerdicts | undefined {
    const isCalm = [sessions.before, sessions.after].every((session) => session.deniedBefore(call).length === 0);
    const key = isCalm ? this.#keyOf(call, policies) : undefined;
    this.#last = { call, key };
    return key === undefined ? undefined : this.#known.get(key);
  }

  keep(call: ReplayCall, policies: BothPolicies, verdicts: BothVerdicts): void {
    const { key } = this.#last?.call === call ? this.#last : { key: this.#keyOf(call, policies) };
    if (key !== undefined) this.#known.set(key, verdicts);
  }

  /** Nothing where the verdict may depend on more than the input. */
  #keyOf(call: ReplayCall, { before, after }: BothPolicies): string | undefined {
    if (call.redacted.length > 0 || call.cut.length > 0) return undefined;
    const ignored = this.#ignoredBy(before, after);
    if (ignored === undefined) return undefined;
    const { type, toolName, cwd, data } = call.event;
    const wasStopped = STRICTNESS[call.recorded] >= STRICTNESS.ask;
    // What self-protection said is taken from the record.
    const guarded = call.results.find(({ hook }) => hook === SELF_PROTECTION_HOOK.name)?.action;
    const about = [
      call.agent,
      call.isKept,
      wasStopped,
      before ? "" : call.recorded,
      call.policy === undefined,
      guarded,
    ];
    const stands = [type, toolName, cwd, call.root, ...about];
    try {
      const input = JSON.stringify(data, (name, value) => (ignored.includes(name) ? undefined : value));
      const key = `${stands.join("\0")}\0${input}`;
      return key.length <= LONGEST_KEY ? key : sha256Text(key);
    } catch {
      return undefined;
    }
  }

  /** The fields that differ from call to call, and that no rule of the policies asks about. */
  #ignoredBy(before: RecordedPolicy | undefined, after: RecordedPolicy): readonly string[] | undefined {
    const known = this.#ignored.get(after) ?? new Map<RecordedPolicy | undefined, readonly string[] | undefined>();
    this.#ignored.set(after, known);
    if (known.has(before)) return known.get(before);
    const policies = before === undefined ? [after] : [before, after];
    const text = policies.map((policy) => policy.text).join("\n");
    const isPure = policies.every(isStateless) && !WHOLE_EVENT.test(text);
    const ignored = isPure ? VOLATILE.filter((name) => !text.includes(name)) : undefined;
    known.set(before, ignored);
    return ignored;
  }
}

/** Whether a policy looks at a call alone: no hook that runs, no question about the past, no intents. */
function isStateless({ known, asksAboutPast, configuration }: RecordedPolicy): boolean {
  return (
    !asksAboutPast && configuration.settings.intents.mode === "off" && [...known.values()].every(({ isRule }) => isRule)
  );
}

/** Rules that ask about the session, the time, or all fields at once. */
const WHOLE_EVENT = /\b(?:session_id|timestamp|session_minutes|data)\b|\.\*/;
/** What agents give every call anew. */
const VOLATILE: readonly string[] = [
  "tool_use_id",
  "tool_call_id",
  "call_id",
  "prompt_id",
  "turn_id",
  "message_id",
  "transcript_path",
  "generation_id",
  "conversation_id",
  "execution_id",
];
const MOST_KNOWN = 4_000;
/** Longer keys are kept as their hash: contents of files would fill the memory. */
const LONGEST_KEY = 300;
