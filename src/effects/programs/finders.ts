import { casesOf, inAnyCase } from "../any-case.ts";
import { LIMITS } from "../parse/limits.ts";
import { type Field, fieldOf, patternOf } from "../parse/value.ts";
import { withoutLastSlash } from "../paths.ts";
import { operandsFrom } from "./act.ts";
import { has, known, plays, reads, value, values } from "./call.ts";
import { readOptions } from "./options.ts";
import type { Inner, Programs } from "./program.ts";
import { filled } from "./runs.ts";

const FD_OPTIONS =
  "extension|e= type|t= max-depth|d= min-depth= exact-depth= exclude|E= size|S= threads|j= changed-within= changed-before= owner|o= color|c= base-directory= search-path= glob|g exec|x exec-batch|X hidden|H no-ignore|I absolute-path|a follow|L print0|0 ignore-file= max-results= ignore-case|i case-sensitive|s";

/** Programs that find files, and run others on what they find. */
export const FINDERS = (): Programs => ({
  find: {
    lists: foundBy,
    prints: "names",
    readOnly: true,
    is: { "often-shadowed": true, "file-finder": true },
    style: "whole",
    does: (call) => {
      const { args } = call.command;
      const start = args.findIndex(({ text }) => /^(?:-(?![HLPO]\d?$)|[(!]$)/.test(text));
      const roots = (start < 0 ? args : args.slice(0, start)).filter(({ text }) => !/^-[HLPO]\d?$/.test(text));
      const tops = roots.length === 0 ? [known(".")] : roots;
      for (const top of tops) reads(call, top, { isTree: true });
      // Programs with the set-user bit are run.
      const isRun = args.some(
        ({ text }, at) => text === "{}" && /^-(?:exec|ok)(?:dir)?$/.test(args[at - 1]?.text ?? ""),
      );
      if (isRun && args.some(({ text }) => /^[-/]?(?:[ug]+=[rwx]*s|0?[2467]\d{3})$/.test(text)))
        plays(call, "privilege");
    },
    runs: ({ name, args }) => {
      const { roots, end } = rootsOf(args);
      const inners: Inner[] = [];
      for (const action of end < 0 ? [] : actionsOf(args, end)) {
        // More commands are never needed: the analysis ends with a doubt before.
        if (inners.length > LIMITS.commands) break;
        const place = roots.length === 0 ? [fieldOf(".")] : roots.slice(0, LIMITS.turns);
        if (roots.length > place.length) inners.push({ runs: "doubt", why: "too many commands", what: `${name} …` });
        inners.push(...innersOf(action, name, args, place));
      }
      return inners;
    },
    examples: [
      ["find . -name x", "reads . tree"],
      ["find build -delete", "reads build tree", "delete", "deletes build tree forced"],
      ["find src -type f -name *.pyc -delete", "reads src tree", "delete", "deletes src/**/*.pyc forced"],
      ["find x -delete", "runs rm -rf x"],
      ["find . -name x -delete", "runs rm -rf ./**/x"],
      ["find . -name x -exec rm -rf {} +", "runs rm -rf ./**/x"],
      ["find . -name '*.o' -execdir rm {} ';'", "runs rm ./**/*.o"],
      ["find a -type f -ok sh -c 'rm \"$1\"' _ {} \\;", "runs rm a/**"],
      ["find . -fprintf x %p", "runs tee x"],
      ["find a -name x -o -delete", "runs rm -rf a"],
      ["find a ! -name x -delete", "runs rm -rf a"],
      ["find a -regex '.*/x' -delete", "runs rm -rf a/**/x"],
      ["find a -regex '^.*\\(__pycache__\\|\\.py[co]\\)$' -delete", "runs rm -rf a/**/*.py[co]"],
      ["find a -regextype egrep -regex '.*/(x|y)' -exec rm -r {} +", "runs rm -r a/**/y"],
      ["find a -regex '.*/x.*' -delete", "runs rm -rf a/**"],
      ["find a ! -regex '.*/x' -delete", "runs rm -rf a"],
      ["find a -path a/b -prune -o -name x -print | xargs rm", "runs rm a/**/x"],
      ["find a -name x -print -o -print | xargs rm", "runs rm a/**"],
      ["find a -not '(' -name x -o -name y ')' -exec rm {} +", "runs rm a"],
      ["find a '(' -name x -o -name y ')' -delete", "runs rm -rf a/**/y"],
      ["find a -exec rm {} +", "runs rm a/**"],
      ["find a -name x , -delete", "runs rm -rf a"],
      ["find a -name -o -delete", "runs rm -rf a/**/-o"],
      ["find a -name '.\\e\\nv' -delete", "runs rm -rf a/**/.env"],
      ["find a -iname 'X.o' -delete", "runs rm -rf a/**/[Xx].[oO]"],
      ["find a -iname 'X.o' -delete", "runs rm -rf a/**/x.o"],
      ["find a -iregex '.*/X' -delete", "runs rm -rf a/**/[Xx]"],
      ["find . -type d -empty -delete", "reads . tree"],
      ["find d -empty -delete", "runs rm -rf d/**"],
      ["find . -type d -empty -o -delete", "runs rm -rf ."],
    ],
  },
  "fd fdfind": {
    lists: foundByFd,
    readOnly: true,
    is: { "file-finder": true },
    options: FD_OPTIONS,
    reads: operandsFrom(1),
    tree: true,
    runs: ({ name, args }) => {
      const at = args.findIndex(({ text }) => /^(?:-[xX]|--exec|--exec-batch)$/.test(text));
      const words = at < 0 ? [] : args.slice(at + 1);
      if (words.length === 0) return [];
      const hasPlace = words.some(({ text }) => text.includes("{"));
      return foundByFd(args.slice(0, at)).map(
        (path): Inner => ({
          runs: "words",
          words: hasPlace ? words.map((word) => filled(word, "{}", path)) : [...words, path],
          via: name,
          isProgram: true,
        }),
      );
    },
    examples: [
      ["fd -e ts x src", "reads src tree"],
      ["fd x -x rm", "runs rm **"],
      ["fdfind x -x rm", "runs rm **"],
      ["fd -e ts . src -x rm {}", "runs rm src/**/*.ts"],
      ["fd '^\\.DS_Store$' -X rm", "runs rm **/.DS_Store"],
      ["fd -t d node_modules -X rm -rf", "runs rm -rf **/node_modules"],
      ["fd -g x -x rm", "runs rm **/[xX]"],
      ["fd -i -g X -x rm", "runs rm **/x"],
    ],
  },
});

/** The paths that `find` prints, as patterns. */
function foundBy(args: readonly Field[]): readonly Field[] | undefined {
  const formats = args.filter((_, at) => args[at - 1]?.text === "-printf").map(({ text }) => text);
  // The folder of a found file, its root, or the target of a symlink.
  if (formats.some((format) => /%[-\d.]*[hHl]/.test(format))) return undefined;
  const { roots, end } = rootsOf(args);
  const found = end < 0 ? "all" : printedOf(args, end);
  // `-printf %P` and `%f` omit the folder.
  const isInner = formats.some((format) => /%[-\d.]*[Pf]/.test(format));
  const place = roots.length === 0 || isInner ? [fieldOf(".")] : roots.slice(0, LIMITS.turns);
  return place.flatMap((root) =>
    typeof found === "string" ? [foundIn(root, "below")] : found.map((one) => foundIn(root, one)),
  );
}

function rootsOf(args: readonly Field[]): { readonly roots: readonly Field[]; readonly end: number } {
  const from = args.findIndex(({ text }, index) => !/^-[HLPDO]/.test(text) && args[index - 1]?.text !== "-D");
  const end = args.findIndex(({ text }, index) => index >= Math.max(from, 0) && /^(?:-|[(!,)]$)/.test(text));
  return { roots: from < 0 || end === from ? [] : args.slice(from, end < 0 ? undefined : end), end };
}

function innersOf({ at, name: action, to }: FindAction, name: string, args: readonly Field[], roots: Field[]): Inner[] {
  if (action.startsWith("-f"))
    return [{ runs: "words", words: [fieldOf("tee"), args[at + 1] ?? fieldOf("")], via: name }];
  const paths = roots.flatMap((root) =>
    typeof to === "string" ? [foundIn(root, to)] : to.map((one) => foundIn(root, one)),
  );
  if (action === "-delete")
    return paths.map((path) => ({
      runs: "words",
      words: [fieldOf("rm"), fieldOf("-rf"), path],
      via: `${name} -delete`,
    }));
  const words = args.slice(at + 1, endOfCommand(args, at));
  // Every path is passed separately, so that a program that does not take folders still gets all files.
  const handed = to === "all" ? [...paths, ...roots.map((root) => foundIn(root, "below"))] : paths;
  return handed.map((path) => ({
    runs: "words",
    words: words.map((word) => filled(word, "{}", path)),
    via: `${name} ${action}`,
    isProgram: true,
  }));
}

/** What is found under a root, as a glob: the root itself if nothing narrows the search. */
function foundIn(root: Field, what: "all" | "below" | Field): Field {
  if (what === "all") return root;
  const text = `${withoutLastSlash(root.text)}/**${what === "below" ? "" : `/${what.text}`}`;
  return patternOf(text);
}

/** What `fd` finds, as globs; its own pattern applies if it describes whole names or endings. */
function foundByFd(args: readonly Field[]): readonly Field[] {
  const run = readOptions(args, FD_OPTIONS);
  const [wanted, ...folders] = run.operands;
  const endings = values(run, "extension").map(({ text }) => `/*.${text.replace(/^\./, "")}`);
  const pieces = endings.length > 0 ? endings : [nameFor(wanted?.text ?? "", has(run, "glob"))];
  // A pattern in lower case also matches upper case.
  const isAnyCase = has(run, "ignore-case") || (!has(run, "case-sensitive") && !/[A-Z]/.test(wanted?.text ?? ""));
  const names = pieces.flatMap((piece) => (isAnyCase || endings.length > 0 ? casesOf(piece) : [piece]));
  const base = value(run, "base-directory") ?? value(run, "search-path");
  const roots = folders.length > 0 ? folders : base === undefined ? [undefined] : [base];
  return roots.flatMap((root) =>
    names.map((name): Field => {
      const text = `${inside(root?.text ?? "")}**${name}`;
      return patternOf(text);
    }),
  );
}

/** `^name$` and `\.end$`, or a glob; other patterns do not restrict the name enough. */
function nameFor(pattern: string, isGlob: boolean): string {
  if (isGlob) return pattern === "" ? "" : `/${pattern}`;
  // A long name with an underscore is rarely part of another name: `node_modules`.
  if (pattern.length > 9 && /^[a-z]*_[\w]+$/i.test(pattern)) return `/${pattern}`;
  const [, start, name] = /^(\^?)((?:\\\.|[\w.-])+)\$$/.exec(pattern) ?? [];
  return name === undefined ? "" : `/${start === "^" ? "" : "*"}${name.replaceAll("\\.", ".")}`;
}

function inside(folder: string): string {
  return folder === "" || folder === "." ? "" : `${withoutLastSlash(folder)}/`;
}

/** Something that `find` does with what it finds. */
interface FindAction {
  /** Its position among the arguments. */
  readonly at: number;
  readonly name: string;
  /** The paths under a root that it applies to: all with the root, all below it, or those with one of the names. */
  readonly to: Found;
}

/** The paths that have passed the tests. */
type Found = "all" | "below" | readonly Field[];

/** The actions of an expression of `find`; a test restricts an action only if it must hold before the action is reached. */
function actionsOf(words: readonly Field[], from: number): FindAction[] {
  const actions: FindAction[] = [];
  const start: Found = words.some(({ text }) => text === "-mindepth") ? "below" : "all";
  const state: State = { words, at: from, actions, prints: [], emptyFolders: ofEmptyFolders(words) };
  while (state.at < words.length) readAlternatives(state, start, 0);
  return actions;
}

/** What an expression of `find` prints: the paths that reach a `-print`, or without one those that pass the expression. */
function printedOf(words: readonly Field[], from: number): Found {
  const start: Found = words.some(({ text }) => text === "-mindepth") ? "below" : "all";
  const state: State = { words, at: from, actions: [], prints: [], emptyFolders: ofEmptyFolders(words) };
  let passed: Found | undefined;
  while (state.at < words.length) {
    const next = readAlternatives(state, start, 0);
    passed = passed === undefined ? next : either(passed, next);
  }
  return state.prints.length > 0 ? state.prints.reduce(either) : (passed ?? start);
}

interface State {
  readonly words: readonly Field[];
  at: number;
  readonly actions: FindAction[];
  /** The paths that reach each action that prints. */
  readonly prints: Found[];
  /** The range in which `-delete` removes only empty folders. */
  readonly emptyFolders: Range;
}

/** Reads up to a closing parenthesis: `-o` and `,` begin again with the given paths. */
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
      if (ACTION.test(text) && !(text === "-delete" && isWithin(at, state.emptyFolders)))
        state.actions.push({ at, name: text, to: passed });
      if (/^-(?:print0?|printf|ls)$/.test(text)) state.prints.push(passed);
      const next = passedBy(text, state.words[at + 1], passed);
      if (!isNegated) passed = next;
      state.at = behind(state.words, at, text);
    }
    isNegated = false;
  }
  return [...alternatives, passed].reduce(either);
}

