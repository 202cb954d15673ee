import { toldAction, wouldHave } from "../trace/outcome.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { recordedText } from "../trace/recorded-event.ts";
import type { SourceRecord } from "./call-source.ts";
import type { CallRow } from "./wire.ts";

/** The short form of a record, as the timeline lists it. */
export function callRow(record: SourceRecord): CallRow {
  const { id, time, agent, session_id, root, cwd, event, tool, results, duration_ms, kept } = record;
  const parent = parentOf(record);
  const would = wouldHave(record);
  const hooks = results.filter(isTelling).map(({ hook }) => hook);
  const project = root ?? cwd;
  return {
    id,
    at: Date.parse(time),
    ...(record.machine !== undefined && { machine: record.machine }),
    ...(agent !== undefined && { agent }),
    ...(session_id !== undefined && { session: session_id }),
    ...(parent !== undefined && { parent }),
    ...(project !== undefined && { root: project }),
    event: event || record.kind,
    ...(tool !== undefined && { tool }),
    action: record.background ? "background" : toldAction(record),
    ...(would !== undefined && { would }),
    ms: duration_ms,
    ...(hooks.length > 0 && { hooks }),
    text: oneLine(inProject(recordedText(record), project)),
    ...(results.some(({ failure }) => failure !== undefined) && { failed: true }),
    ...(kept !== undefined && { kept: true }),
    ...(record.reasons[0]?.startsWith("STALE_WRITE") && { stale: true }),
  };
}

/** Whether a call was stopped, or its user was asked: such rows are kept longer than others. */
export function isObjection({ action }: Pick<CallRow, "action">): boolean {
  return action === "deny" || action === "ask";
}

function isTelling({ action, monitor, failure }: DecisionRecord["results"][number]): boolean {
  return action !== "continue" || failure !== undefined || (monitor !== undefined && monitor !== "continue");
}

/** The session that started this one, where the agent tells it. */
function parentOf(record: DecisionRecord): string | undefined {
  const { parent_session: parent } = record as { readonly parent_session?: unknown };
  return typeof parent === "string" ? parent : undefined;
}

/** A path in the project as it is seen from there. */
function inProject(text: string, root: string | undefined): string {
  return root !== undefined && text.startsWith(`${root}/`) ? text.slice(root.length + 1) : text;
}

function oneLine(text: string): string {
  const line = text
    .slice(0, MOST * 2)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}

const MOST = 180;
