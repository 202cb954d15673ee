import { GAP, type Word } from "../parse/command.ts";
import { joined } from "../parse/run/reader.ts";
import { type Field, fieldOf } from "../parse/value.ts";
import { has, value, values } from "./call.ts";
import { readOptions } from "./options.ts";
import type { Inner, Interpreter, Invocation, Language, Program, Runs, Use } from "./program.ts";

/** Runs its operands as a program, after operands and perhaps options of its own. */
export function restAsProgram(after = 0, late = ""): Runs {
  return ({ name, operands }) => asProgram(name, behind(operands, after, late));
}

/** The row of a program that runs the rest of its arguments; the example runs `rm x`. */
export function prefix(example: string, options = "", after = 0): Program {
  return { options, style: "first", runs: restAsProgram(after), examples: [[example, "runs rm x"]] };
}

/** A verb that runs the rest of its arguments. */
export function runVerb(options = "", after = 0): Use {
  return { options, style: "first", runs: restAsProgram(after, options) };
}

/** These words as a program, and not as a function of the shell. */
export function asProgram(via: string, words: readonly Field[]): readonly Inner[] {
  return words.length === 0 ? [] : [{ runs: "words", words, via, isProgram: true }];
}

/** The words after the program's own operands, without options and the `--` between them. */
export function behind(operands: readonly Field[], after: number, late = ""): readonly Field[] {
  const words = operands.slice(after);
  const bare = words[0]?.text === "--" ? words.slice(1) : words;
  return late === "" || words !== bare ? bare : readOptions(bare, late, "first").operands;
}

/** Runs the values of these options as command lines. */
export function optionsAsLines(...options: readonly string[]): Runs {
  return (run) => lines(run, ...options);
}

/** The values of these options, as command lines. */
export function lines(run: Invocation, ...options: readonly string[]): readonly Inner[] {
  const found = values(run, ...options);
  const [first = ""] = options;
  const via = `${run.name} ${first.length > 1 ? "--" : "-"}${first}`;
  return found.map((text): Inner => ({ runs: "shell", text, via }));
}

/** Runs its operands, joined by blanks, as a command line. */
export function restAsLine(after = 0): Runs {
  return ({ name, operands }) => asLine(name, operands.slice(after));
}

/** These words, joined by blanks, as a command line. */
export function asLine(via: string, words: readonly Field[]): readonly Inner[] {
  return words.length === 0 ? [] : [{ runs: "shell", text: joined(words), via }];
}

/** Runs the arguments after `--`. */
export const behindDashes: Runs = ({ name, args }) => {
  const at = args.findIndex(({ text }) => text === "--");
  return at < 0 ? [] : asProgram(name, args.slice(at + 1));
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

/** `A=1 rm x`: a program with variables. */
export function withVariables(via: string, given: readonly Field[], folder?: Word): readonly Inner[] {
  const assignments: Record<string, Word> = {};
  let at = 0;
  for (; at < given.length; at++) {
    const word = given[at] as Field;
    const [, name, text] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word.text) ?? [];
    if (name === undefined || text === undefined) break;
    assignments[name] = { ...word, text };
  }
  const hasVariables = at > 0;
  const words = given.slice(at);
  if (words.length === 0) return [];
  return [
    { runs: "words", words, via, isProgram: true, ...(hasVariables && { assignments }), ...(folder && { folder }) },
  ];
}

/** The word with its placeholder replaced by the item. */
export function filled(word: Field, sign: string, item: Field): Field {
  if (sign === "" || !word.text.includes(sign)) return word;
  const text = word.text.replaceAll(sign, () => item.text);
  return text === item.text ? item : { text, isKnown: word.isKnown && item.isKnown, isGlob: item.isGlob };
}

/**
 * A line that is run for every file that a glob matches. The glob is the value of a variable, so that it is also expanded
 * in quotes.
 */
export function lineOver(item: Field, text: string, via: string): Inner {
  const line = text.replaceAll(`'${GAP}'`, GAP).replaceAll(GAP, ITEM.text);
  return {
    runs: "words",
    words: [fieldOf("sh"), fieldOf("-c"), fieldOf(line)],
    assignments: { [ITEM_NAME]: item },
    via,
  };
}

