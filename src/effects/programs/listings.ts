import { type Field, patternOf } from "../parse/value.ts";
import { has, value } from "./call.ts";
import { readOptions } from "./options.ts";

type Lister = (args: readonly Field[]) => readonly Field[] | undefined;

const SEARCH_OPTIONS =
  "regexp|e= file|f= max-count|m= after-context|A= before-context|B= context|C= glob|g= type|t= type-not|T= include= exclude= exclude-dir= files-with-matches|l files-without-match|L files name-only";

/** The files that a search names instead of showing their lines. */
export const search: Lister = (args) => {
  if (!args.some(({ text }) => LISTS.test(text))) return undefined;
  const options = readOptions(args, SEARCH_OPTIONS);
  if (!has(options, "files-with-matches", "files-without-match", "files", "name-only")) return undefined;
  return below(has(options, "regexp", "files") ? options.operands : options.operands.slice(1));
};

/** A fast test: most searches print lines, and most verbs of git do not print names. */
const LISTS = /^-[a-zA-Z]*[lL]|^--(?:files|name-only)/;
const LISTS_IN_GIT = /^(?:grep|ls-files|--name-only)$/;

/** The files whose names a verb of git prints. */
export const listedByGit: Lister = (args) => {
  if (!args.some(({ text }) => LISTS_IN_GIT.test(text))) return undefined;
  const options = readOptions(args, "C= c= exclude|x= exclude-from|X= files-with-matches|l name-only");
  const [verb, ...paths] = options.operands;
  if (verb?.text === "grep") return has(options, "files-with-matches", "name-only") ? below([]) : undefined;
  if (verb?.text !== "ls-files" && !has(options, "name-only")) return undefined;
  const wanted = verb?.text === "ls-files" ? paths : [];
  const folder = value(options, "C")?.text;
  return below(folder === undefined ? wanted : [patternOf(folder)]);
};

/** Everything in the folders; globs and names of files remain as they are. */
function below(paths: readonly Field[]): readonly Field[] {
  if (paths.length === 0) return [patternOf("**")];
  return paths.map((path) => {
    if (path.isGlob) return path;
    if (/[*?[]/.test(path.text)) return patternOf(path.text.includes("/") ? path.text : `**/${path.text}`);
    return FILE.test(path.text) ? path : patternOf(`${inside(path.text)}**`);
  });
}

/**
 * The names that a listing of folders prints. They do not contain the folder, so that they mean files in the folder that
 * the line puts before them. A listed file is printed as it is written.
 */
export const namesIn: Lister = (args) => {
  const options = readOptions(args, "ignore|I= width|w= tabsize|T= all|a almost-all|A f");
  const names = has(options, "all", "almost-all", "f") ? ["*", ".*"] : ["*"];
  const here = names.map(patternOf);
  if (options.operands.length === 0) return here;
  return options.operands.flatMap((path) => {
    if (path.isGlob || FILE.test(path.text)) return [path];
    const folder = inside(path.text);
    return folder === "" ? here : [...here, ...names.map((name) => patternOf(folder + name))];
  });
};

function inside(folder: string): string {
  return folder === "" || folder === "." || folder.endsWith("/") ? folder.replace(/^\.$/, "") : `${folder}/`;
}

const FILE = /[^/.]\.\w{1,5}$/;
