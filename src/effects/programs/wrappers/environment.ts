import type { Word } from "../../parse/command.ts";
import type { Field } from "../../parse/value.ts";
import { optionsOf, type Wrapper } from "./wrapper.ts";

/** `env`: sets variables, splits a text into words, and runs them. */
const env: Wrapper = {
  examples: [
    ["env A=1 rm x", "rm x"],
    ["env -i -u B rm x", "rm x"],
    ["env -S 'rm -rf x'", "rm -rf x"],
    ["env -S'A=1 rm' x", "rm x"],
    ["env -C /tmp rm x", "rm x"],
    ["env C='rm x' sh -c 'eval \"$C\"'", "rm x"],
  ],
  unwrap: ({ args }) => {
    const options = optionsOf(args, ["-u", "-C", "-S", "--unset", "--chdir", "--split-string"]);
    const split = options.value("-S", "--split-string");
    const words: Field[] = [...(split === undefined ? [] : splitWords(split)), ...options.operands];
    const assignments: Record<string, Word> = {};
    while (words[0] !== undefined) {
      const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(words[0].text) ?? [];
      if (name === undefined || value === undefined) break;
      assignments[name] = { ...words[0], text: value };
      words.shift();
    }
    const folder = options.value("-C", "--chdir");
    if (words.length === 0) return [];
    return [
      {
        runs: "words",
        words,
        via: "env",
        isProgram: true,
        ...(Object.keys(assignments).length > 0 && { assignments }),
        ...(folder && { folder }),
      },
    ];
  },
};

/** Words as `env -S` and `xargs` split them: blanks, quotes and backslashes, nothing else. */
export function splitWords(line: Field): Field[] {
  const pieces = line.text.match(/(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g) ?? [];
  return pieces.map((piece) => ({
    ...line,
    text: piece.replaceAll(/'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g, (_, single, double, escaped) =>
      String(single ?? double?.replaceAll(/\\([\s\S])/g, "$1") ?? escaped),
    ),
  }));
}

const loader: Wrapper = {
  examples: [["/lib64/ld-linux-x86-64.so.2 /bin/rm x", "rm x"]],
  unwrap: ({ args }) => {
    const { operands } = optionsOf(args, ["--library-path", "--inhibit-rpath", "--audit", "--preload", "--argv0"]);
    return operands.length === 0 ? [] : [{ runs: "words", words: operands, via: "ld.so", isProgram: true }];
  },
};

const applets: Wrapper = {
  examples: [["busybox rm x", "rm x"]],
  unwrap: ({ name, args }) => (args.length === 0 ? [] : [{ runs: "words", words: args, via: name, isProgram: true }]),
};

/** Programs that choose another program or its surroundings. */
export const ENVIRONMENT_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env,
  genv: { ...env, examples: [["genv A=1 rm x", "rm x"]] },
  busybox: applets,
  toybox: { ...applets, examples: [["toybox rm x", "rm x"]] },
};

/** `git-push` is `git push`: parts of git are programs of their own. */
export function partOfGit(name: string): Wrapper | undefined {
  const [, verb] = /^git-([a-z][a-z-]*)$/.exec(name) ?? [];
  if (verb === undefined) return undefined;
  const fieldFor = (text: string): Field => ({ text, isKnown: true, isGlob: false });
  return {
    examples: [["git-push -f", "git push -f"]],
    unwrap: ({ args }) => [
      { runs: "words", words: [fieldFor("git"), fieldFor(verb), ...args], via: name, isProgram: true },
    ],
  };
}

/** The dynamic loader has a name for each machine. */
export function loaderFor(name: string): Wrapper | undefined {
  return /^(?:\/.*\/)?ld(?:-linux[\w-]*|-musl-\w+|64|-[\d.]+)?\.so(?:\.\d+)?$/.test(name) ? loader : undefined;
}
