import { GAP } from "../parse/command.ts";

/** What code calls a place that every user has: the home as `~`, the folder that it works in as `.`, a new one in `/tmp`. */
export function placeNamed(source: string): string | undefined {
  return PLACES.find(([place]) => place.test(source))?.[1];
}

/** A text with places for what is filled in: the home where it is that, else what only the run knows. */
export function withInsertionsRead(text: string): string {
  return text.replaceAll(INSERTED, (whole, inside: string | undefined) => {
    return placeNamed((inside ?? whole).replaceAll(/["'\s]/g, "")) ?? GAP;
  });
}

const INSERTED = /[$@]\w+(?:(?:->)?(?:\{[^{}]{0,80}\}|\[[^[\]]{0,80}\]))?|[#$@]?\{([^{}]*)(?:\}|$)/g;

/** A path that code puts together from the home and names. */
export function placeIn(source: string, depth = 0): string {
  const known = placeNamed(source);
  if (known !== undefined) return known;
  const [, called = "", inside] =
    /^((?:require\(\w+\)\.)?[\w.]*?\b(?:join|expanduser|expand_path|resolve|Path))\(([\s\S]*)\)$/.exec(source) ?? [];
  if (inside === undefined || depth > 4) return /^[\w~./-]+$/.test(source) && depth > 0 ? source : GAP;
  if (!called.endsWith("join") && !called.endsWith("resolve")) return placeIn(inside, depth + 1);
  return inside
    .split(/,(?![^()]*\))/)
    .map((piece) => placeIn(piece, depth + 1))
    .join("/");
}

/** What code calls the user's home, the folder that it works in, and a new one for files that do not last. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:process\.env(?:\.HOME|\[HOME\])|(?:\w+\.|require\(\w+\)\.)?homedir\(\)|(?:\$_)?ENV\[HOME\]|\$_SERVER\[HOME\]|ENV\.fetch\(HOME\)|\$ENV\{HOME\}|Dir\.home|(?:os\.path\.)?expanduser\(~\)|(?:pathlib\.)?Path\.home\(\)|os\.environ(?:\[HOME\]|\.get\(HOME\))|os\.getenv\(HOME\)|getenv\(HOME\)|Deno\.env\.get\(HOME\))$/,
    "~",
  ],
  [/^(?:(?:process|Deno)\.cwd\(\)|os\.getcwd\(\)|getcwd\(\)|Dir\.pwd|(?:pathlib\.)?Path\.cwd\(\)|__dirname)$/, "."],
  [
    /^(?:[\w.]+\.|require\(\w+\)\.)?(?:mkdtemp|mkdtempSync|mktmpdir|makeTempDir|makeTempDirSync)\([\s\S]*\)$/,
    "/tmp/made",
  ],
];
