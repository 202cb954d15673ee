import type { Answer } from "../../decision/result.ts";
import type { CallEffects, Effect } from "../../effects/effect.ts";
import { effectsLabelled, MOST_EFFECTS } from "../../effects/labels/effect-labels.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { CONTINUE } from "../../rule/evaluate.ts";
import type { ReadyRules } from "../../rule/hook-rules.ts";
import { type Circumstances, type Exception, pathsOf } from "./exceptions.ts";
import type { GuardMessage, GuardRule } from "./guard.ts";
import { type CallText, type Part, partOf } from "./part.ts";
import type { Severity } from "./policy.ts";

/** A rule of a guard with what it says here; `off` where the user switched it off. */
export interface ActiveRule {
  readonly rule: GuardRule;
  readonly severity: Severity;
}

/** Everything that guards need to judge a call: the rules of each, exceptions, and whether they only watch. */
export interface ActiveGuards {
  readonly byGuard: readonly (readonly ActiveRule[])[];
  readonly exceptions: readonly Exception[];
  readonly isMonitored: boolean;
}

/** Effects of a call that one rule speaks about. */
export interface GuardFinding {
  readonly rule: GuardRule;
  readonly severity: Severity;
  readonly effects: readonly Effect[];
}

type ReadCall = Parameters<NonNullable<ReadyRules["answers"]>>[1];

/** What one guard says about a call that one of its rules matched: messages are made here, and only then. */
export function answerOf(own: readonly ActiveRule[], all: ActiveGuards, event: EventFacts, read: ReadCall): Answer {
  const act = read.act(event);
  if (act === undefined) return CONTINUE;
  const around = { now: Date.now(), commandsOf: (line: string) => read.text(event, line)?.commands ?? [] };
  const { findings, exceptions, passed } = judged(own, act, all.exceptions, around);
  const pass = (line: string) => isPassing(line, all, event, read);
  const severity = SPOKEN.find((one) => findings.some((finding) => finding.severity === one));
  const spoken = findings.filter((finding) => finding.severity === severity);
  const lets = exceptions.map(({ text }) => text);
  const rule = spoken[0]?.rule.name ?? exceptions[0]?.rule;
  const told = textOf(spoken, act, { ...callOf(event), all, pass });
  switch (severity) {
    case undefined:
      return lets.length === 0 ? CONTINUE : { action: "continue", context: lets.join("\n"), rule };
    case "monitor":
      return { action: "continue", reason: told, wouldBe: presetAction(spoken[0]?.rule), rule, ...contextOf(lets) };
    case "off":
    case "warn":
      if (all.isMonitored) return { action: "continue", reason: told, rule, ...contextOf(lets) };
      return { action: "continue", reason: told, rule, ...contextOf([told, ...lets]) };
    case "ask":
    case "deny":
      if (all.isMonitored) return { action: "continue", reason: told, wouldBe: severity, rule, ...contextOf(lets) };
      return { action: severity, reason: told, rule, ...(isUndoable(own, act, passed) ? { undoable: true } : {}) };
  }
}

function contextOf(lines: readonly string[]): { context?: string } {
  return lines.length === 0 ? {} : { context: lines.join("\n") };
}

/** What a rule that only watches would say at least. */
function presetAction(rule: GuardRule | undefined): "deny" | "ask" {
  const { standard, strict, paranoid } = rule ?? {};
  return (standard === "off" ? undefined : standard) ?? strict ?? paranoid ?? "deny";
}

/** What rules find in a call, and which exceptions let something of it pass. An effect belongs to the first rule that matches it. */
export function judged(
  own: readonly ActiveRule[],
  act: CallEffects,
  exceptions: readonly Exception[],
  around: Circumstances,
): {
  readonly findings: readonly GuardFinding[];
  readonly exceptions: readonly Exception[];
  /** The effects that they let pass. */
  readonly passed: ReadonlySet<Effect>;
} {
  const seen = new Set<Effect>();
  const used = new Set<Exception>();
  const passed = new Set<Effect>();
  const findings: GuardFinding[] = [];
  for (const { rule, severity } of own) {
    const effects = effectsLabelled(rule.name, act).filter((effect) => !seen.has(effect));
    for (const effect of effects) seen.add(effect);
    if (severity === "off" || effects.length === 0) continue;
    // So many that the rest was not looked at: an exception that holds for these may not hold for those.
    const isOpen = effects.length >= MOST_EFFECTS;
    const left = effects.filter((effect) => {
      if (isOpen) return true;
      const found = exceptions.find((one) => one.rules.has(rule.name) && one.covers(effect, act, around));
      if (found === undefined) return true;
      used.add(found);
      passed.add(effect);
      return false;
    });
    if (left.length > 0) findings.push({ rule, severity, effects: left });
  }
  return { findings, exceptions: [...used], passed };
}

