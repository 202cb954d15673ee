import type { ReadCall } from "../adapters/read-call.ts";
import { inputHash } from "../approvals/asked-call.ts";
import { STRICTNESS } from "../decision/result.ts";
import { milliseconds } from "../event/clock.ts";
import { newId } from "../trace/fingerprint.ts";
import { type RememberedRecord, remember, rememberHookEvent } from "../trace/remember.ts";
import type { DecideContext, Decided, JournalContext, JournalRecord } from "./context.ts";
import { policyHash } from "./policy-hash.ts";
import type { ProcessEnvironment } from "./project.ts";

/**
 * Writes a decision into the journal, where it is redacted. A daemon does so after the answer, as soon as its journal has taken a
 * record: an objection names its record by an id that is made before. Once a record was lost that way, the next calls wait for theirs.
 */
export function recordCall(decided: Decided, context: DecideContext): Decided | Promise<Decided> {
  const { project, isDry = false, journal = {}, begin } = context;
  if (project === undefined || isDry) return decided;
  if (journal.waitsForBackground && decided.background === undefined)
    return context.executor.idle().then((background) => recordCall({ ...decided, background }, context));
  const fitted = journal.fit?.(decided.decision);
  const { action } = fitted?.outcome ?? decided.decision;
  const isObjection = STRICTNESS[action] >= STRICTNESS.ask || fitted?.outcome.feedback !== undefined;
  const whole = { ...decided, fitted };
  const { afterwards } = journal;
  const isWaiting = journalState === "loses" || (isObjection && journalState !== "takes");
  if (begin !== undefined && isWaiting)
    return begin().then(() => ({ ...whole, record: record(whole, context, journal) }));
  if (isWaiting || afterwards === undefined) return { ...whole, record: record(whole, context, journal) };
  const took = milliseconds() - (journal.began ?? milliseconds());
  const id = isObjection ? newId() : undefined;
  afterwards(() => record(whole, context, { ...journal, began: milliseconds() - took }, id));
  return { ...whole, record: id === undefined ? UNNAMED : { id } };
}

/** Whether the last record of this process was written. */
let journalState: "untried" | "takes" | "loses" = "untried";
const UNNAMED: JournalRecord = { id: "" };

function record(decided: Decided, context: DecideContext, journal: JournalContext, id?: string): JournalRecord {
  journalState = "loses";
  const kept = recordOf(written(decided, context, journal, id));
  journalState = "lost" in kept ? "loses" : "takes";
  return kept;
}

function written(
  { decision, fitted, told, background: results }: Decided,
  { env, root, project }: DecideContext,
  journal: JournalContext,
  id: string | undefined,
): RememberedRecord {
  const { began, agent, background, isDaemon = false, isFired = false } = journal;
  const { event } = decision;
  const notes = fitted?.notes ?? [];
  const { action } = fitted?.outcome ?? decision;
  const isObjection = STRICTNESS[action] >= STRICTNESS.ask;
  return remember(decision, {
    id,
    env,
    root,
    ...(agent === undefined ? {} : { agent }),
    ...(began === undefined ? {} : { durationMs: milliseconds() - began }),
    notes: background === undefined ? notes : [...notes, backgroundNote(background)],
    fitted: action === decision.action ? undefined : { action, note: notes.join("; ") },
    ...(fitted?.unstopped === undefined ? {} : { told: "continue" }),
    problems: told,
    ...(results === undefined ? {} : { background: results }),
    isResident: isDaemon,
    isFired,
    policy: project && policyHash(project),
    limits: project?.settings.journal,
    call: isObjection && event.type === "tool:pre_execute" ? inputHash(decision) : undefined,
  });
}

/** The note in the record of a call about hooks that continue in the background. */
export function backgroundNote(id: string): string {
  return `\`async\` hooks went on in the background; \`sluice why ${id}\` shows what became of them.`;
}

/** Writes down a call that came to no decision, and why. */
export function recordFailure(
  call: ReadCall,
  why: string,
  { cwd, env }: { readonly cwd: string; readonly env: ProcessEnvironment },
): JournalRecord {
  return recordOf(failed(call, why, cwd, env));
}

function failed(call: ReadCall, why: string, cwd: string, env: ProcessEnvironment): RememberedRecord {
  switch (call.kind) {
    case "nothing":
      return rememberHookEvent({ env, cwd, kind: "unreadable", action: "deny", reasons: [why] });
    case "unknown hook event": {
      const { adapter, name, payload } = call;
      const about = { agent: adapter.id, event: name, payload };
      return rememberHookEvent({ env, cwd, kind: "unknown_moment", action: "continue", notes: [why], ...about });
    }
    case "event":
    case "unreadable": {
      const { adapter, name, payload } = call.native;
      const about = { agent: adapter.id, event: name, payload };
      return rememberHookEvent({ env, cwd, kind: "unreadable", action: "deny", reasons: [why], ...about });
    }
  }
}

function recordOf({ id, problem }: RememberedRecord): JournalRecord {
  return problem === undefined ? { id } : { lost: problem };
}
