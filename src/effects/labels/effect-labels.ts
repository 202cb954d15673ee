import { type CallEffects, type Effect, ROLES, type Role } from "../effect.ts";
import { isDisposable } from "../path-class.ts";
import { isProgram } from "../programs/program-name.ts";
import { CHECK_EFFECT_LABELS } from "./check-effect-labels.ts";
import {
  ACTS,
  argsOf,
  type EffectLabel,
  indexOf,
  isLabelled,
  KINDS,
  type LabelOf,
  type Run,
  roleBit,
  touchesOf,
} from "./effect-index.ts";
import { FILE_EFFECT_LABELS } from "./file-effect-labels.ts";
import { FLOW_EFFECT_LABELS } from "./flow-effect-labels.ts";
import { pushesToNew } from "./new-remotes.ts";
import { PERSONAL_EFFECT_LABELS } from "./personal-effect-labels.ts";
import { isSharedBranch, pushedBranches } from "./shared-branches.ts";
import { SYSTEM_EFFECT_LABELS } from "./system-effect-labels.ts";
import { PIPELINE_EFFECT_LABELS, TOOL_EFFECT_LABELS } from "./tool-effect-labels.ts";

/** Words about work and history that git keeps. */
const GIT_EFFECT_LABELS = {
  "git-loss": {
    means: "throws away uncommitted work, stashes or commits that git cannot bring back",
    on: "run",
    role: "work-loss",
    trait: "version-control",
    holds: (effect, act) => !LIGHT().test(effect.verb ?? "") && !isAboutFiles(effect, act),
  },
  "git-discard": {
    means: "throws away the changes of some files, a branch or a stash",
    on: "run",
    role: "work-loss",
    trait: "version-control",
    holds: (effect, act) => !isOnlyOfMadeFiles(effect, act),
  },
  "git-delete-branch": {
    means: "removes a branch, merged or not",
    on: "run",
    role: "work-loss",
    trait: "version-control",
    holds: (effect) => effect.verb === "branch",
  },
  "git-drop-stash": {
    means: "throws away a stash",
    on: "run",
    role: "work-loss",
    trait: "version-control",
    holds: (effect) => effect.verb === "stash drop",
  },
  "git-force-push": {
    means: "overwrites the history of a remote without looking at it",
    on: "run",
    role: "history-rewrite",
    trait: "version-control",
    holds: (effect, act) =>
      PUSHES.test(effect.verb ?? "") &&
      (argsOf(effect, act).some(isForce) || isLeaseOnShared(effect, act)) &&
      !pushesToNew(effect, act),
  },
  "git-delete-remote": {
    means: "removes a branch or a tag of a remote, or forgets the remote",
    on: "run",
    role: "history-rewrite",
    trait: "version-control",
    holds: (effect, act) =>
      /^remote/.test(effect.verb ?? "") ||
      (PUSHES.test(effect.verb ?? "") &&
        argsOf(effect, act).some((arg) => /^(?:-\w*d\w*|--del\w*|--prune|:.+)$/.test(arg))),
  },
  "write-git-history": {
    means: "changes what git knows of the project's history, without git",
    on: "write",
    holds: (effect) =>
      effect.by !== "access" &&
      !isProgram("version-control", effect.program) &&
      !isProgram("sets-times", effect.program) &&
      RECORDS().test(effect.path.text),
  },
} as const satisfies Record<string, EffectLabel>;

/** The parts of git that push. */
const PUSHES = /^(?:push|send-pack|http-push)/;

/** Only the files that are named. */
function isAboutFiles(run: Run, act: CallEffects): boolean {
  const written = touchesOf(run, act, "write");
  return /^(?:checkout|restore)$/.test(run.verb ?? "") && written.length > 0 && written.every(({ isTree }) => !isTree);
}

/** Files that their tools make again, such as lock files. */
function isOnlyOfMadeFiles(run: Run, act: CallEffects): boolean {
  return isAboutFiles(run, act) && touchesOf(run, act, "write").every(({ path }) => isDisposable(path, act.place));
}

function isForce(arg: string): boolean {
  return /^(?:-[a-zA-Z]*f[a-zA-Z]*|--forc?e?|--mirror|\+.+)$/.test(arg);
}

/** A lease says nothing about commits that were fetched and never merged: a branch that others work from is not forced at all. */
function isLeaseOnShared(run: Run, act: CallEffects): boolean {
  const args = argsOf(run, act);
  return args.some((arg) => arg.startsWith("--force-w")) && pushedBranches(run, act).names.some(isSharedBranch);
}

/** Where git keeps its commits, and where it writes down which of them are branches. */
const RECORDS = () => /(?:^|\/)\.git\/(?:HEAD|ORIG_HEAD|index|packed-refs|shallow|(?:refs|objects|logs)(?:\/.*)?)$/;

/** What reaches no further than what is named. */
const LIGHT = () => /^(?:branch|stash drop|update-ref|tag|reflog delete|worktree remove|replace|notes)$/;

type AnyLabel = LabelOf<Effect["does"]>;

