import { type CallEffects, ROLES } from "../effects/effect.ts";
import { indexOf, KINDS } from "./act-index.ts";
import type { EffectWord } from "./effect-word.ts";
import { FILE_WORDS } from "./file-words.ts";
import { FLOW_WORDS } from "./flow-words.ts";
import { GIT_WORDS } from "./git-words.ts";
import { SYSTEM_WORDS } from "./system-words.ts";

/** Effects that follow from several facts at once. */
const WHOLES: Readonly<Record<string, EffectWord>> = { ...FILE_WORDS, ...GIT_WORDS, ...FLOW_WORDS, ...SYSTEM_WORDS };

/** Every word that may stand behind `effect`, and what it means. */
export const EFFECT_WORDS: Readonly<Record<string, string>> = {
  ...ROLES,
  ...Object.fromEntries(Object.entries(WHOLES).map(([word, { means }]) => [word, means])),
};

/** The test behind a word; nothing when there is no such effect. */
export function effectNamed(word: string): ((act: CallEffects) => boolean) | undefined {
  const whole = Object.hasOwn(WHOLES, word) ? WHOLES[word] : undefined;
  if (whole !== undefined) return testOf(whole);
  if (!Object.hasOwn(ROLES, word)) return undefined;
  return (act) => indexOf(act).roles.has(word);
}

function testOf({ on, role, holds }: EffectWord): (act: CallEffects) => boolean {
  const kind = KINDS.indexOf(on);
  return (act) => {
    const { byKind, roles } = indexOf(act);
    const effects = byKind[kind];
    if (effects === undefined || (role !== undefined && !roles.has(role))) return false;
    for (const effect of effects) if (holds(effect, act)) return true;
    return false;
  };
}
