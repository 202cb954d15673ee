import { Minimatch } from "minimatch";
import { expandBraces, type Test } from "./glob.ts";

/**
 * Compiles a file pattern: `*.md` looks at the file's name, `src/**` at the whole path, dot files count. The signs are
 * `*`, `**`, `?`, `[seq]` and `{a,b}`. Paths are normalised before they are compared, so that `a/../b` is `b`.
 */
export function compilePath(pattern: string): Test {
  const [only = pattern, ...others] = expandBraces(pattern);
  if (others.length === 0) return compilePlain(only);
  const tests = [only, ...others].map(compilePlain);
  return (path) => tests.some((test) => test(path));
}

function compilePlain(pattern: string): Test {
  const matcher = new Minimatch(pattern.replaceAll(/(^|\/)(?:\.\/)+/g, "$1"), {
    dot: true,
    matchBase: !pattern.includes("/"),
    nocomment: true,
    nonegate: true,
    noext: true,
    nobrace: true,
  });
  return (path) => matcher.match(path);
}

/** `a/./b//c/../d` as `a/b/d`; backslashes of Windows count as separators. */
export function normalisePath(path: string): string {
  if (!UNTIDY.test(path)) return path;
  const parts: string[] = [];
  const slashed = path.replaceAll("\\", "/");
  const rooted = slashed.startsWith("/");
  for (const part of slashed.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!rooted) parts.push("..");
  }
  return (rooted ? "/" : "") + parts.join("/");
}

const UNTIDY = /\\|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|.\/$/;

/** The path as seen from a folder, or as it is when it lies elsewhere. */
export function relativePath(path: string, folder: string): string {
  const base = normalisePath(folder).replace(/\/$/, "");
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

/** A normal path that begins at the root, or at the drive of Windows. */
export function isRooted(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(path);
}