/** Effects that follow from several facts at once. */
const WHOLES: readonly Readonly<Record<string, AnyLabel>>[] = [
  FILE_EFFECT_LABELS,
  GIT_EFFECT_LABELS,
  FLOW_EFFECT_LABELS,
  PIPELINE_EFFECT_LABELS,
  SYSTEM_EFFECT_LABELS,
  TOOL_EFFECT_LABELS,
  PERSONAL_EFFECT_LABELS,
  CHECK_EFFECT_LABELS,
];

/** Every label that may follow `effect`, and what it means. */
export function effectLabels(): Readonly<Record<string, string>> {
  const wholes = WHOLES.flatMap((labels) => Object.entries(labels));
  return { ...ROLES, ...Object.fromEntries(wholes.map(([word, { means }]) => [word, means])) };
}

/** Whether a label may follow `effect`. */
export function isEffectLabel(word: string): boolean {
  return isRole(word) || wholeLabelled(word) !== undefined;
}

/** The tables are not copied into one: a call needs a few of their labels. */
function wholeLabelled(word: string): AnyLabel | undefined {
  return WHOLES.find((labels) => Object.hasOwn(labels, word))?.[word];
}

/** The test of a label; undefined if there is no such label. */
export function effectLabelled(word: string): ActTest | undefined {
  const whole = wholeLabelled(word);
  if (whole !== undefined) return testOf(whole);
  if (!isRole(word)) return undefined;
  const test = (act: CallEffects) => indexOf(act).roles.has(word);
  return Object.assign(test, { kindBits: 1 << KINDS.indexOf("run"), roleBits: roleBit(word) });
}

function isRole(word: string): word is Role {
  return Object.hasOwn(ROLES, word);
}

function testOf(label: AnyLabel): ActTest {
  const { on, role, roles = role === undefined ? [] : [role], acts } = label;
  const kind = KINDS.indexOf(on);
  const kindBits = (1 << kind) | (acts === undefined ? 0 : ACTS);
  const roleBits = roles.reduce((bits, one) => bits | roleBit(one), 0);
  const test = (act: CallEffects) => {
    const index = indexOf(act);
    if (!mayHold(index, kindBits, roleBits)) return false;
    for (const effect of index.byKind[kind] ?? []) if (isLabelled(label, effect, act)) return true;
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

/** One test for several: whether any of them holds. Most calls lack what most tests need, which is known without a call. */
export function anyTest(tests: readonly (((act: CallEffects) => boolean) | ActTest)[]): (act: CallEffects) => boolean {
  const needs = tests.map((test) => ("kindBits" in test ? test : { kindBits: 0, roleBits: 0 }));
  const kinds = needs.map(({ kindBits }) => kindBits);
  const roles = needs.map(({ roleBits }) => roleBits);
  // One bit of what each test needs: a call without any of these bits passes none of the tests.
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

/** The effects of a call that have a label, of very many the first; `unknown` names what cannot be known before it runs. */
export function effectsLabelled(word: string, act: CallEffects): readonly Effect[] {
  const known = LABELLED.get(act) ?? new Map<string, readonly Effect[]>();
  LABELLED.set(act, known);
  const found = known.get(word) ?? labelled(word, act);
  known.set(word, found);
  return found;
}

/** Messages ask for the same labels again for each part of a call. */
const LABELLED = new WeakMap<CallEffects, Map<string, readonly Effect[]>>();

function labelled(word: string, act: CallEffects): readonly Effect[] {
  const index = indexOf(act);
  const whole = wholeLabelled(word);
  const ofKind = (kind: Effect["does"]) => index.byKind[KINDS.indexOf(kind)] ?? [];
  if (whole === undefined && word === "unknown") return ofKind("unknown").slice(0, MAX_EFFECTS);
  if (whole === undefined && !(isRole(word) && index.roles.has(word))) return [];
  const found: Effect[] = [];
  for (const effect of ofKind(whole?.on ?? "run")) {
    const isNamed =
      whole === undefined
        ? effect.does === "run" && effect.roles.some((role) => role === word)
        : isLabelled(whole, effect, act);
    if (isNamed) found.push(effect);
    if (found.length >= MAX_EFFECTS) break;
  }
  return found;
}

/** A label of one effect, and the roles that it follows from; none if it follows from the effect alone. */
export interface LabelOfEffect {
  readonly label: string;
  readonly roles: readonly Role[];
}

/** Every label of every effect of a call; effects without a label are absent. */
export function labelsByEffect(act: CallEffects): ReadonlyMap<Effect, readonly LabelOfEffect[]> {
  const found = new Map<Effect, LabelOfEffect[]>();
  const add = (effect: Effect, label: string, roles: readonly Role[]) => {
    const own = found.get(effect);
    if (own === undefined) found.set(effect, [{ label, roles }]);
    else own.push({ label, roles });
  };
  for (const labels of WHOLES)
    for (const [label, { role, roles = role === undefined ? [] : [role] }] of Object.entries(labels))
      for (const effect of effectsLabelled(label, act)) add(effect, label, roles);
  for (const effect of act.effects)
    if (effect.does === "run") for (const role of effect.roles) add(effect, role, [role]);
  return found;
}

/** How many effects of one name are looked for. */
export const MAX_EFFECTS = 200;
