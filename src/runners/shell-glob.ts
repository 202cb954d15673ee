import { readdirSync } from "node:fs";
import { hasWildcard, nameTest } from "../effects/parse/words/pattern.ts";
import { entryAt, statsAt } from "../fs/resolve-path.ts";

/** How bash expands a pattern. */
interface Expansion {
  /** `dotglob`: a wildcard at the beginning of a name also matches a dot. */
  readonly hasDots: boolean;
  /** `globstar`: `**` matches any number of folders. */
  readonly isDeep: boolean;
}

/**
 * The names that bash puts in the place of a pattern in a folder, written as bash writes them; if none fits, the pattern itself
 * where a file has that name. Undefined if the pattern is not read here, or if too many files would have to be looked at.
 */
export function shellGlob(start: string, pattern: string, { hasDots, isDeep }: Expansion): string[] | undefined {
  const parts = partsOf(pattern, isDeep);
  if (parts === undefined) return undefined;
  const found: string[] = [];
  let left = MAX_ENTRIES;
  const entries = (written: string, isHidden: boolean) => {
    const all = entriesIn(onDisk(start, written)).filter(({ name }) => isHidden || !name.startsWith("."));
    left -= all.length;
    return all;
  };
  const add = (written: string) => {
    if (written !== "" && written !== "/") found.push(written.replace(/\/$/, ""));
  };
  /** `written` ends with a slash, or is empty. */
  const look = (written: string, at: number): void => {
    const part = parts[at];
    if (part === undefined || left < 0 || found.length > MAX_NAMES) return;
    const isLast = at === parts.length - 1;
    if (part.is === "name") {
      const path = written + part.name;
      if (!isLast) look(`${path}/`, at + 1);
      // A pattern that ends with a slash names folders only.
      else if (part.name === "" ? statsAt(onDisk(start, written))?.isDirectory() : entryAt(onDisk(start, path)))
        add(path);
    } else if (part.is === "tree") {
      if (!isLast) look(written, at + 1);
      else if (statsAt(onDisk(start, written))?.isDirectory()) add(written);
      for (const { name, isFolder } of entries(written, hasDots)) {
        if (isLast && !isFolder) add(written + name);
        if (isFolder) look(`${written}${name}/`, at);
      }
    } else
      for (const { name } of entries(written, hasDots || part.isHidden)) {
        if (!part.fits(name)) continue;
        if (isLast) add(written + name);
        else look(`${written}${name}/`, at + 1);
      }
  };
  look("", 0);
  if (left < 0 || found.length > MAX_NAMES) return undefined;
  if (found.length > 0) return [...new Set(found)];
  const literal = pattern.replaceAll(/\\(.)/g, "$1");
  return entryAt(onDisk(start, literal)) === undefined ? [] : [literal];
}

type Part =
  | { readonly is: "name"; readonly name: string }
  | { readonly is: "wild"; readonly fits: (name: string) => boolean; readonly isHidden: boolean }
  | { readonly is: "tree" };

function partsOf(pattern: string, isDeep: boolean): Part[] | undefined {
  const parts: Part[] = [];
  for (const text of pattern.split("/")) {
    if (text === "**" && isDeep) {
      // What bash makes of symlinks then follows no rule.
      if (parts.at(-1)?.is === "tree") return undefined;
      parts.push({ is: "tree" });
    } else if (hasWildcard(text)) {
      const fits = nameTest(text);
      if (fits === undefined) return undefined;
      parts.push({ is: "wild", fits, isHidden: /^\\?\./.test(text) });
    } else parts.push({ is: "name", name: text.replaceAll(/\\(.)/g, "$1") });
  }
  return parts;
}

function onDisk(start: string, written: string): string {
  return written.startsWith("/") ? written : `${start}/${written}`;
}

/** What is in a folder; an empty list for one that is missing or may not be read, as for the shell. */
export function entriesIn(folder: string): { readonly name: string; readonly isFolder: boolean }[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch {
    return [];
  }
}

const MAX_ENTRIES = 50_000;
const MAX_NAMES = 5_000;
