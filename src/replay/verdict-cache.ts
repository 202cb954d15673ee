import { SELF_PROTECTION_HOOK } from "../decide/decide-recorded.ts";
import type { RecordedPolicy } from "../decide/recorded-policy.ts";
import { STRICTNESS } from "../decision/result.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { RecentMap } from "./recent-map.ts";
import type { CallVerdicts, ReplayCall } from "./replay-call.ts";
import type { ReplaySession } from "./session.ts";

/** The older policy and the newer ones, as they hold for one project. */
export interface ReplayPolicies {
  readonly before: RecordedPolicy | undefined;
  readonly afters: readonly RecordedPolicy[];
}

/** One verdict for all calls with the same input, if the policies look at nothing else. */
export class VerdictCache {
  readonly #known = new RecentMap<string, CallVerdicts>(MAX_KNOWN);
  readonly #questions = new RecentMap<string, Questions>(MAX_PROJECTS);
  #last: { readonly call: ReplayCall; readonly key: string | undefined } | undefined;

  find(
    call: ReplayCall,
    root: string,
    policies: ReplayPolicies,
    sessions: readonly ReplaySession[],
  ): CallVerdicts | undefined {
    const isCalm = sessions.every((session) => session.deniedBefore(call).length === 0);
    const key = isCalm ? this.#keyOf(call, root, policies) : undefined;
    this.#last = { call, key };
    return key === undefined ? undefined : this.#known.get(key);
  }

  keep(call: ReplayCall, verdicts: CallVerdicts): void {
    if (this.#last?.call === call && this.#last.key !== undefined) this.#known.set(this.#last.key, verdicts);
  }

  /** Undefined if the verdict may depend on more than the input and the record of the call. */
  #keyOf(call: ReplayCall, root: string, policies: ReplayPolicies): string | undefined {
    const { ignored, usesRecord } = this.#questionsOf(root, policies);
    if (ignored === undefined) return undefined;
    const { type, toolName, cwd, data } = call.event;
    const wasStopped = STRICTNESS[call.recorded] >= STRICTNESS.ask;
    // What self-protection decided is taken from the record.
    const guarded = call.results.find(({ hook }) => hook === SELF_PROTECTION_HOOK.name)?.action;
    const about = [
      call.agent,
      call.isKept,
      wasStopped,
      policies.before ? "" : call.recorded,
      call.policy === undefined,
      guarded,
    ];
    const isRemoved = call.redacted.length > 0 || call.cut.length > 0;
    try {
      const record = isRemoved || usesRecord ? recordedPart(call) : "";
      const input = JSON.stringify(data, (name, value) => (ignored.includes(name) ? undefined : value));
      const key = `${[type, toolName, cwd, call.root, ...about, record].join("\0")}\0${input}`;
      return key.length <= MAX_KEY ? key : sha256Text(key);
    } catch {
      return undefined;
    }
  }

  /** The fields that differ from call to call and that no rule asks about, and whether a verdict may need recorded answers. */
  #questionsOf(root: string, { before, afters }: ReplayPolicies): Questions {
    const known = this.#questions.get(root);
    if (known !== undefined) return known;
    const policies = before === undefined ? afters : [before, ...afters];
    const text = policies.map((policy) => policy.text).join("\n");
    const isPure = policies.every(isStateless) && !WHOLE_EVENT.test(text);
    const found = {
      ignored: isPure ? VOLATILE.filter((name) => !text.includes(name)) : undefined,
      usesRecord: policies.some(({ known: hooks }) => [...hooks.values()].some(({ isRule }) => !isRule)),
    };
    this.#questions.set(root, found);
    return found;
  }
}

interface Questions {
  readonly ignored: readonly string[] | undefined;
  readonly usesRecord: boolean;
}

/** What a verdict takes from the record where the input is not whole, or a hook is not run: everything but times. */
function recordedPart({ recorded, policy, input, redacted, cut, results }: ReplayCall): string {
  const answers = results.map(({ duration_ms: _, ...result }) => result);
  return JSON.stringify([recorded, policy, input, redacted, cut, answers]);
}

/** Whether a policy looks at a call and its record alone: no question about the past, no intents. */
export function isStateless({ asksAboutPast, configuration }: RecordedPolicy): boolean {
  return !asksAboutPast && configuration.settings.intents.mode === "off";
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
const MAX_KNOWN = 20_000;
const MAX_PROJECTS = 1_000;
/** Longer keys are kept as their hash: contents of files would fill the memory. */
const MAX_KEY = 300;
