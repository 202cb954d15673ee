import type { SimpleCommand } from "../parse/command.ts";
import type { Stdin } from "../parse/shell-state.ts";
import type { Field } from "../parse/value.ts";
import { has, value } from "./call.ts";
import { foundBy, foundByFd } from "./finders.ts";
import { readOptions } from "./options.ts";

/** A program that may print names of files. */
interface Listing {
  readonly name: string;
  readonly args: readonly Field[];
  readonly stdin: Stdin;
}

/** The files whose names a program prints, as patterns; nothing where it prints something else. */
export function listedBy({ name, args, stdin }: Listing): readonly Field[] | undefined {
  if (stdin.listed !== undefined && FILTERS.test(name)) return stdin.listed;
  return LISTERS.get(name)?.(args);
}

/** What a substitution lists, by the commands that it has added; nothing where it prints something else. */
export function listedAtEnd(commands: readonly SimpleCommand[], from: number): Field | undefined {
  const last = commands.length > from ? commands.at(-1) : undefined;
  if (last?.program === undefined) return undefined;
  return LISTERS.get(last.program.text)?.(last.args)?.[0];
}

/** What lets names through as they are, some of them or all. */
const FILTERS = /^(?:grep|egrep|fgrep|rg|head|tail|sort|uniq|tac|shuf|cat|tee|tr)$/;

type Lister = (args: readonly Field[]) => readonly Field[] | undefined;

const SEARCH_OPTIONS =
  "regexp|e= file|f= max-count|m= after-context|A= before-context|B= context|C= glob|g= type|t= type-not|T= include= exclude= exclude-dir= files-with-matches|l files-without-match|L files name-only";

const search: Lister = (args) => {
  if (!args.some(({ text }) => LISTS.test(text))) return undefined;
  const options = readOptions(args, SEARCH_OPTIONS);
  if (!has(options, "files-with-matches", "files-without-match", "files", "name-only")) return undefined;
  return below(has(options, "regexp", "files") ? options.operands : options.operands.slice(1));
};

/** Told at a glance: most searches print lines, and most of git prints no names. */
const LISTS = /^-[a-zA-Z]*[lL]|^--(?:files|name-only)/;
const LISTS_IN_GIT = /^(?:grep|ls-files|--name-only)$/;

const ROWS: Readonly<Record<string, Lister>> = {
  find: foundBy,
  gfind: foundBy,
  ls: (args) => namesIn(readOptions(args, "ignore|I= width|w= tabsize|T=").operands),
  git: (args) => {
    if (!args.some(({ text }) => LISTS_IN_GIT.test(text))) return undefined;
    const options = readOptions(args, "C= c= exclude|x= exclude-from|X= files-with-matches|l name-only");
    const [verb, ...paths] = options.operands;
    if (verb?.text === "grep") return has(options, "files-with-matches", "name-only") ? below([]) : undefined;
    if (verb?.text !== "ls-files" && !has(options, "name-only")) return undefined;
    const wanted = verb?.text === "ls-files" ? paths : [];
    const folder = value(options, "C")?.text;
    return below(folder === undefined ? wanted : [patternOf(folder)]);
  },
  fd: foundByFd,
  fdfind: foundByFd,
  rg: search,
  grep: search,
  egrep: search,
  ag: search,
  ack: search,
};
const LISTERS: ReadonlyMap<string, Lister> = new Map(Object.entries(ROWS));

/** Everything in the folders; patterns and names of files stay as they are. */
function below(paths: readonly Field[]): readonly Field[] {
  if (paths.length === 0) return [patternOf("**")];
  return paths.map((path) => {
    if (path.isGlob) return path;
    if (/[*?[]/.test(path.text)) return patternOf(path.text.includes("/") ? path.text : `**/${path.text}`);
    return FILE.test(path.text) ? path : patternOf(`${inside(path.text)}**`);
  });
}

function namesIn(paths: readonly Field[]): readonly Field[] {
  if (paths.length === 0) return [patternOf("*")];
  return paths.map((path) => (path.isGlob || FILE.test(path.text) ? path : patternOf(`${inside(path.text)}*`)));
}

function inside(folder: string): string {
  return folder === "" || folder === "." || folder.endsWith("/") ? folder.replace(/^\.$/, "") : `${folder}/`;
}

function patternOf(text: string): Field {
  return { text, isKnown: false, isGlob: true, pattern: text };
}

const FILE = /[^/.]\.\w{1,5}$/;