/** The first and the last position of a range of arguments. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The range after `-type d -empty`, up to a negation or an alternative: removing such folders loses nothing. */
function ofEmptyFolders(words: readonly Field[]): Range {
  const placeOf = (test: string) => words.findIndex(({ text }) => text === test);
  const [empty, type] = [placeOf("-empty"), placeOf("-type")];
  if (empty === -1 || type === -1 || words[type + 1]?.text !== "d") return { from: 0, to: -1 };
  const turn = words.findIndex(({ text }) => TURNS.has(text));
  return { from: Math.max(empty, type + 1) + 1, to: turn === -1 ? words.length : turn };
}

function isWithin(at: number, { from, to }: Range): boolean {
  return from <= at && at <= to;
}

const TURNS: ReadonlySet<string> = new Set(["!", "-not", "-o", "-or", ",", "("]);

const DEEPEST = 64;
const ACTION = /^-(?:delete|fprint0?|fprintf|fls|exec|execdir|ok|okdir)$/;
const WITH_VALUE = () =>
  /^-(?:i?name|i?path|i?wholename|i?regex|regextype|i?lname|x?type|mindepth|maxdepth|[acm]time|[acm]min|size|a?newer|cnewer|newer[aBcm][aBcmt]|user|group|perm|uid|gid|fstype|inum|links|samefile|used|context|printf|fprint0?|fls|files0-from)$/;
