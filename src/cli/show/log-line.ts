import { answeredAction, isFeedback, isUnstopped, wouldHave } from "../../trace/outcome.ts";
import type { DecisionRecord } from "../../trace/record.ts";
import { recordedText } from "../../trace/recorded-event.ts";
import type { Io } from "../io.ts";
import { reasonsText } from "./decision.ts";
import { oneLine, type Paint, paintFor, textWidth, visible } from "./terminal-text.ts";

/** One call of the past on one line, as wide as the terminal: when, its id, the agent, what it came to, the tool, the input, why. */
export function logLine(record: DecisionRecord, io: Pick<Io, "width" | "hasColour">): string {
  const paint = paintFor(io);
  const [outcome, colour] = outcomeOf(record);
  const head = [
    [io.width < NARROW ? shortTime(record.time) : localTime(record.time), paint.dim],
    [visible(record.id), paint.strong],
    ...(io.width < NARROWEST ? [] : [[visible(record.agent ?? "-").padEnd(AGENT), String] as const]),
    [outcome.padEnd(OUTCOME), paint[colour]],
    [oneLine(toolOf(record), io.width < NARROW ? SHORT_TOOL : TOOL), String],
  ] as const;
  const left = io.width - head.reduce((sum, [text]) => sum + text.length + GAP.length, 0);
  const why = whyOf(record);
  const input = oneLine(recordedText(record), why === "" ? left : Math.max(SHORTEST, Math.floor(left * INPUT_SHARE)));
  const shownWhy = left - textWidth(input) < SHORTEST ? "" : oneLine(why, left - textWidth(input) - GAP.length);
  return [...head.map(([text, painted]) => painted(text)), input, paint.dim(shownWhy)]
    .filter((cell) => cell !== "")
    .join(GAP);
}

/** A time in the time zone of the reader. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return visible(iso);
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
}

/** The same for a narrow terminal: of today the time, of other days the day and the minute. */
function shortTime(iso: string): string {
  const [day = "", time = ""] = localTime(iso).split(" ");
  return day === localTime(new Date().toISOString()).split(" ")[0]
    ? time
    : `${day.slice("2000-".length)} ${time.slice(0, "00:00".length)}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** The result of a call in short; or the result of hooks in monitor mode, if there is one. */
function outcomeOf(record: DecisionRecord): readonly [string, keyof Paint] {
  if (record.background) return ["background", "dim"];
  const told = answeredAction(record);
  const would = wouldHave(record);
  if (isUnstopped(record)) return ["unstopped", "bad"];
  if (told === "continue" && isFeedback(record)) return ["feedback", "warn"];
  if (told === "continue" && would !== undefined) return [`would ${would}`, "warn"];
  if (told === "continue" && isWarned(record)) return ["warn", "warn"];
  return [visible(told), told === "deny" ? "bad" : told === "continue" ? "good" : "warn"];
}

/** Whether a rule let the call pass with a message for the agent. */
function isWarned(record: DecisionRecord): boolean {
  return warnings(record).length > 0;
}

function warnings({ results, contexts = [] }: DecisionRecord): DecisionRecord["results"] {
  return results.filter(
    ({ kind, action, reason, monitor }) =>
      kind === "inline" &&
      action === "continue" &&
      monitor === undefined &&
      reason !== undefined &&
      contexts.includes(reason),
  );
}

/** The tool, with the event where it is not the one before a call; the event alone where no tool is at work. */
function toolOf({ event, kind, tool }: DecisionRecord): string {
  if (tool === undefined) return event || kind;
  return event === "tool:pre_execute" ? tool : `${tool} (${event.replace(/^tool:/, "")})`;
}

/** Why the call was decided like this: reasons, results of hooks in monitor mode, and failures. */
function whyOf(record: DecisionRecord): string {
  const { results } = record;
  const spoken = spokenBy(record);
  const feedback = isFeedback(record) ? results.filter((result) => result.action === "deny") : [];
  const watched = results.filter(({ monitor }) => monitor !== undefined && monitor !== "continue");
  const failed = results.filter(({ failure }) => failure !== undefined);
  return [
    spoken,
    ...feedback.map(({ hook, reason }) => named(hook, reason)),
    ...warnings(record).map(({ hook, reason }) => named(hook, reason)),
    ...watched.map(({ hook, monitor, reason }) => named(`${hook} would have ${pastOf(monitor)}`, reason)),
    ...failed.filter(({ hook }) => !spoken.includes(hook)).map(({ hook, failure }) => `${hook} failed (${failure})`),
  ]
    .filter((text, index, all) => text !== "" && all.indexOf(text) === index)
    .join("; ");
}

/** The reasons on one line, each with the name of its hook. */
function spokenBy({ results, reasons, action }: DecisionRecord): string {
  const text = reasonsText(action, reasons, results).replaceAll(LIST_ITEM, (_, before) => (before === "" ? "" : "; "));
  const [first, ...others] = results.filter((result) => result.action === action && action !== "continue");
  return first === undefined || others.length > 0 || text === "" || text.includes(first.hook)
    ? text
    : named(first.hook, text);
}

const LIST_ITEM = /(^|\n)- /g;

/** What a hook in monitor mode would have done: denied, asked, modified. */
export function pastOf(action = ""): string {
  return PAST[action] ?? action;
}

const PAST: Readonly<Record<string, string>> = {
  continue: "continued",
  modify: "modified",
  ask: "asked",
  deny: "denied",
};

function named(hook: string, reason: string | undefined): string {
  return reason ? `${hook}: ${reason}` : hook;
}

const GAP = "  ";
/** The longest id of an agent, and the longest outcome, so that lines that come one by one are aligned. */
const AGENT = 11;
const OUTCOME = 10;
const TOOL = 40;
const SHORT_TOOL = 16;
const SHORTEST = 12;
const INPUT_SHARE = 0.45;
/** Below these columns the date, and then the agent, would leave no room for what was called. */
const NARROW = 100;
const NARROWEST = 80;
