import type { Field } from "../../parse/value.ts";
import { type Inner, optionsOf, type Wrapper } from "./wrapper.ts";
import { filled } from "./xargs.ts";

/** What `fd` finds, as patterns: its own pattern counts where it names whole names or endings. */
export function foundByFd(args: readonly Field[]): readonly Field[] {
  const { operands, value, values, has } = optionsOf(args, VALUED, true);
  const [wanted, ...folders] = operands;
  const endings = values("-e", "--extension").map(({ text }) => `/*.${text.replace(/^\./, "")}`);
  const names = endings.length > 0 ? endings : [nameFor(wanted?.text ?? "", has("-g", "--glob"))];
  const base = value("--base-directory", "--search-path");
  const roots = folders.length > 0 ? folders : base === undefined ? [undefined] : [base];
  return roots.flatMap((root) =>
    names.map((name): Field => {
      const text = `${inside(root?.text ?? "")}**${name}`;
      return { text, isKnown: false, isGlob: true, pattern: text };
    }),
  );
}

/** `^name$` and `\.end$`, or a glob; other patterns say too little. */
function nameFor(pattern: string, isGlob: boolean): string {
  if (isGlob) return pattern === "" ? "" : `/${pattern}`;
  // A long name with parts of its own is hardly a part of another one: `node_modules`.
  if (pattern.length > 9 && /^[a-z]*_[\w]+$/i.test(pattern)) return `/${pattern}`;
  const [, start, name] = /^(\^?)((?:\\\.|[\w.-])+)\$$/.exec(pattern) ?? [];
  return name === undefined ? "" : `/${start === "^" ? "" : "*"}${name.replaceAll("\\.", ".")}`;
}

function inside(folder: string): string {
  return folder === "" || folder === "." ? "" : `${folder.replace(/(.)\/+$/, "$1")}/`;
}

/** `fd` with a command for what it finds. */
export const fd: Wrapper = {
  examples: [
    ["fd x -x rm", "rm **"],
    ["fd -e ts . src -x rm {}", "rm src/**/*.ts"],
    ["fd '^\\.DS_Store$' -X rm", "rm **/.DS_Store"],
    ["fd -t d node_modules -X rm -rf", "rm -rf **/node_modules"],
  ],
  unwrap: ({ name, args }) => {
    const at = args.findIndex(({ text }) => /^(?:-[xX]|--exec|--exec-batch)$/.test(text));
    const words = at < 0 ? [] : args.slice(at + 1);
    if (words.length === 0) return [];
    const hasPlace = words.some(({ text }) => text.includes("{"));
    return foundByFd(args.slice(0, at)).map(
      (path): Inner => ({
        runs: "words",
        words: hasPlace ? words.map((word) => filled(word, "{}", path)) : [...words, path],
        via: name,
        isProgram: true,
      }),
    );
  },
};

const VALUED = [
  ..."-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -S --size -j --threads".split(" "),
  ..."--changed-within --changed-before -o --owner -c --color --base-directory --search-path".split(" "),
];
