import { GAP } from "../parse/command.ts";
import { type Field, patternOf } from "../parse/value.ts";
import { withoutLastSlash } from "../paths.ts";
import { isUnknownRemoval, isUnknownWrite, MOVES } from "../programs/equivalents.ts";
import type { Inner } from "../programs/program.ts";
import { placeNamed, withInsertionsRead } from "./literal.ts";

/**
 * What code removes without naming it are the files that it has listed before, if the code shows which; if it does
 * not, the files are known only at run time.
 */
export function withListedFiles(
  inners: readonly Inner[],
  code: string,
  filled: RegExp | undefined,
  fromInput: readonly Field[] | undefined,
): Inner[] {
  let listed: readonly Field[] | undefined;
  const listedIn = (text: string, inserted: RegExp | undefined) =>
    isUnlisted(text) ? [] : filesListedIn(text, inserted);
  return inners.flatMap((inner): Inner[] => {
    if (isUnknownWrite(inner)) {
      listed ??= listedIn(code, filled);
      return listed.length === 0 ? [inner] : listed.map((path) => ({ ...inner, path }));
    }
    if (!isUnknownRemoval(inner)) return [inner];
    listed ??= [...listedIn(code, filled), ...(fromInput ?? [])];
    const found = listed;
    if (found.length === 0)
      return inner.words[0]?.text === MOVES
        ? [inner]
        : [inner, { runs: "doubt", why: "unknown code", what: code.slice(0, MAX_TOLD) }];
    const [program, ...paths] = inner.words;
    // Hidden files of a folder that is emptied into another rarely replace something.
    const moved = found.filter(({ text }) => !text.endsWith("/.*"));
    if (program?.text === MOVES) return [{ ...inner, words: [program, ...moved, ...paths.slice(1)] }];
    const named = inner.words.filter(({ text }) => !text.includes(GAP));
    return [{ ...inner, words: [...named, ...found] }];
  });
}

