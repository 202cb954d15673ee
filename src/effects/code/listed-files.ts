import { GAP } from "../parse/command.ts";
import type { Field } from "../parse/value.ts";
import { isUnknownRemoval, isUnknownWrite, MOVES } from "../programs/equivalents.ts";
import { placeNamed, withInsertionsRead } from "./places.ts";
import type { Inner } from "../programs/program.ts";

/**
 * What code removes without naming it are the files that it has listed before, where the code says which; where it does
 * not, only the run knows.
 */
export function withListedFiles(
  inners: readonly Inner[],
  code: string,
  filled: RegExp | undefined,
  fromInput: readonly Field[] | undefined,
): Inner[] {
  let listed: readonly Field[] | undefined;
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
        : [inner, { runs: "doubt", why: "unknown code", what: code.slice(0, MOST_TOLD) }];
    const [program, ...paths] = inner.words;
    if (program?.text === MOVES) return [{ ...inner, words: [program, ...found, ...paths.slice(1)] }];
    const named = inner.words.filter(({ text }) => !text.includes(GAP));
    return [{ ...inner, words: [...named, ...found] }];
  });
}

/** `<*.o>` of perl lists files. */
export function withGlobCalls(code: string): string {
  return code.replaceAll(/<([^<>\s"'=;]*[*?][^<>\s"'=;]*)>/g, 'glob("$1")');
}

function listedIn(code: string, filled: RegExp | undefined): readonly Field[] {
  const found: Field[] = [];
  for (const [, owner, name = "", quote, quoted, bare] of code.matchAll(LISTS)) {
    const place = owner === undefined ? "" : `${placeNamed(owner.replaceAll(/["'\s]/g, "")) ?? GAP}/`;
    const stated = `${place}${quoted ?? bare ?? "."}`.replace(/(.)\/+$/, "$1");
    const isFilled = quote === "`" ? stated.includes("${") : quote === '"' && filled?.test(stated) === true;
    const text = isFilled ? withInsertionsRead(stated) : stated;
    const inside = text === "." ? "" : `${text}/`;
    if (/glob|^Dir$/i.test(name)) found.push(pattern(name.startsWith("r") ? `**/${text}` : text));
    else {
      const isDeep = /^(?:walk|find|RecursiveDirectoryIterator)$/.test(name);
      found.push(pattern(`${inside}${isDeep ? "**" : "*"}`));
      if (!isDeep && meansHidden(code)) found.push(pattern(`${inside}.*`));
    }
    if (found.length >= MOST) break;
  }
  return found;
}

/** Whether code that lists a folder speaks of names that begin with a dot, and not only of endings. */
function meansHidden(code: string): boolean {
  const others = code.replaceAll(/(?:ends_?with|extname|suffix|splitext|\bext)\b[^;\n]{0,40}/gi, "");
  return /['"`]\.\w|\^\\\./.test(others);
}

const LISTS =
  /(?:\b((?:pathlib\.)?Path\.(?:home|cwd)\(\))\.)?\b(r?glob|iglob|globSync|Dir|listdir|scandir|readdirSync|readdir|readDirSync|walk|children|entries|foreach|each_child|opendir|iterdir|list\.files|(?:Recursive)?DirectoryIterator)\s*[([]?\s*(?:(?:os\.path\.)?expanduser\(\s*)?(?:(['"`])([^'"`]+)['"`]|(?<=\()(\.?)(?=\)))/g;
/** What comes in by the standard input, line by line or whole. */
export const READS_INPUT =
  /\bstdin\b|<(?:STDIN)?>|\bARGF\b|\bgets\b|\breadFileSync\(\s*0|\/dev\/stdin|php:\/\/stdin|\breadlines?\b|\$argn\b|\binput\(|\breadLines\(|\bio\.(?:lines|read)\b/i;
const MOST = 64;
const MOST_TOLD = 80;

function pattern(text: string): Field {
  return { text, isKnown: false, isGlob: true, pattern: text };
}
