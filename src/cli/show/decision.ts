import { type Decision, reasonText, type SaidByHook } from "../../decision/decision.ts";
import { type Action, type HookResult, STRICTNESS } from "../../decision/result.ts";
import { dataField } from "../../event/field.ts";
import { toJsonText } from "../../event/json.ts";
import type { Hook } from "../../hook/hook.ts";
import { formatPlace } from "../../problem/problem.ts";
import { shortPath } from "../configuration.ts";
import type { Io } from "../io.ts";
import { hookCount } from "./hook-count.ts";
import { columns, oneLine, type Paint, paintFor, visible } from "./terminal-text.ts";

/** One call for a person: what happened, which hooks ran, how each answered, and the decision. */
export function showDecision(
  decision: Decision,
  background: readonly HookResult[],
  io: Io,
  skipped: readonly SkippedHook[] = [],
  senders = "",
): string[] {
  const paint = paintFor(io);
  const all = [...decision.results, ...background];
  const results = all.filter((result) => !isQuietGuard(result));
  const quiet = all.length - results.length;
  const rows = results.map((result) => resultRow(result, paint, io));
  const lines = columns(rows).flatMap((line, index) => [line, ...details(results[index], paint)]);
  const guards = quiet === 0 ? [] : [paint.dim(`  ✓ continue  ${quiet} guards`)];
  const left = columns(skipped.map(({ hook, why }) => [`  ${paint.warn("–")} skipped`, oneLine(hook.name, 40), why]));
  return [
    headline(decision, paint, io, senders),
    ...lines,
    ...left,
    ...guards,
    verdict(decision, background, skipped, paint),
  ];
}

/** A hook that matches the event and did not run, and why. */
interface SkippedHook {
  readonly hook: Hook;
  readonly why: string;
}

/** There are dozens of guards; those without a result are only counted. */
function isQuietGuard({ hook, action, failure, reason, context }: HookResult): boolean {
  const isSilent = action === "continue" && failure === undefined && reason === undefined && context === undefined;
  return isSilent && hook.origin === undefined && hook.name.startsWith("guard:");
}

function headline({ event }: Decision, paint: Paint, io: Io, senders: string): string {
  const args = dataField(event, "tool_args") ?? dataField(event, "prompt");
  const tool = event.toolName === undefined ? "" : `  ${paint.strong(visible(event.toolName))}`;
  const shown = args === undefined ? "" : `  ${paint.dim(oneLine(toJsonText(args), Math.max(40, io.width - 40)))}`;
  return `${paint.name(event.type)}${tool}${shown}${senders && `  ${paint.dim(senders)}`}`;
}

function resultRow(result: HookResult, paint: Paint, io: Io): string[] {
  const { place } = result.hook.origin ?? {};
  const where = place ? shortPath(formatPlace({ file: place.file, ...(place.line && { line: place.line }) }), io) : "";
  return [
    `  ${mark(result, paint)} ${spoken(result, paint)}`,
    oneLine(result.hook.name, 40),
    paint.dim(`${result.durationMs < 10 ? result.durationMs.toFixed(1) : Math.round(result.durationMs)} ms`),
    paint.dim(where),
  ];
}

function mark(result: HookResult, paint: Paint): string {
  if (result.failure) return paint.bad("!");
  return MARKS[result.action](paint);
}

function spoken(result: HookResult, paint: Paint): string {
  if (result.hook.async) return paint.dim("async");
  return result.wouldBe ? paint.dim(`monitor: ${result.wouldBe}`) : ACTIONS[result.action](paint);
}

const MARKS: Readonly<Record<Action, (paint: Paint) => string>> = {
  continue: (paint) => paint.good("✓"),
  modify: (paint) => paint.warn("~"),
  ask: (paint) => paint.warn("?"),
  deny: (paint) => paint.bad("✗"),
};

