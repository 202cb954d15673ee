import type { Reply } from "../adapters/adapter.ts";
import { fitDecision } from "../adapters/fit.ts";
import { type AgentCall, type Native, type ReadCall, readCall } from "../adapters/read-call.ts";
import { eventSpec } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { once } from "../event/once.ts";
import { WorkBudget } from "../event/work-budget.ts";
import { errorText } from "../problem/problem.ts";
import { withoutControls } from "../problem/visible-text.ts";
import { untoldTampering } from "../trace/tampering.ts";
import { untoldNotices } from "../trace/told-notices.ts";
import { type Caller, contextFor } from "./caller.ts";
import { type Decided, type JournalRecord, type Printed, Undecided } from "./context.ts";
import { decide } from "./decide.ts";
import { recordFailure } from "./journal.ts";
import { twoLines } from "./two-lines.ts";

export type { Printed } from "./context.ts";

/** Decides the event of an agent's call. */
export type DecideCall = (
  event: HookEvent,
  native: Native,
  call: AgentCall,
  caller: Caller,
  budget: WorkBudget,
) => Promise<Decided>;

/** Takes one call of an agent from its payload to its answer. Whatever breaks on the way, a gate stays shut. */
export async function answer(call: AgentCall, caller: Caller, decideIt: DecideCall = decideCall): Promise<Printed> {
  const budget = new WorkBudget();
  const read = readCall(call);
  if (read.kind !== "event") await caller.begin?.();
  switch (read.kind) {
    case "nothing":
      recordFailure(read, read.why, caller);
      return { stdout: "", stderr: `${read.why}\n`, exitCode: 2 };
    case "unknown hook event":
      recordFailure(read, `${read.adapter.title} does not have a hook event "${read.name}"`, caller);
      return QUIET;
    case "unreadable":
      return refused(read, `the payload of ${read.native.name} cannot be read: ${read.why}`, caller);
    case "event": {
      const { event, native } = read;
      const decideHere = async () => {
        try {
          return encoded(await decideIt(event, native, call, caller, budget), native, caller);
        } catch (error) {
          if (error instanceof Undecided) throw error;
          await caller.begin?.();
          return refused(read, `the hooks broke: ${errorText(error)}`, caller);
        }
      };
      const lines = decideIt === decideCall ? twoLines(native, event, caller) : undefined;
      if (lines === undefined) return decideHere();
      const { decideOnce } = await loadDecideOnce();
      return decideOnce({
        call,
        native,
        caller,
        lines,
        decide: decideHere,
        refuse: (why) => refused(read, why, caller),
      });
    }
  }
}

/** Loaded with the first call that may come twice. */
const loadDecideOnce = once(() => import("./decide-once.ts"));

/** Decides a call with the configuration of the project that it is about. */
async function decideCall(
  event: HookEvent,
  native: Native,
  call: AgentCall,
  caller: Caller,
  budget: WorkBudget,
): Promise<Decided> {
  return decide(event, await contextFor(event, native, call, caller, budget));
}

function encoded({ decision, told, fitted, record }: Decided, native: Native, { env }: Caller): Printed {
  const { adapter, hookEvent, payload } = native;
  const { outcome, unstopped } = fitted ?? fitDecision(decision, hookEvent, adapter.title, payload);
  const isObjection = outcome.action === "deny" || outcome.action === "ask";
  const named = {
    ...outcome,
    reason: withoutControls(isObjection ? withId(outcome.reason, record) : outcome.reason),
    context: withoutControls(outcome.context),
    ...(outcome.feedback === undefined ? {} : { feedback: withoutControls(withId(outcome.feedback, record)) }),
  };
  const reply = hookEvent.encode(named, payload);
  // Where a session begins, or its model has been given them, they are not repeated with every call.
  const { notices: fresh, told: given } = untoldNotices(decision.event.sessionId, told, env);
  if (hookEvent.as === "session:start" || hookEvent.can.includes("context")) given();
  const notices = record !== undefined && "lost" in record ? [...fresh, record.lost.format()] : fresh;
  const found = [...new Set(untoldTampering(decision.event.sessionId, env).map(({ what }) => what))];
  const passed = unstopped === undefined ? [] : [`${unstopped}. A hook denied it: ${named.reason}`];
  const urgent = [...found, ...passed, ...brokenHooks(decision)];
  const all = [...urgent, ...notices];
  return printed(
    all.length === 0 ? reply : withNotices(reply, withoutControls(all.join("\n")), native, urgent.length > 0),
  );
}

/** The hooks that failed without an effect on the decision, because of their `on_error`; at a gate the call passes without them. */
function brokenHooks({ event, results }: Decided["decision"]): string[] {
  if (!results.some(({ failure }) => failure !== undefined)) return [];
  const went = eventSpec(event.type).gate ? ", and the call went on without it" : "";
  const passed = results.filter(
    ({ hook, action, failure }) => failure !== undefined && action === "continue" && hook.mode !== "monitor",
  );
  const told = passed
    .slice(0, MAX_BROKEN)
    .map(({ hook, error = "" }) => `The hook ${hook.name} broke${went} (on_error: continue): ${error}`);
  const more = passed.length - told.length;
  return more > 0 ? [...told, `${more} more hooks broke likewise; \`sluice why\` shows them all.`] : told;
}

/** An agent's user reads a few. */
const MAX_BROKEN = 10;

function withId(reason: string, record: JournalRecord | undefined): string {
  if (record === undefined || !("id" in record) || record.id === "") return reason;
  // A command at the end of a reason is copied from there.
  const gap = reason.includes("\n") || reason.includes("Do instead: ") ? "\n" : " ";
  return `${reason}${gap}(why: sluice why ${record.id})`;
}

/** The user is notified once: at the start of a session, or at once if it is urgent, if the agent shows it; otherwise on standard error. */
function withNotices(reply: Reply, notices: string, { adapter, hookEvent }: Native, isUrgent: boolean): Reply {
  const stderr = [reply.stderr, notices].filter(Boolean).join("\n");
  const { messageKey } = adapter;
  const { stdout = {} } = reply;
  const isShown = isUrgent || hookEvent.as === "session:start";
  if (messageKey === undefined || !isShown || typeof stdout === "string") return { ...reply, stderr };
  const shown = Object(stdout)[messageKey];
  const message = typeof shown === "string" && shown !== "" ? `${shown}\n\n${notices}` : notices;
  return { ...reply, stderr, stdout: { ...stdout, [messageKey]: message } };
}

/** A call that cannot be decided is denied, in the agent's own format; if it cannot be stopped, the user is notified. */
function refused(read: Extract<ReadCall, { native: Native }>, why: string, caller: Caller): Printed {
  const { hookEvent, payload } = read.native;
  const reason = withId(why, recordFailure(read, why, caller));
  const { gate, keepsWorking = false } = eventSpec(hookEvent.as);
  const action = gate && !keepsWorking ? "deny" : "continue";
  // Some agents want an answer in every case; an agent that cannot carry the reason shows standard error instead.
  return printed({ stderr: reason, ...hookEvent.encode({ action, reason, context: "", approved: false }, payload) });
}

function printed({ stdout = "", stderr = "", exitCode = 0 }: Reply): Printed {
  const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
  return { stdout: text && `${text}\n`, stderr: stderr && `${stderr}\n`, exitCode };
}

const QUIET: Printed = { stdout: "", stderr: "", exitCode: 0 };
