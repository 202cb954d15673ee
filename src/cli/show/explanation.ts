import type { Action, HookResult } from "../../decision/result.ts";
import type { HookEvent } from "../../event/event.ts";
import type { Explained, ExplainedAct } from "../../explain/explain-call.ts";
import type { Hook } from "../../hook/hook.ts";
import { isGuardHook } from "../../policies/guards/guard-hooks.ts";
import { explanationText } from "../../rule/explain.ts";
import { shortPath } from "../configuration.ts";
import type { Io } from "../io.ts";
import { reasonsText } from "./decision.ts";
import { hookCount } from "./hook-count.ts";
import { type Paint, paintFor, visible } from "./terminal-text.ts";

/** The decision about an event, as far as it can be known without running anything. */
export interface Explanation {
  readonly event: HookEvent;
  readonly act: ExplainedAct | undefined;
  readonly action: Action;
  readonly reasons: readonly string[];
  /** Additional messages for the agent: warnings, and exceptions that let the call pass. */
  readonly contexts: readonly string[];
  readonly results: readonly HookResult[];
  readonly microseconds: number;
  readonly hooks: readonly Hook[];
  /** Results of Sluice itself: its own protection, and intents. */
  readonly built: readonly HookResult[];
  /** Hooks that would have to run before the decision is known. */
  readonly unknown: readonly Hook[];
  readonly explained: readonly Explained[];
  /** Which agents send it like this; empty for an event that is not from an agent. */
  readonly senders: string;
}

/** All of it as lines for a person. */
export function showExplanation(all: Explanation, io: Io, isWhole: boolean): string[] {
  const { event, act, hooks, built, explained } = all;
  const paint = paintFor(io);
  const isQuiet = ({ hook, rules = [] }: Explained) => isGuardHook(hook) && !rules.some(({ matched }) => matched);
  const shown = isWhole ? explained : explained.filter((one) => !isQuiet(one));
  const quiet = explained.length - shown.length;
  return [
    [
      paint.name(event.type),
      ...(all.senders === "" ? [] : [paint.strong(visible(event.toolName ?? ""))]),
      `${hookCount(hooks)} ${hooks.length === 1 ? "matches" : "match"}`,
      ...(all.senders === "" ? [] : [paint.dim(all.senders)]),
    ].join("  "),
    ...(act ? actLines(act) : []).map(visible),
    ...shown.flatMap((one) => ["", ...hookLines(one, isWhole, paint, io)]),
    ...(quiet > 0 ? ["", paint.dim(`${quiet} guards do not object; \`--all\` shows their rules.`)] : []),
    ...built.flatMap((result) => ["", ...builtLines(result, paint)]),
    "",
    ...verdict(all, paint),
  ];
}

function actLines({ commands, effects, microseconds }: ExplainedAct): string[] {
  return [
    ...commands.map((command, index) => `${index === 0 ? "  runs   " : "         "} ${command}`),
    ...effects.map((effect, index) => `${index === 0 ? "  does   " : "         "} ${effect}`),
    `  took    ${microseconds} µs to take apart`,
  ];
}

function hookLines({ hook, rules, says, problems }: Explained, isWhole: boolean, paint: Paint, io: Io): string[] {
  const { file, line } = hook.origin?.place ?? {};
  const where = file ? shortPath(`${file}:${line}`, io) : "";
  const isShown = ({ matched }: { readonly matched: boolean }) => isWhole || !isGuardHook(hook) || matched;
  return [
    `${paint.strong(visible(hook.name))}  ${paint.dim([hook.type, where].filter(Boolean).join("  "))}`,
    ...problems.map(({ message }) => paint.bad(`  ${message}`)),
    rules
      ? visible(explanationText(rules, isShown)).trimEnd().replaceAll(/^/gm, "  ")
      : says === undefined
        ? paint.dim("  does not have rules; `sluice fire` runs it")
        : visible(`  ${says}`),
  ];
}

function builtLines({ hook, action, wouldBe, reason = "" }: HookResult, paint: Paint): string[] {
  const said = wouldBe === undefined ? action : `monitor: ${wouldBe}`;
  return [
    `${paint.strong(visible(hook.name))}  ${paint.dim("built in")}`,
    visible(`  ${[said, reason].filter(Boolean).join("  ")}`),
  ];
}

function verdict({ action, reasons, contexts, results, microseconds, unknown }: Explanation, paint: Paint): string[] {
  const mark = action === "deny" ? paint.bad : action === "ask" ? paint.warn : paint.good;
  const why = visible(reasonsText(action, reasons, results)).split("\n");
  const line = [
    mark(action),
    unknown.length > 0 ? "so far" : "",
    why.length > 1 ? "" : why[0],
    paint.dim(`rules took ${microseconds} µs`),
  ];
  return [
    line.filter(Boolean).join("  "),
    ...(why.length > 1 ? why : []),
    ...contexts.filter((text) => !reasons.includes(text)).map(visible),
    ...(unknown.length > 0 ? [paint.warn(visible(notRun(unknown)))] : []),
  ];
}

function notRun(hooks: readonly Hook[]): string {
  const names = hooks.map(({ name }) => name).join(", ");
  return hooks.length === 1
    ? `Unknown until 1 hook has run: ${names}. \`sluice fire\` runs it.`
    : `Unknown until ${hooks.length} hooks have run: ${names}. \`sluice fire\` runs them.`;
}
