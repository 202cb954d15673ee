import type { Act } from "../act/act.ts";
import { type Effect, ROLES } from "../shell/effect.ts";
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
export function effectNamed(word: string): ((act: Act) => boolean) | undefined {
  const whole = Object.hasOwn(WHOLES, word) ? WHOLES[word] : undefined;
  if (whole !== undefined) return testOf(whole);
  if (!Object.hasOwn(ROLES, word)) return undefined;
  return (act) => sorted(act).roles.has(word);
}

function testOf({ on, role, holds }: EffectWord): (act: Act) => boolean {
  const kind = KINDS.indexOf(on);
  return (act) => {
    const { byKind, roles } = sorted(act);
    const effects = byKind[kind];
    if (effects === undefined || (role !== undefined && !roles.has(role))) return false;
    for (const effect of effects) if (holds(effect, act)) return true;
    return false;
  };
}

interface Sorted {
  readonly act: Act;
  /** In the order of `KINDS`. */
  readonly byKind: readonly (readonly Effect[] | undefined)[];
  readonly roles: ReadonlySet<string>;
}

/** Dozens of words are asked about one act; its effects are sorted once. */
function sorted(act: Act): Sorted {
  if (last?.act === act) return last;
  const byKind: (Effect[] | undefined)[] = KINDS.map(() => undefined);
  const roles = new Set<string>();
  for (const effect of act.effects) {
    const kind = KINDS.indexOf(effect.does);
    const same = byKind[kind];
    if (same === undefined) byKind[kind] = [effect];
    else same.push(effect);
    if (effect.does === "run") for (const role of effect.roles) roles.add(role);
  }
  last = { act, byKind, roles };
  return last;
}

let last: Sorted | undefined;
const KINDS: readonly Effect["does"][] = ["run", "read", "write", "delete", "network", "flow", "unknown"];
