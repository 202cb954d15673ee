import { type CallEffects, type Effect, ROLES } from "../effect.ts";
import { indexOf, KINDS } from "./effect-index.ts";
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
export function effectLabelled(word: string): ((act: CallEffects) => boolean) | undefined {
  const whole = Object.hasOwn(WHOLES, word) ? WHOLES[word] : undefined;
  if (whole !== undefined) return testOf(whole);
  if (!Object.hasOwn(ROLES, word)) return undefined;
  return (act) => indexOf(act).roles.has(word);
}

function testOf({ on, role, byTool, holds }: EffectLabel): (act: CallEffects) => boolean {
  const kind = KINDS.indexOf(on);
  return (act) => {
    const { byKind, roles, hasActs } = indexOf(act);
    if (byTool && !hasActs) return false;
    const effects = byKind[kind];
    if (effects === undefined || (role !== undefined && !roles.has(role))) return false;
    for (const effect of effects) if (holds(effect, act)) return true;
    return false;
  };
}

/** The effects of a call that a word names, of very many the first; `unknown` names what cannot be told beforehand. */
export function effectsLabelled(word: string, act: CallEffects): readonly Effect[] {
  const whole = Object.hasOwn(WHOLES, word) ? WHOLES[word] : undefined;
  const isNamed = (effect: Effect) => {
    if (whole !== undefined) return effect.does === whole.on && whole.holds(effect, act);
    if (word === "unknown") return effect.does === "unknown";
    return effect.does === "run" && effect.roles.some((role) => role === word);
  };
  const found: Effect[] = [];
  for (const effect of act.effects) {
    if (isNamed(effect)) found.push(effect);
    if (found.length >= MOST_EFFECTS) break;
  }
  return found;
}

/** How many effects of one name are looked for. */
export const MOST_EFFECTS = 200;
