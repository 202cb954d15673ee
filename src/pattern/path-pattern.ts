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
