import { GAP } from "../parse/command.ts";
import type { Field } from "../parse/value.ts";
import { isUnknownRemoval } from "../programs/equivalents.ts";
import { withInsertionsRead } from "./places.ts";
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
    if (!isUnknownRemoval(inner)) return [inner];
    listed ??= [...listedIn(code, filled), ...((READS_INPUT.test(code) && fromInput) || [])];
    const found = listed;
    if (found.length === 0) return [inner, { runs: "doubt", why: "unknown code", what: code.slice(0, MOST_TOLD) }];
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
  for (const [, name = "", quote, quoted, bare] of code.matchAll(LISTS)) {
    const stated = (quoted ?? bare ?? ".").replace(/(.)\/+$/, "$1");
    const isFilled = quote === "`" ? stated.includes("${") : quote === '"' && filled?.test(stated) === true;
    const text = isFilled ? withInsertionsRead(stated) : stated;
    const inside = text === "." ? "" : `${text}/`;
    if (/glob|^Dir$/i.test(name)) found.push(pattern(name.startsWith("r") ? `**/${text}` : text));
    else found.push(pattern(`${inside}${/^(?:walk|find|RecursiveDirectoryIterator)$/.test(name) ? "**" : "*"}`));
    if (found.length >= MOST) break;
  }
  return found;
}

const LISTS =
  /\b(r?glob|iglob|globSync|Dir|listdir|scandir|readdirSync|readdir|readDirSync|walk|children|entries|foreach|each_child|opendir|iterdir|list\.files|(?:Recursive)?DirectoryIterator)\s*[([]?\s*(?:(['"`])([^'"`]+)['"`]|(?<=\()(\.?)(?=\)))/g;
/** What comes in by the standard input, line by line or whole. */
const READS_INPUT =
  /\bstdin\b|<(?:STDIN)?>|\bARGF\b|\bgets\b|\breadFileSync\(\s*0|\/dev\/stdin|php:\/\/stdin|\breadlines?\b|\$argn\b|\binput\(|\breadLines\(|\bio\.(?:lines|read)\b/i;
const MOST = 64;
const MOST_TOLD = 80;

function pattern(text: string): Field {
  return { text, isKnown: false, isGlob: true, pattern: text };
}
