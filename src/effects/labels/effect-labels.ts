import { type CallEffects, type Effect, ROLES, type Role } from "../effect.ts";
import { ACTS, indexOf, KINDS, roleBit } from "./effect-index.ts";
import type { EffectLabel } from "./effect-label.ts";
import { FILE_EFFECT_LABELS } from "./file-effect-labels.ts";
import { FLOW_EFFECT_LABELS } from "./flow-effect-labels.ts";
import { GIT_EFFECT_LABELS } from "./git-effect-labels.ts";
import { PIPELINE_EFFECT_LABELS } from "./pipeline-effect-labels.ts";
import { SYSTEM_EFFECT_LABELS } from "./system-effect-labels.ts";
import { TOOL_EFFECT_LABELS } from "./tool-effect-labels.ts";

/** Effects that follow from several facts at once. */
const WHOLES: Readonly<Record<string, EffectLabel>> = {
  ...FILE_EFFECT_LABELS,
  ...GIT_EFFECT_LABELS,
  ...FLOW_EFFECT_LABELS,
  ...PIPELINE_EFFECT_LABELS,
  ...SYSTEM_EFFECT_LABELS,
  ...TOOL_EFFECT_LABELS,
};

/** Every word that may stand behind `effect`, and what it means. */
export const EFFECT_LABELS: Readonly<Record<string, string>> = {
  ...ROLES,
  ...Object.fromEntries(Object.entries(WHOLES).map(([word, { means }]) => [word, means])),
};

/** The test behind a word; nothing when there is no such effect. */
export function effectLabelled(word: string): ActTest | undefined {
  const whole = Object.hasOwn(WHOLES, word) ? WHOLES[word] : undefined;
  if (whole !== undefined) return testOf(whole);
  if (!isRole(word)) return undefined;
  const test = (act: CallEffects) => indexOf(act).roles.has(word);
  return Object.assign(test, { kindBits: 1 << KINDS.indexOf("run"), roleBits: roleBit(word) });
}

function isRole(word: string): word is Role {
  return Object.hasOwn(ROLES, word);
}

function testOf({ on, role, roles = role === undefined ? [] : [role], byTool, holds }: EffectLabel): ActTest {
  const kind = KINDS.indexOf(on);
  const kindBits = (1 << kind) | (byTool ? ACTS : 0);
  const roleBits = roles.reduce((bits, one) => bits | roleBit(one), 0);
  const test = (act: CallEffects) => {
    const index = indexOf(act);
    if (!mayHold(index, kindBits, roleBits)) return false;
    for (const effect of index.byKind[kind] ?? []) if (holds(effect, act)) return true;
    return false;
  };
  return Object.assign(test, { kindBits, roleBits });
}

/** A test of what a call does, and the bits that the call's index needs before the test can hold: all kinds, and one of the roles. */
export interface ActTest {
  (act: CallEffects): boolean;
  readonly kindBits: number;
  readonly roleBits: number;
}

/** One test for several: whether any of them holds. Most calls lack what most tests need, which is told without a call. */
export function anyTest(tests: readonly (((act: CallEffects) => boolean) | ActTest)[]): (act: CallEffects) => boolean {
  const needs = tests.map((test) => ("kindBits" in test ? test : { kindBits: 0, roleBits: 0 }));
  const kinds = needs.map(({ kindBits }) => kindBits);
  const roles = needs.map(({ roleBits }) => roleBits);
  // Of what each test needs one bit: a call that has none of these bits has nothing for any of them.
  const anyRole = roles.reduce((all, bits) => all | bits, 0);
  const anyKind = needs.reduce((all, { kindBits, roleBits }) => (roleBits === 0 ? all | highestBit(kindBits) : all), 0);
  const isAlwaysAsked = needs.some(({ kindBits, roleBits }) => kindBits === 0 && roleBits === 0);
  return (act) => {
    const index = indexOf(act);
    if (!isAlwaysAsked && (index.kindBits & anyKind) === 0 && (index.roleBits & anyRole) === 0) return false;
    for (let at = 0; at < tests.length; at++)
      if (mayHold(index, kinds[at] ?? 0, roles[at] ?? 0) && tests[at]?.(act)) return true;
    return false;
  };
}

function highestBit(bits: number): number {
  return bits === 0 ? 0 : 1 << (31 - Math.clz32(bits));
}

function mayHold(index: { kindBits: number; roleBits: number }, kindBits: number, roleBits: number): boolean {
  return (index.kindBits & kindBits) === kindBits && (roleBits === 0 || (index.roleBits & roleBits) !== 0);
}

/** The effects of a call that a word names, of very many the first; `unknown` names what cannot be told beforehand. */
export function effectsLabelled(word: string, act: CallEffects): readonly Effect[] {
  const known = LABELLED.get(act) ?? new Map<string, readonly Effect[]>();
  LABELLED.set(act, known);
  const found = known.get(word) ?? labelled(word, act);
  known.set(word, found);
  return found;
}

/** Messages ask about the same words again for each part of a call. */
const LABELLED = new WeakMap<CallEffects, Map<string, readonly Effect[]>>();

function labelled(word: string, act: CallEffects): readonly Effect[] {
  const index = indexOf(act);
  const whole = Object.hasOwn(WHOLES, word) ? WHOLES[word] : undefined;
  const ofKind = (kind: Effect["does"]) => index.byKind[KINDS.indexOf(kind)] ?? [];
  if (whole === undefined && word === "unknown") return ofKind("unknown").slice(0, MOST_EFFECTS);
  if (whole === undefined && !(isRole(word) && index.roles.has(word))) return [];
  const found: Effect[] = [];
  for (const effect of ofKind(whole?.on ?? "run")) {
    const isNamed =
      whole === undefined
        ? effect.does === "run" && effect.roles.some((role) => role === word)
        : whole.holds(effect, act);
    if (isNamed) found.push(effect);
    if (found.length >= MOST_EFFECTS) break;
  }
  return found;
}

/** How many effects of one name are looked for. */
export const MOST_EFFECTS = 200;
