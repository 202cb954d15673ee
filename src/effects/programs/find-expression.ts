import type { Field } from "../parse/value.ts";

/** Something that `find` does with what it finds. */
export interface FindAction {
  /** Its position among the words. */
  readonly at: number;
  readonly name: string;
  /** What it is done to, under a root: everything with the root itself, everything below, or what has one of the names. */
  readonly to: Found;
}

/** What is left when tests have been passed. */
type Found = "all" | "below" | readonly Field[];

/** The actions of an expression of `find`; a test counts only where it must hold before the action is reached. */
export function actionsOf(words: readonly Field[], from: number): FindAction[] {
  const actions: FindAction[] = [];
  const start: Found = words.some(({ text }) => text === "-mindepth") ? "below" : "all";
  const state = { words, at: from, actions };
  while (state.at < words.length) readAlternatives(state, start, 0);
  return actions;
}

/** What an expression of `find` lets through. */
export function passedOf(words: readonly Field[], from: number): Found {
  const start: Found = words.some(({ text }) => text === "-mindepth") ? "below" : "all";
  const state = { words, at: from, actions: [] };
  let passed: Found | undefined;
  while (state.at < words.length) {
    const next = readAlternatives(state, start, 0);
    passed = passed === undefined ? next : either(passed, next);
  }
  return passed ?? start;
}

interface State {
  readonly words: readonly Field[];
  at: number;
  readonly actions: FindAction[];
}

/** Up to a closing bracket: `-o` and `,` begin anew with what was given. */
function readAlternatives(state: State, given: Found, depth: number): Found {
  const alternatives: Found[] = [];
  let passed = given;
  let isNegated = false;
  while (state.at < state.words.length) {
    const at = state.at++;
    const text = state.words[at]?.text ?? "";
    if (text === ")") break;
    if (text === "!" || text === "-not") {
      isNegated = !isNegated;
      continue;
    }
    if (text === "-o" || text === "-or" || text === ",") {
      alternatives.push(passed);
      passed = given;
    } else if (text === "(") {
      const inside = depth < DEEPEST ? readAlternatives(state, passed, depth + 1) : passed;
      if (!isNegated) passed = inside;
    } else {
      if (ACTION.test(text) && !(text === "-delete" && isOfEmptyFolders(state.words, at)))
        state.actions.push({ at, name: text, to: passed });
      const next = passedBy(text, state.words[at + 1], passed);
      if (!isNegated) passed = next;
      state.at = behind(state.words, at, text);
    }
    isNegated = false;
  }
  return [...alternatives, passed].reduce(either);
}

/** `-type d -empty`, with nothing that turns it around: nothing is lost with such folders. */
function isOfEmptyFolders(words: readonly Field[], at: number): boolean {
  const before = words.slice(0, at).map(({ text }) => text);
  if (before.some((text) => /^(?:!|-not|-o|-or|,|\()$/.test(text))) return false;
  return before.includes("-empty") && before[before.indexOf("-type") + 1] === "d";
}

const DEEPEST = 64;
const ACTION = /^-(?:delete|fprint0?|fprintf|fls|exec|execdir|ok|okdir)$/;
const WITH_VALUE =
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|i?lname|x?type|mindepth|maxdepth|[acm]time|[acm]min|size|a?newer|cnewer|newer[aBcm][aBcmt]|user|group|perm|uid|gid|fstype|inum|links|samefile|used|context|printf|fprint0?|fls|files0-from)$/;
const NARROWING =
  /^-(?:i?path|i?wholename|i?regex|i?lname|x?type|[acm]time|[acm]min|size|a?newer|cnewer|newer[aBcm][aBcmt]|empty|user|group|perm|uid|gid|inum|links|samefile)$/;

function passedBy(test: string, value: Field | undefined, before: Found): Found {
  if (typeof before !== "string") return before;
  if ((test === "-name" || test === "-iname") && value !== undefined) return [value];
  return NARROWING.test(test) ? "below" : before;
}

/** Where the next test begins. */
function behind(words: readonly Field[], at: number, text: string): number {
  if (text === "-fprintf") return at + 3;
  if (/^-(?:exec|ok)(?:dir)?$/.test(text)) return endOfCommand(words, at) + 1;
  return at + (WITH_VALUE.test(text) ? 2 : 1);
}

/** Where the command behind `-exec` ends. */
export function endOfCommand(words: readonly Field[], at: number): number {
  let end = at + 1;
  while (end < words.length && words[end]?.text !== ";" && !(words[end]?.text === "+" && words[end - 1]?.text === "{}"))
    end++;
  return end;
}

function either(one: Found, other: Found): Found {
  if (one === "all" || other === "all") return "all";
  if (one === "below" || other === "below") return "below";
  return [...new Set([...one, ...other])].slice(0, MOST_NAMES);
}

const MOST_NAMES = 64;