/** `<*.o>` of perl lists files. */
export function withGlobCalls(code: string): string {
  return code.replaceAll(/<([^<>\s"'=;]*[*?][^<>\s"'=;]*)>/g, 'glob("$1")');
}

/**
 * Whether everything that code removes is named by a variable that was set, and that no listing has anything to do with:
 * `out = root / "dist"`, while the files of another folder are listed to be read.
 */
function isUnlisted(code: string): boolean {
  const names = new Set<string>();
  for (const [, given = ""] of code.matchAll(REMOVES())) {
    const [, name = "", next = ""] = /^\s*([A-Za-z_$][\w$]*)\s*([,)])/.exec(given) ?? [];
    if (next === "") return false;
    names.add(name);
  }
  if (names.size === 0 || names.size > MAX_FILES) return false;
  const seen = new Set<string>();
  const isSet = (name: string, depth: number): boolean => {
    if (seen.has(name)) return true;
    seen.add(name);
    const word = name.replaceAll("$", "\\$");
    // A parameter, or the name that a loop gives to what it finds.
    const isGiven = [
      `\\bfor\\b[^\\n;]{0,80}?(?<![\\w$.])${word}\\b[^\\n;]{0,40}?\\b(?:in|of)\\b`,
      `\\b(?:def|function)\\b[^\\n(]{0,80}\\([^()\\n]{0,200}?(?<![\\w$.])${word}\\b`,
      `\\blambda\\b[^:\\n]{0,80}?(?<![\\w$.])${word}\\b`,
      `\\([^()\\n]{0,200}?(?<![\\w$.])${word}\\b[^()\\n]{0,200}\\)\\s*=>|(?<![\\w$.])${word}\\s*=>|\\|[^|\\n]{0,80}\\b${word}\\b[^|\\n]{0,80}\\|`,
    ].join("|");
    if (new RegExp(isGiven).test(code)) return false;
    const values = [...code.matchAll(new RegExp(`(?<![\\w$.])${word}\\s*=(?![=>])([^\\n;]{1,400})`, "g"))];
    return (
      values.length > 0 &&
      values.every(
        ([, value = ""]) =>
          !LISTING().test(value) &&
          (depth > MAX_DEPTH ||
            [...value.matchAll(/(?<![\w$.'"/-])([A-Za-z_$][\w$]*)(?!['"\w$]|\s*[(=])/g)].every(
              ([, inner = ""]) => !isAssigned(inner, code) || isSet(inner, depth + 1),
            )),
      )
    );
  };
  return [...names].every((name) => isSet(name, 0));
}

function isAssigned(name: string, code: string): boolean {
  return new RegExp(
    `(?<![\\w$.])${name.replaceAll("$", "\\$")}\\s*=(?![=>])|\\bfor\\b[^\\n;]{0,80}(?<![\\w$.])${name.replaceAll("$", "\\$")}\\s+(?:in|of)\\b`,
  ).test(code);
}

const MAX_DEPTH = 4;
const REMOVES = () =>
  /(?:(?<![\w.])(?:(?:os|fs|fsp|shutil|FileUtils|File|Dir|fs\.promises|promises)\.)?(?:rm(?:tree|Sync|dirSync|_rf|_r|dir)?|un(?:linkSync|link)|rimraf(?:Sync)?|removeSync|emptyDirSync|remove_tree|removedirs|remove|delete))\s*\(([^\n]{0,400})|\.(?:unlink|rm(?:dir|tree))\s*\(/g;
const LISTING = () =>
  /\b(?:r?glob|iglob|globSync|listdir|scandir|readdir(?:Sync)?|readDirSync|walk|children|entries|each_child|opendir|iterdir|list\.files|argv|input|stdin)\b/;

function filesListedIn(code: string, filled: RegExp | undefined): readonly Field[] {
  const found: Field[] = [];
  for (const { index, 1: owner, 2: name = "", 3: quote, 4: quoted, 5: bare } of code.matchAll(LISTS())) {
    const place = owner === undefined ? "" : `${placeNamed(owner.replaceAll(/["'\s]/g, "")) ?? GAP}/`;
    const stated = withoutLastSlash(`${place}${quoted ?? bare ?? "."}`);
    const isFilled = quote === "`" ? stated.includes("${") : quote === '"' && filled?.test(stated) === true;
    const text = isFilled ? withInsertionsRead(stated) : stated;
    const inside = text === "." ? "" : `${text}/`;
    if (name.startsWith("r") && /glob/.test(name)) found.push(patternOf(`**/${text}`));
    else if (/glob|^Dir$/i.test(name))
      found.push(patternOf(text), ...(globsHidden(code, index, owner, name) ? hiddenOf(text).map(patternOf) : []));
    else {
      const isDeep = /^(?:walk|find|RecursiveDirectoryIterator)$/.test(name);
      found.push(patternOf(`${inside}${isDeep ? "**" : "*"}`));
      if (!isDeep) found.push(...hiddenNames(code).map((one) => patternOf(inside + one)));
    }
    if (found.length >= MAX_FILES) break;
  }
  return found;
}

/** Whether the star of a glob finds names with a dot in front: it does for pathlib and Node, and elsewhere if an option of the call turns it on. */
function globsHidden(code: string, at: number, owner: string | undefined, name: string): boolean {
  if (name === "globSync" || owner !== undefined || SAYS_HIDDEN.test(code)) return true;
  return name === "glob" && /(?<!\bglob|\bDir)\.$/.test(code.slice(Math.max(at - 8, 0), at));
}

/** The names with a dot in front that fit a glob by its first sign. */
function hiddenOf(glob: string): readonly string[] {
  const [, folder = "", sign = "", rest = ""] = /^(.*\/)?(\*|\?|\[[^\]/]*\])([^/]*)$/s.exec(glob) ?? [];
  if (sign === "") return [];
  if (sign !== "*") return [`${folder}.${rest}`];
  return [`${folder}.*${rest}`, ...(rest.startsWith(".") && !SHORT_ENDING.test(rest) ? [folder + rest] : [])];
}

/** Nothing is called `.o` and no more. */
const SHORT_ENDING = /^\.\w{1,2}$/;
const MAX_COMPARED = 16;
const SAYS_HIDDEN = /include_hidden\s*=\s*True|DOTMATCH|\bdot:\s*true/;

/**
 * The names with a dot in front that code may choose from those of a folder, which it gets with all others: every one, or those
 * with the texts in them that it compares names with.
 */
function hiddenNames(code: string): readonly string[] {
  const others = code.replaceAll(/(?:ends_?with|extname|suffix|splitext|\bext)\b[^;\n]{0,40}/gi, "");
  const compared = [...code.matchAll(COMPARES())].map(([, called, before, end]) => called ?? before ?? `.${end}`);
  if (compared.length === 0 || compared.length > MAX_COMPARED || /['"`]\.\w|\^\\\./.test(others)) return [".*"];
  const telling = [...new Set(compared)].filter((text) => !SHORT_ENDING.test(text));
  return telling.map((text) => (text.startsWith(".") ? `${text}*` : `.*${text}*`));
}

/** `name.endswith("x")`, `"x" in name`, `/\\.x$/`: what a name is compared with, without signs of patterns. */
const COMPARES = () =>
  /(?:ends_?with|starts_?with|extname|suffix|splitext|\bext|includes?\??)\b[^;\n'"`]{0,20}['"`]([\w.-]{1,40})['"`]|['"`]([\w.-]{1,40})['"`]\s+in\b|\\\.(\w{1,8})\$\//gi;

const LISTS = () =>
  /(?:\b((?:pathlib\.)?Path\.(?:home|cwd)\(\))\.)?\b(r?glob|iglob|globSync|Dir|listdir|scandir|readdirSync|readdir|readDirSync|walk|children|entries|foreach|each_child|opendir|iterdir|list\.files|(?:Recursive)?DirectoryIterator)\s*[([]?\s*(?:(?:os\.path\.)?expanduser\(\s*)?(?:(['"`])([^'"`]+)['"`]|(?<=\()(\.?)(?=\)))/g;
/** What comes in by the standard input, line by line or whole. */
export const READS_INPUT =
  /\bstdin\b|<(?:STDIN)?>|\bARGF\b|\bgets\b|\breadFileSync\(\s*0|\/dev\/stdin|php:\/\/stdin|\breadlines?\b|\$argn\b|\binput\(|\breadLines\(|\bio\.(?:lines|read)\b/i;
const MAX_FILES = 64;
const MAX_TOLD = 80;
