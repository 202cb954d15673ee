import type { Decision } from "../decision/decision.ts";
import type { Action, HookResult } from "../decision/result.ts";
import { dataField } from "../event/field.ts";
import { toJsonText } from "../event/json.ts";
import { formatPlace } from "../problem/problem.ts";
import { columns } from "./columns.ts";
import { shortPath } from "./configuration.ts";
import type { Io } from "./io.ts";
import { oneLine, type Paint, paintFor, visible } from "./paint.ts";

/** One call as a person wants to see it: what happened, which hooks ran, what each said, what it came to. */
export function showDecision(decision: Decision, background: readonly HookResult[], io: Io): string[] {
  const paint = paintFor(io);
  const all = [...decision.results, ...background];
  const results = all.filter((result) => !isQuietGuard(result));
  const quiet = all.length - results.length;
  const rows = results.map((result) => resultRow(result, paint, io));
  const lines = columns(rows).flatMap((line, index) => [line, ...details(results[index], paint)]);
  const guards = quiet === 0 ? [] : [paint.dim(`  ✓ continue  ${quiet} guards`)];
  return [headline(decision, paint, io), ...lines, ...guards, verdict(decision, background, paint)];
}

/** Guards come in dozens; those that have nothing to say are counted. */
function isQuietGuard({ hook, action, failure }: HookResult): boolean {
  return action === "continue" && failure === undefined && hook.origin === undefined && hook.name.startsWith("guard:");
}

function headline({ event }: Decision, paint: Paint, io: Io): string {
  const args = dataField(event, "tool_args") ?? dataField(event, "prompt");
  const tool = event.toolName === undefined ? "" : `  ${paint.strong(visible(event.toolName))}`;
  const shown = args === undefined ? "" : `  ${paint.dim(oneLine(toJsonText(args), Math.max(40, io.width - 40)))}`;
  return `${paint.name(event.type)}${tool}${shown}`;
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
  continue: () => "continue",
  modify: (paint) => paint.warn("modify"),
  ask: (paint) => paint.warn("ask"),
  deny: (paint) => paint.bad("deny"),
};

/** Under a result: its reason, its failure, what it printed, what was left out. */
function details(result: HookResult | undefined, paint: Paint): string[] {
  if (result === undefined) return [];
  const printed = result.action === "continue" && !result.context ? result.stdout.trim() : "";
  const failed = result.failure && result.reason !== undefined && !result.reason.includes(result.error ?? "");
  return [
    ...indented(result.reason),
    ...(failed ? indented(`failed: it ${result.error}`) : []),
    ...indented(result.failure && result.stderr.trim(), paint.dim),
    ...indented(result.context && `context: ${result.context}`),
    ...indented(printed, paint.dim),
    ...(result.notes ?? []).flatMap((note) => indented(note, paint.dim)),
  ];
}

function indented(text: string | undefined, colour: (line: string) => string = (line) => line): string[] {
  if (!text) return [];
  const lines = visible(text).split("\n");
  const more = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} more lines`] : [];
  return [...lines.slice(0, MOST_LINES), ...more].map((line) => `      ${colour(line)}`);
}

function verdict(decision: Decision, background: readonly HookResult[], paint: Paint): string {
  const count = decision.results.length + background.length;
  const ran = paint.dim(`(${count === 1 ? "1 hook" : `${count} hooks`} ran)`);
  switch (decision.action) {
    case "deny":
      return `${paint.bad("denied")}  ${visible(decision.reasons.join("; "))}  ${ran}`;
    case "ask":
      return `${paint.warn("needs approval")}  ${visible(decision.reasons.join("; "))}  ${ran}`;
    case "modify":
      if (decision.input === undefined && decision.output === undefined)
        return `${paint.good("continues")}  a hook said modify and changed nothing  ${ran}`;
      return `${paint.warn("modified")}  ${visible(toJsonText(decision.input ?? decision.output ?? null))}  ${ran}`;
    case "continue": {
      const denied = decision.results.some((result) => result.action === "deny");
      return `${paint.good("continues")}  ${denied ? "not a gate: the denial is feedback for the agent  " : ""}${ran}`;
    }
  }
}

const MOST_LINES = 12;