const ACTIONS: Readonly<Record<Action, (paint: Paint) => string>> = {
  continue: (paint) => paint.good("continue"),
  modify: (paint) => paint.warn("modify"),
  ask: (paint) => paint.warn("ask"),
  deny: (paint) => paint.bad("deny"),
};

/** Under a result: its reason, its failure, what it printed, what was left out; nothing of it twice. */
function details(result: HookResult | undefined, paint: Paint): string[] {
  if (result === undefined) return [];
  const { reason, error = "", context } = result;
  const told = [reason, context].filter(Boolean).join("\n");
  const isNew = (text: string) => text !== "" && !told.includes(text);
  const stderr = result.failure ? result.stderr.trim() : "";
  const printed = result.action === "continue" && !context ? result.stdout.trim() : "";
  const failed = result.failure && isNew(error) ? `failed: it ${error}` : "";
  return [
    ...indented(reason && remedyApart(reason)),
    ...indented(failed),
    ...indented(isNew(stderr) && !failed.includes(stderr) ? stderr : "", paint.dim),
    ...indented(context && context !== reason ? `context: ${context}` : ""),
    ...indented(isNew(printed) ? printed : "", paint.dim),
    ...(result.notes ?? []).flatMap((note) => indented(note, paint.dim)),
  ];
}

/** A reason with what to do instead on a line of its own, from which it can be copied. */
export function remedyApart(reason: string): string {
  return reason.replaceAll(" Do instead: ", "\nDo instead: ");
}

function indented(text: string | undefined, colour: (line: string) => string = (line) => line): string[] {
  if (!text) return [];
  const lines = visible(text).split("\n");
  const more = lines.length > MAX_LINES ? [`… ${lines.length - MAX_LINES} more lines`] : [];
  return [...lines.slice(0, MAX_LINES), ...more].map((line) => `      ${colour(line)}`);
}

function verdict(
  decision: Decision,
  background: readonly HookResult[],
  skipped: readonly SkippedHook[],
  paint: Paint,
): string {
  const left = skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
  const ran = paint.dim(`(${hookCount([...decision.results, ...background].map(({ hook }) => hook))} ran${left})`);
  const said = comesTo(decision);
  return [ACTIONS[said.action](paint), visible(said.why), ran].filter(Boolean).join("  ");
}

/** The action, and why. */
function comesTo({ event, action, reasons, contexts, results, input, output }: Decision): {
  readonly action: Action;
  readonly why: string;
} {
  switch (action) {
    case "deny":
    case "ask":
      // Each hook's own message is under its name.
      return { action, why: reasonsText(action, reasons.filter(unsaid(results)), reasons.length > 0 ? [] : results) };
    case "modify":
      if (input === undefined && output === undefined)
        return { action: "continue", why: "a hook answered modify and changed nothing" };
      return { action, why: toJsonText(input ?? output ?? null) };
    case "continue":
      if (!results.some((result) => STRICTNESS[result.action] >= STRICTNESS.ask)) return { action, why: "" };
      // At a gate, a permit or what was kept for undo lets the call pass; the message mentions it.
      return { action, why: event.isGate ? (contexts.at(-1) ?? "") : FEEDBACK };
  }
}

function unsaid(results: readonly HookResult[]): (reason: string) => boolean {
  return (reason) => !results.some((result) => result.reason === reason);
}

const FEEDBACK = "this event cannot be blocked: the denial is feedback for the agent";
const MAX_LINES = 12;

/** The reasons of a decision; the names of the hooks that objected where none gave a reason. */
export function reasonsText(action: Action, reasons: readonly string[], results: readonly SaidByHook[]): string {
  const words = reasonText(action, reasons, results, Number.POSITIVE_INFINITY);
  if (words !== "" || (action !== "deny" && action !== "ask")) return words;
  const names = results
    .filter((result) => result.action === action)
    .map(({ hook }) => `"${typeof hook === "string" ? hook : hook.name}"`);
  if (names.length === 0) return "";
  return names.length === 1 ? `hook ${names[0]} gives no reason` : `hooks ${names.join(", ")} give no reason`;
}
