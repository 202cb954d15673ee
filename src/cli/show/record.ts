import { whyNotLifted } from "../../approvals/asked-call.ts";
import { backgroundNote } from "../../decide/journal.ts";
import { toJsonText } from "../../event/json.ts";
import type { ExplainedResult } from "../../explain/explain-call.ts";
import { explanationText } from "../../rule/explain.ts";
import type { DecisionRecord, ResultRecord } from "../../trace/record.ts";
import { changedFields, isOutputChange, recordedInput } from "../../trace/recorded-event.ts";
import { shortPath } from "../configuration.ts";
import type { Io } from "../io.ts";
import { reasonsText, remedyApart } from "./decision.ts";
import { localTime, pastOf } from "./log-line.ts";
import { columns, oneLine, type Paint, paintFor, visible } from "./terminal-text.ts";

/** A past decision for a person: what happened, the answer of each hook and why, and the decision. */
export function showRecord(
  record: DecisionRecord,
  explained: readonly ExplainedResult[],
  io: Io,
  background?: DecisionRecord,
): string[] {
  const paint = paintFor(io);
  const left = [...explained];
  const quiet = Object.keys(record.quiet ?? {}).length;
  const hooks = record.results.flatMap((result) => {
    const at = left.findIndex(({ hook }) => hook === result.hook);
    const now = at < 0 ? undefined : left.splice(at, 1)[0];
    return ["", ...resultLines(result, now, paint, io, isSaid(result, record))];
  });
  return [
    `${paint.strong(record.id)}  ${verdict(record, paint)}`,
    ...facts(record, io).map((line) => `  ${line}`),
    ...changes(record, paint, io),
    ...hooks,
    ...(quiet === 0 ? [] : ["", paint.dim(`  continue  ${quiet} guards`)]),
    ...(record.results.length + quiet === 0 && background === undefined ? ["", paint.dim("  no hook ran")] : []),
    ...behind(background, paint, io),
    ...remarks(record, background),
    ...way(record),
  ];
}

/** Whether the record already contains a hook's message: in its first line, or in the answer to the agent. */
function isSaid({ reason = "" }: ResultRecord, { reasons, contexts = [] }: DecisionRecord): boolean {
  return reasons.includes(reason) || contexts.includes(reason);
}

/** What `async` hooks did. */
function behind(background: DecisionRecord | undefined, paint: Paint, io: Io): string[] {
  if (background === undefined) return [];
  const { id, results } = background;
  return ["", `  in the background (${id}):`, ...results.flatMap((one) => resultLines(one, undefined, paint, io))];
}

/** What a person can do about an objection to a call, where it may be lifted. */
function way({ id, call, action, results }: DecisionRecord): string[] {
  const objecting = results.filter((result) => result.action === action);
  const isFirm = objecting.length === 0 || objecting.some((one) => isFirmResult(one, action));
  if (call === undefined || isFirm) return [];
  const isGuards = objecting.every(({ hook, file }) => file === undefined && hook.startsWith("guard:"));
  const always = isGuards ? `; \`sluice allow ${id}\` makes it an exception` : "";
  return [
    "",
    `  To let exactly this call pass once, run \`sluice allow-once ${id}\` in a terminal of your own${always}.`,
  ];
}

function isFirmResult({ hook, layer, code }: ResultRecord, action: string): boolean {
  return whyNotLifted({ hook: { name: hook, layer }, code }, action) !== undefined;
}

function verdict(record: DecisionRecord, paint: Paint): string {
  if (record.background) return paint.dim(`${BACKGROUND}  async hooks of a call; the call did not wait for them`);
  const reasons = visible(remedyApart(reasonsOf(record)));
  return [painted(record.action, paint), reasons].filter(Boolean).join(reasons.startsWith("- ") ? "\n" : "  ");
}

function reasonsOf({ action, reasons, results }: DecisionRecord): string {
  return reasonsText(action, reasons, results);
}

function facts(record: DecisionRecord, io: Io): string[] {
  const input = inputText(record);
  const rows: (readonly [string, string | undefined])[] = [
    ["event", [record.event || record.kind, record.tool].filter(Boolean).join("  ")],
    ["input", input === "" ? undefined : oneLine(input, Math.max(60, io.width - 12))],
    ["when", localTime(record.time)],
    ["agent", record.agent],
    ["session", record.session_id],
    ["folder", record.cwd === undefined ? undefined : shortPath(record.cwd, io)],
    ["took", duration(record.duration_ms)],
  ];
  return columns(rows.flatMap(([name, value]) => (value ? [[name, visible(value)]] : [])));
}