/** The variable of an item. */
export const ITEM_NAME = "_ITEM";
/** Represents the value of an item in a line. */
export const ITEM = fieldOf(`\${${ITEM_NAME}}`);

/** Whether something that could be run is on the standard input. */
export function hasInput({ stdin }: Invocation): boolean {
  return stdin.input.from !== "nothing" || stdin.text !== "";
}

/** Runs code of another language: from an option, from a file, or from the standard input. */
export function interpreted({ language, code = [], file, script }: Interpreter): Runs {
  return (run) => {
    const { name, operands } = run;
    const texts = values(run, ...code);
    if (texts.length > 0) {
      const text = {
        ...fieldOf(texts.map((one) => one.text).join("\n")),
        isKnown: texts.every(({ isKnown }) => isKnown),
      };
      const via = `${name} -${(code[0] ?? "").length > 1 ? "-" : ""}${code[0]}`;
      const isPerLine = (language === "perl" || language === "ruby") && has(run, "n", "p");
      return [{ runs: "code", language, text, via, isPerLine }];
    }
    if (has(run, "version", "help") || value(run, "module") !== undefined) return [];
    const named = file === undefined ? undefined : value(run, file);
    const stated = named ?? (script === undefined ? operands[0] : operands.find(({ text }) => script.test(text)));
    const path = stated && fileOfModule(stated, language, run);
    if (path !== undefined && path.text !== "-" && path.text !== "/dev/stdin")
      return script !== undefined && run.file(path) === undefined
        ? []
        : [{ runs: "file", path, language, via: script === undefined ? name : `${name} run` }];
    const isInput = script === undefined || path !== undefined || operands.length === 0;
    return isInput && hasInput(run) ? [{ runs: "input", language, via: name }] : [];
  };
}

/** The file of a script that is named without its ending, or by its folder. */
function fileOfModule(path: Word, language: Language, { file }: Invocation): Word {
  if (language !== "python" && language !== "javascript") return path;
  if (path.text === "-" || path.text.includes(GAP) || file(path) !== undefined) return path;
  const text = moduleFiles(path.text, language).find((one) => file({ ...path, text: one }) !== undefined);
  return text === undefined ? path : { ...path, text };
}

/** The files that a module may be, in order of precedence, relative to the folder of the run. */
export function moduleFiles(name: string, language: Language, folders: readonly string[] = []): readonly string[] {
  switch (language) {
    case "javascript":
      return ["", ...JAVASCRIPT_ENDINGS.flatMap((ending) => [ending, `/index${ending}`])].map((end) =>
        (name + end).replace("//", "/"),
      );
    case "python": {
      const path = /\.py$|\//.test(name) ? name : name.replaceAll(".", "/");
      return inFolders([`${path}/__main__.py`, `${path}.py`, `${path}/__init__.py`, path], ["", ...folders]);
    }
    case "perl": {
      const [bare = ""] = name.replace(/^-/, "").split(/[=\s]/);
      return /[./]/.test(bare) ? [bare] : inFolders([`${bare.replaceAll("::", "/")}.pm`], folders);
    }
    case "ruby":
      return inFolders([name, `${name}.rb`], name.startsWith(".") || name.startsWith("/") ? [""] : folders);
    case "lua":
      return [`${name.replaceAll(".", "/")}.lua`, name];
    default:
      return [name];
  }
}

function inFolders(names: readonly string[], folders: readonly string[]): string[] {
  return folders.flatMap((folder) => names.map((name) => (folder === "" ? name : `${folder}/${name}`)));
}

const JAVASCRIPT_ENDINGS = [".js", ".cjs", ".mjs", ".ts", ".json"];

/** What a pattern captures in words, as command lines. */
export function linesIn(words: readonly Field[], pattern: RegExp, via: string): readonly Inner[] {
  return words.flatMap(({ text, isKnown }): Inner[] => {
    const line = pattern.exec(text)?.[1];
    return line === undefined ? [] : [{ runs: "shell", text: { text: line, isKnown, isGlob: false }, via }];
  });
}
