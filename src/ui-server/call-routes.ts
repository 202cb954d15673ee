import { jsonSafe } from "../event/json.ts";
import { explainAct, explainRecord } from "../explain/explain-call.ts";
import { boxById, stateOf } from "../policies/contain/box-store.ts";
import { readKept, undoFolder } from "../policies/undo/kept-call.ts";
import type { ConditionExplanation, RuleExplanation } from "../rule/explain.ts";
import { valueText } from "../rule/text.ts";
import { changesBackwards } from "../trace/change/read-changes.ts";
import { tracePaths } from "../trace/change/trace-paths.ts";
import { answeredAction, wouldHave } from "../trace/outcome.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { changedFields, isOutputChange, recordedEvent, recordedInput } from "../trace/recorded-event.ts";
import { mayPass } from "./call-shape.ts";
import type { SourceRecord } from "./call-source.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import type { CallDetail, WireCondition, WireResult, WireRule } from "./wire.ts";

/** What is known about one call, as `sluice why` reports it. */
export const showCall: UiRoute = async ({ query }, context) => {
  const record = await context.source.find(query.get("id") ?? "", Number(query.get("at") ?? Number.NaN));
  if (record === undefined) return refusedReply(404, "This call is no longer recorded.");
  const detail = await callDetail(record, context);
  return { json: { ...detail, ...keptOf(record, context) } };
};

/** What was kept of a call that no rule would have stopped: only the store of undo knows it. */
function keptOf(record: SourceRecord, { env }: UiContext): Pick<CallDetail, "kept"> {
  const id = callIdOf(record);
  if (record.kept !== undefined || id === undefined || record.machine !== undefined) return {};
  const kept = readKept(undoFolder(env)).find(
    (one) => one.call_id === id && one.session_id === record.session_id && one.state === "kept",
  );
  return kept === undefined ? {} : { kept: { id: kept.id, files: kept.files.length, bytes: kept.bytes } };
}

/** A record with what can be said about it today. */
export async function callDetail(
  record: SourceRecord,
  { env, hello }: Pick<UiContext, "env" | "hello">,
): Promise<CallDetail> {
  const explained = await explainRecord(record, { here: hello.root, env });
  const event = recordedEvent(record);
  const act = event === undefined ? undefined : explainAct(event);
  const would = wouldHave(record);
  const { agent, session_id, cwd, root, tool, kept, fitted, contexts = [], notes = [], problems = [] } = record;
  const { told } = record as { readonly told?: unknown };
  const changes = changedFields(record);
  const input = recordedInput(record);
  return {
    id: record.id,
    at: Date.parse(record.time),
    ...(record.machine !== undefined && { machine: record.machine }),
    ...(agent !== undefined && { agent }),
    ...(session_id !== undefined && { session: session_id }),
    ...(cwd !== undefined && { cwd }),
    ...(root !== undefined && { root }),
    event: record.event || record.kind,
    ...(tool !== undefined && { tool }),
    action: answeredAction(record),
    ...(would !== undefined && { would }),
    ms: record.duration_ms,
    reasons: record.reasons,
    ...(input !== undefined && { input }),
    changes,
    changed: isOutputChange(record) ? "result" : "input",
    ...(act !== undefined && { act: { commands: act.commands, effects: act.effects } }),
    results: resultsOf(record, explained),
    quiet: Object.keys(record.quiet ?? {}).length,
    told: [
      ...(fitted === undefined ? [] : [`${fitted.action} instead: ${fitted.note}`]),
      ...(told === undefined ? [] : [typeof told === "string" ? told : JSON.stringify(told)]),
      ...contexts,
    ],
    ...(kept !== undefined && { kept: { id: kept.id, files: kept.files, bytes: kept.bytes } }),
    ...(record.contained !== undefined && { contained: containedIn(record.contained, env) }),
    traced: tracedBy(record, env),
    notes: [...notes, ...problems],
    may: mayPass(record),
  };
}

function resultsOf({ results }: DecisionRecord, explained: Awaited<ReturnType<typeof explainRecord>>): WireResult[] {
  const left = [...explained];
  return results.map((result) => {
    const at = left.findIndex(({ hook }) => hook === result.hook);
    const now = at < 0 ? undefined : left.splice(at, 1)[0];
    const { fingerprint: _, exit_code: __, duration_ms, code: ___, async: ____, ...said } = result;
    return {
      ...said,
      ms: duration_ms,
      ...(now !== undefined && { since: now.since }),
      ...(now?.caution !== undefined && { caution: now.caution }),
      ...(now?.rules !== undefined && { rules: wireRules(now.rules) }),
    };
  });
}

/** The box of a call as it is now; boxes that hold nothing are forgotten after a week. */
function containedIn({ id, backend }: NonNullable<DecisionRecord["contained"]>, env: UiContext["env"]) {
  const box = boxById(id, env);
  const undo = box?.receipt?.kept;
  return { id, backend, state: box === undefined ? "done" : stateOf(box), ...(undo !== undefined && { undo }) };
}

/** The changes of the trace that belong to the same call. */
function tracedBy(record: DecisionRecord, env: UiContext["env"]): CallDetail["traced"] {
  const id = callIdOf(record);
  if (record.root === undefined || id === undefined) return [];
  const paths = tracePaths({ root: record.root, env });
  for (const change of changesBackwards(paths, MAX_CHANGES)) {
    if (change.tool_use_id !== id || change.session_id !== record.session_id) continue;
    return change.files.map((file) => ({
      path: file.relative_path,
      kind: file.mutation_class ?? change.mutation_class,
      ...(change.intent_id !== null && { intent: change.intent_id }),
    }));
  }
  return [];
}

function callIdOf({ event_json: recorded }: DecisionRecord): string | undefined {
  const { data } = Object(recorded) as { readonly data?: { readonly tool_use_id?: unknown } };
  return typeof data?.tool_use_id === "string" ? data.tool_use_id : undefined;
}

/** Rules beside a call, with every value as text. */
export function wireRules(rules: readonly RuleExplanation[]): WireRule[] {
  return rules.map(({ text, matched, decides, condition }) => ({
    text,
    matched,
    decides,
    condition: wireCondition(condition),
  }));
}

function wireCondition(condition: ConditionExplanation): WireCondition {
  const { kind, text, held } = condition;
  if (condition.kind !== "compare") return { kind, text, held, of: condition.of.map(wireCondition) };
  const values = [...condition.values]
    .sort((one, other) => Number(other.fits) - Number(one.fits))
    .slice(0, MAX_VALUES)
    .map(({ value, fits }) => ({ text: valueText(jsonSafe(value)).slice(0, MAX_VALUE), fits }));
  return { kind, text, held, values };
}

const MAX_VALUES = 12;
const MAX_VALUE = 500;

const MAX_CHANGES = 5000;
