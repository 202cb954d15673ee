import type { Answer } from "../../decision/result.ts";
import { type CallEffects, type Effect, effectsLabelled, MAX_EFFECTS } from "../../effects/index.ts";
import { dataField, type EventFacts } from "../../event/field.ts";
import { CONTINUE } from "../../rule/evaluate.ts";
import type { ReadyRules } from "../../rule/hook-rules.ts";
import { type Circumstances, type Exception, pathsOf } from "./exceptions.ts";
import type { GuardRule, PartText } from "./guard.ts";
import { by, type CallText, hostsOf, named, type Part, partOf } from "./part.ts";
import type { Severity } from "./policy.ts";

/** A rule of a guard with its severity here; `off` if the user switched it off. */
export interface ActiveRule {
  readonly rule: GuardRule;
  readonly severity: Severity;
}

/** Everything that guards need to judge a call: the rules of each guard, exceptions, and whether guards only monitor. */
export interface ActiveGuards {
  readonly byGuard: readonly (readonly ActiveRule[])[];
  readonly exceptions: readonly Exception[];
  readonly isMonitored: boolean;
}

/** The effects of a call that one rule matched. */
export interface GuardFinding {
  readonly rule: GuardRule;
  readonly severity: Severity;
  readonly effects: readonly Effect[];
}

type ReadCall = Parameters<NonNullable<ReadyRules["answers"]>>[1];

/** The answer of one guard about a call that one of its rules matched; messages are only built here. */
export function answerOf(own: readonly ActiveRule[], all: ActiveGuards, event: EventFacts, read: ReadCall): Answer {
  const act = read.act(event);
  if (act === undefined) return CONTINUE;
  const around = { now: Date.now(), commandsOf: (line: string) => read.text(event, line)?.commands ?? [] };
  const { findings, exceptions, passed } = judged(own, act, all.exceptions, around);
  const pass = (line: string) => isPassing(line, all, event, read);
  const severity = REPORTED.find((one) => findings.some((finding) => finding.severity === one));
  const reported = findings.filter((finding) => finding.severity === severity);
  const lets = exceptions.map(({ text }) => text);
  const rule = reported[0]?.rule.name ?? exceptions[0]?.rule;
  const reason = textOf(reported, act, { ...callOf(event), all, pass });
  switch (severity) {
    case undefined:
      return lets.length === 0 ? CONTINUE : { action: "continue", context: lets.join("\n"), rule };
    case "monitor":
      return { action: "continue", reason, wouldBe: presetAction(reported[0]?.rule), rule, ...contextOf(lets) };
    case "off":
    case "warn":
      return { action: "continue", reason, rule, ...contextOf(all.isMonitored ? lets : [reason, ...lets]) };
    case "ask":
    case "deny":
      if (all.isMonitored) return { action: "continue", reason, wouldBe: severity, rule, ...contextOf(lets) };
      return { action: severity, reason, rule, ...(isUndoable(own, act, passed) ? { undoable: true } : {}) };
  }
}

function contextOf(lines: readonly string[]): { context?: string } {
  return lines.length === 0 ? {} : { context: lines.join("\n") };
}

/** The action that a monitored rule would take at least. */
function presetAction(rule: GuardRule | undefined): "deny" | "ask" {
  const { standard, strict, paranoid } = rule ?? {};
  return (standard === "off" ? undefined : standard) ?? strict ?? paranoid ?? "deny";
}

/** The findings of rules, and the exceptions that allow parts of the call. An effect belongs to the first rule that matches it. */
export function judged(
  own: readonly ActiveRule[],
  act: CallEffects,
  exceptions: readonly Exception[],
  around: Circumstances,
): {
  readonly findings: readonly GuardFinding[];
  readonly exceptions: readonly Exception[];
  /** The effects that the exceptions allow. */
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
    // There may be more effects than were listed, and an exception that covers these may not cover the others.
    const isOpen = effects.length >= MAX_EFFECTS;
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

/** Whether every rule that objects is about a loss that can be undone, including rules whose effects belong to an earlier rule. */
function isUndoable(own: readonly ActiveRule[], act: CallEffects, passed: ReadonlySet<Effect>): boolean {
  return own.every(({ rule, severity }) => {
    if (rule.undoable || (severity !== "deny" && severity !== "ask")) return true;
    return effectsLabelled(rule.name, act).every((effect) => passed.has(effect));
  });
}

/** One sentence and one way out for each part of the call. */
function textOf(findings: readonly GuardFinding[], act: CallEffects, around: MessageContext): string {
  const sentences = new Map<string, string>();
  for (const finding of findings) {
    for (const effects of byCommand(finding.effects).slice(0, MAX_COMMANDS)) {
      if (sentences.size >= MAX_PARTS) break;
      const { rule, part } = bestFor(finding.rule, effects, act, around);
      if (!sentences.has(part.text)) sentences.set(part.text, sentence(part, rule, around.pass));
    }
  }
  return [...sentences.values()].join("\n");
}

/** What a message is built from. */
interface MessageContext extends CallText {
  readonly all: ActiveGuards;
  readonly pass: (line: string) => boolean;
}

/** The rule that describes one part of a call best: its own, or one of those in `yieldsTo`. */
function bestFor(
  rule: GuardRule,
  effects: readonly Effect[],
  act: CallEffects,
  around: MessageContext,
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

/** Whether an effect has the same path as one of the others: one command reads it, another sends it. */
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

function sentence(part: Part, rule: GuardRule, pass: (line: string) => boolean): string {
  const { text, location } = part;
  const fact = `\`${text}\`${location === undefined ? "" : ` (${location})`} ${filled(rule.does, part)}.`;
  const way = [rule.instead?.(part)].flat().find((line) => line !== undefined && line !== text && pass(line));
  return way === undefined ? `${fact} Ask the user ${filled(rule.ask, part)}.` : `${fact} Do instead: ${way}`;
}

function filled(text: PartText, part: Part): string {
  if (typeof text === "function") return text(part);
  return text.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof PART_TEXTS) => PART_TEXTS[name](part));
}

/** What the texts of rules may name in braces. */
const PART_TEXTS = {
  paths: (part: Part) => named(part),
  written: (part: Part) => named(part, part.written),
  hosts: hostsOf,
  by,
  program: ({ program }: Part) => program,
  held: ({ held }: Part) => held,
  act: ({ serviceAction }: Part) => serviceAction,
} as const;

/** Whether no guard objects to a command line in the same folder. */
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
const REPORTED: readonly Severity[] = ["deny", "ask", "warn", "monitor"];
const MAX_PARTS = 4;
/** A line may do the same thousands of times. */
const MAX_COMMANDS = 8;