/** Whether every rule that objects is about a loss that can be undone; one that is hidden behind another counts too. */
function isUndoable(own: readonly ActiveRule[], act: CallEffects, passed: ReadonlySet<Effect>): boolean {
  return own.every(({ rule, severity }) => {
    if (rule.undoable || (severity !== "deny" && severity !== "ask")) return true;
    return effectsLabelled(rule.name, act).every((effect) => passed.has(effect));
  });
}

/** One sentence and one way out for each part of the call; a part is told once. */
function textOf(findings: readonly GuardFinding[], act: CallEffects, around: Telling): string {
  const told = new Map<string, string>();
  for (const finding of findings) {
    for (const effects of byCommand(finding.effects).slice(0, MOST_LOOKED)) {
      if (told.size >= MOST_PARTS) break;
      const { rule, part } = bestFor(finding.rule, effects, act, around);
      if (told.has(part.text)) continue;
      told.set(part.text, sentence(part, rule.tells(part), around.pass));
    }
  }
  return [...told.values()].join("\n");
}

/** What a message is made with. */
interface Telling extends CallText {
  readonly all: ActiveGuards;
  readonly pass: (line: string) => boolean;
}

/** The rule that says best what one part of a call does: its own, or one that it yields to. */
function bestFor(
  rule: GuardRule,
  effects: readonly Effect[],
  act: CallEffects,
  around: Telling,
): { readonly rule: GuardRule; readonly part: Part } {
  const command = effects[0]?.command;
  for (const name of rule.yieldsTo ?? []) {
    const other = around.all.byGuard.flat().find((one) => one.rule.name === name && one.severity !== "off")?.rule;
    const isSame = (effect: Effect) => command === undefined || effect.command === command || isOfPath(effect, effects);
    const same = effectsLabelled(name, act).filter(isSame);
    if (other !== undefined && same.length > 0) return { rule: other, part: partOf(same, act, around) };
  }
  return { rule, part: partOf(effects, act, around) };
}

/** Whether an effect is about a path of others: what one command reads, another sends. */
function isOfPath(effect: Effect, others: readonly Effect[]): boolean {
  const { text } = pathsOf(effect, [])[0] ?? {};
  return text !== undefined && others.some((other) => pathsOf(other, []).some((path) => path.text === text));
}

function byCommand(effects: readonly Effect[]): Effect[][] {
  const found = new Map<number | undefined, Effect[]>();
  for (const effect of effects) {
    const same = found.get(effect.command);
    if (same === undefined) found.set(effect.command, [effect]);
    else same.push(effect);
  }
  return [...found.values()];
}

/** The tool of a call, and its command line. */
export function callOf(event: EventFacts): CallText {
  const args = dataField(event, "tool_args");
  const { command = args } = Object(args) as { readonly command?: unknown };
  return { tool: event.toolName ?? "", line: typeof command === "string" ? command : "" };
}

function sentence(
  { text, standsIn }: Part,
  { does, instead = [], ask }: GuardMessage,
  pass: (line: string) => boolean,
): string {
  const fact = `\`${text}\`${standsIn === undefined ? "" : ` (${standsIn})`} ${does}.`;
  const way = instead.find((line) => line !== undefined && line !== text && pass(line));
  return way === undefined ? `${fact} Ask the user ${ask}.` : `${fact} Do instead: ${way}`;
}

/** Whether no guard has anything against a command line, in the same folder. */
function isPassing(command: string, all: ActiveGuards, event: EventFacts, read: ReadCall): boolean {
  const act = read.text(event, command);
  const around = { now: 0, commandsOf: () => [] };
  return (
    act !== undefined &&
    all.byGuard.every((own) =>
      judged(own, act, [], around).findings.every(({ severity }) => severity !== "deny" && severity !== "ask"),
    )
  );
}

/** The strictest first. */
const SPOKEN: readonly Severity[] = ["deny", "ask", "warn", "monitor"];
const MOST_PARTS = 4;
/** A line may do the same thousands of times. */
const MOST_LOOKED = 8;