/** What was asked for: the tool's input, the prompt, or all data. */
function inputText(record: DecisionRecord): string {
  const before = recordedInput(record);
  return before === undefined ? "" : typeof before === "string" ? before : toJsonText(before);
}

function changes(record: DecisionRecord, paint: Paint, io: Io): string[] {
  const most = Math.max(60, io.width - 12);
  const lines = changedFields(record).flatMap(({ field, before: old, after: now }) => {
    const name = field === "" ? "" : `${visible(field)}: `;
    return [
      ...(old === undefined ? [] : [paint.bad(`    - ${name}${oneLine(toJsonText(old), most)}`)]),
      ...(now === undefined ? [] : [paint.good(`    + ${name}${oneLine(toJsonText(now), most)}`)]),
    ];
  });
  const what = isOutputChange(record) ? "result" : "input";
  return lines.length === 0 ? [] : ["", `  hooks changed the ${what}:`, ...lines];
}

function resultLines(
  result: ResultRecord,
  now: ExplainedResult | undefined,
  paint: Paint,
  io: Io,
  isToldAbove = false,
): string[] {
  const where = result.file === undefined ? "" : shortPath(result.file, io) + (result.line ? `:${result.line}` : "");
  const said = result.monitor ? `would have ${pastOf(result.monitor)} (monitor)` : result.async ? "async" : undefined;
  const about = [result.kind, where, result.layer, duration(result.duration_ms)].filter(Boolean).join("  ");
  return [
    `  ${said === undefined ? painted(result.action, paint) : paint.dim(said)}  ${paint.strong(visible(result.hook))}  ${paint.dim(visible(about))}`,
    ...indented(isToldAbove ? undefined : result.reason),
    ...indented(result.failure && failedAs(result)),
    ...(now === undefined ? [] : explanation(now, paint)),
  ];
}

/** How a run failed, unless its reason already contains that. */
function failedAs({ failure, error = "gave no reason", reason = "" }: ResultRecord): string {
  return reason.includes(error) ? `failed (${failure})` : `failed (${failure}): it ${error}`;
}

/** Of a guard's rules only those that match: a guard has dozens. */
function shownOf({ hook }: ExplainedResult): (rule: { readonly matched: boolean }) => boolean {
  return ({ matched }) => matched || !hook.startsWith("guard:");
}

function explanation(now: ExplainedResult, paint: Paint): string[] {
  switch (now.since) {
    case "gone":
      return [paint.dim("    This hook is no longer there, so its rules cannot be shown.")];
    case "changed":
      return [paint.dim("    This hook was changed since, so its rules now are not those of then.")];
    case "unchanged":
      return [
        ...(now.rules ? indented(explanationText(now.rules, shownOf(now)).trimEnd()) : []),
        ...(now.caution ? [paint.dim(`    ${now.caution}`)] : []),
      ];
  }
}

function remarks(
  { notes = [], contexts = [], problems = [], fitted }: DecisionRecord,
  background: DecisionRecord | undefined,
): string[] {
  const shown = background && backgroundNote(background.id);
  const lines = [
    ...(fitted ? [`answered the agent with ${fitted.action} instead: ${fitted.note}`] : []),
    ...notes.filter((note) => note !== shown && !fitted?.note.includes(note)),
    ...contexts.map((context) => `message for the agent: ${context}`),
    ...problems,
  ];
  return lines.length === 0 ? [] : ["", ...lines.flatMap((line) => indented(line, "  "))];
}

function indented(text: string | undefined, indent = "    "): string[] {
  return text
    ? visible(text)
        .split("\n")
        .map((line) => indent + line)
    : [];
}

function painted(action: string, paint: Paint): string {
  const [word, colour] = Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? []) : [];
  return word === undefined || colour === undefined ? visible(action) : paint[colour](word);
}

function duration(ms: number): string {
  return `${ms < 10 ? Number(ms).toFixed(1) : Math.round(ms)} ms`;
}

const ACTIONS: Readonly<Record<string, readonly [string, keyof Paint]>> = {
  continue: ["continue", "good"],
  modify: ["modify", "warn"],
  ask: ["ask", "warn"],
  deny: ["deny", "bad"],
};
const BACKGROUND = "background";
