import { LIMITS } from "../../parse/limits.ts";
import { type Field, fieldOf } from "../../parse/value.ts";
import { fd } from "./fd.ts";
import { actionsOf, endOfCommand, type FindAction, passedOf } from "./found-by.ts";
import type { Inner, Wrapper } from "./wrapper.ts";
import { filled } from "./xargs.ts";

const find: Wrapper = {
  examples: [
    ["find x -delete", "rm -rf x"],
    ["find . -name x -delete", "rm -rf ./**/x"],
    ["find . -name x -exec rm -rf {} +", "rm -rf ./**/x"],
    ["find . -name '*.o' -execdir rm {} ';'", "rm ./**/*.o"],
    ["find a -type f -ok sh -c 'rm \"$1\"' _ {} \\;", "rm a/**"],
    ["find . -fprintf x %p", "tee x"],
    ["find a -name x -o -delete", "rm -rf a"],
    ["find a ! -name x -delete", "rm -rf a"],
    ["find a -not '(' -name x -o -name y ')' -exec rm {} +", "rm a"],
    ["find a '(' -name x -o -name y ')' -delete", "rm -rf a/**/y"],
    ["find a -exec rm {} +", "rm a/**"],
    ["find a -name x , -delete", "rm -rf a"],
    ["find a -name -o -delete", "rm -rf a/**/-o"],
  ],
  unwrap: ({ name, args }) => {
    const { roots, end } = rootsOf(args);
    const inners: Inner[] = [];
    for (const action of end < 0 ? [] : actionsOf(args, end)) {
      // More than that is never run: the reading ends with a doubt before.
      if (inners.length > LIMITS.commands) break;
      const place = roots.length === 0 ? [fieldOf(".")] : roots.slice(0, LIMITS.turns);
      if (roots.length > place.length) inners.push({ runs: "doubt", why: "too many commands", what: `${name} …` });
      inners.push(...innersOf(action, name, args, place));
    }
    return inners;
  },
};

/** The paths that `find` prints, as patterns. */
export function foundBy(args: readonly Field[]): readonly Field[] {
  const { roots, end } = rootsOf(args);
  const found = end < 0 ? "all" : passedOf(args, end);
  const place = roots.length === 0 ? [fieldOf(".")] : roots.slice(0, LIMITS.turns);
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
  // Every path is handed over by itself, so that a program that takes no folders still gets all files.
  const handed = to === "all" ? [...paths, ...roots.map((root) => foundIn(root, "below"))] : paths;
  return handed.map((path) => ({
    runs: "words",
    words: words.map((word) => filled(word, "{}", path)),
    via: `${name} ${action}`,
    isProgram: true,
  }));
}

/** What is found under a root, as a pattern: the root itself where nothing narrows the search. */
function foundIn(root: Field, what: "all" | "below" | Field): Field {
  if (what === "all") return root;
  const text = `${root.text.replace(/(.)\/+$/, "$1")}/**${what === "below" ? "" : `/${what.text}`}`;
  return { text, isKnown: false, isGlob: true, pattern: text };
}

/** `find` and what works like it. */
export const FIND_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  find,
  gfind: { ...find, examples: [["gfind x -delete", "rm -rf x"]] },
  fd,
  fdfind: { ...fd, examples: [["fdfind x -x rm", "rm **"]] },
};