const NARROWING = () =>
  /^-(?:i?path|i?wholename|i?regex|i?lname|x?type|[acm]time|[acm]min|size|a?newer|cnewer|newer[aBcm][aBcmt]|empty|user|group|perm|uid|gid|inum|links|samefile)$/;

function passedBy(test: string, value: Field | undefined, before: Found): Found {
  if (typeof before !== "string") return before;
  if (test === "-name" && value !== undefined) return [unescaped(value)];
  if (test === "-iname" && value !== undefined) return inAnyCase(unescaped(value));
  if (test === "-regex" && value !== undefined) return namesBy(value) ?? "below";
  if (test === "-iregex" && value !== undefined) return namesBy(value)?.flatMap(inAnyCase) ?? "below";
  return NARROWING().test(test) ? "below" : before;
}

/** `.\\env` is `.env` for `find`; an escaped glob character is that character. */
function unescaped(name: Field): Field {
  if (!name.text.includes("\\")) return name;
  return {
    ...name,
    text: name.text.replaceAll(/\\(.)/gs, (_, sign: string) => (/[*?[\]]/.test(sign) ? `[${sign}]` : sign)),
  };
}

/** The names of paths that match a regular expression such as `.*\\.\\(a\\|b\\)`; undefined if more than the name decides. */
function namesBy({ text, isKnown }: Field): readonly Field[] | undefined {
  const [, slash, rest] = /^\^?\.\*(\/?)([^/]+?)\$?$/.exec(text.replaceAll(/\\([()|])/g, "$1")) ?? [];
  if (!isKnown || rest === undefined) return undefined;
  const [, before = "", choice] = /^([^()|]*)\(([^()]+)\)$/.exec(rest) ?? [undefined, "", rest];
  const names = choice.split("|").map((one) => before + one);
  if (!names.every((name) => /^(?:[\w-]|\\\.|\[\w+\])+$/.test(name))) return undefined;
  return names.map((name) => {
    // A long name with an underscore is rarely the end of another name: `__pycache__`.
    const isWhole = slash === "/" || /^(?=.{10})\w*_\w+$/.test(name);
    const glob = (isWhole ? "" : "*") + name.replaceAll("\\.", ".");
    return { text: glob, isKnown: true, isGlob: false };
  });
}

/** The position of the next test. */
function behind(words: readonly Field[], at: number, text: string): number {
  if (text === "-fprintf") return at + 3;
  if (/^-(?:exec|ok)(?:dir)?$/.test(text)) return endOfCommand(words, at) + 1;
  return at + (WITH_VALUE().test(text) ? 2 : 1);
}

/** The position at which the command after `-exec` ends. */
function endOfCommand(words: readonly Field[], at: number): number {
  let end = at + 1;
  while (end < words.length && words[end]?.text !== ";" && !(words[end]?.text === "+" && words[end - 1]?.text === "{}"))
    end++;
  return end;
}

function either(one: Found, other: Found): Found {
  if (one === "all" || other === "all") return "all";
  if (one === "below" || other === "below") return "below";
  const names = [...new Set([...one, ...other])];
  return names.length > MAX_NAMES ? "below" : names;
}

const MAX_NAMES = 64;
