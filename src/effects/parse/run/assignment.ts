import type { Assignment } from "unbash";
import { listedAtEnd } from "../../output/listed-lines.ts";
import { codeInVariables } from "../../programs/code-variables.ts";
import { GAP, type Word } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { parseWord } from "../parse.ts";
import { owned } from "../shell-state.ts";
import { type Field, fieldFrom, guess, textValue, UNKNOWN, type Value, valueFrom } from "../value.ts";
import { assign, assignList, mark, target, unset } from "../variables.ts";
import { expander, expandToValue, expandWord } from "../words/expand.ts";
import { keyOf } from "../words/parameter.ts";
import { readableFile } from "./files.ts";
import { runInner } from "./inner.ts";
import { type Builtin, type Frame, type Reader, reportTaken, WELL } from "./reader.ts";

/** Sets a variable by an assignment and returns its value. */
export function assignFrom(node: Assignment, frame: Frame, reader: Reader): Value {
  const { shell } = frame;
  const isAppended = node.append === true;
  if (node.value.type === "ArrayValue") {
    const elements: [string | undefined, Value][] = [];
    for (const word of node.value.elements) {
      const [, key, rest] = /^\[([^\]]*)\]=(.*)$/s.exec(word.text) ?? [];
      if (key === undefined || rest === undefined)
        elements.push(
          ...expandWord(word, frame, reader).map((field): [undefined, Value] => [
            undefined,
            elementFrom(field, word.text),
          ]),
        );
      else elements.push([textOf(key, frame, reader).text, textOf(rest, frame, reader)]);
    }
    if (elements.length > LIMITS.elements)
      reader.doubt("unknown code", `a list of more than ${LIMITS.elements} elements`);
    assignList(shell, node.name, elements, isAppended);
    return { text: elements.map(([, { text }]) => text).join(" "), isSure: false };
  }
  const from = reader.commands.length;
  const made = expandToValue(node.value, frame, reader, true);
  const [listed, ...others] = made.text === GAP ? listedAtEnd(reader.commands, from) : [];
  const value = listed === undefined || others.length > 0 ? made : valueFrom(listed);
  assignValue(node, value, frame, reader);
  return value;
}

/** Sets a variable, or one element of a list, to a value that is expanded already. */
function assignValue(node: Assignment, value: Value, frame: Frame, reader: Reader): void {
  const { shell } = frame;
  const isAppended = node.append === true;
  if (node.index === undefined) {
    assign(shell, node.name, value, { isAppended });
    return;
  }
  const list = shell.variables.get(target(shell, node.name))?.list;
  const index = keyOf(list, node.index, expander(frame, reader));
  if (index === undefined) assignList(shell, node.name, [["0", UNKNOWN]]);
  else assign(shell, node.name, value, { index, isAppended });
}

/** Shells differ in what they make of `name=~` here. */
function elementFrom(field: Field, source: string): Value {
  const value = valueFrom(field);
  return /^\w+=.*~/s.test(source) ? guess(value.text) : value;
}

function textOf(source: string, frame: Frame, reader: Reader): Value {
  if (source === "") return textValue("");
  const word = parseWord(source);
  return word === undefined ? UNKNOWN : expandToValue(word, { ...frame, text: `: ${source}` }, reader);
}

/** `export`, `declare` and their kin. */
const declare: Builtin = ({ name, args, prepared }, frame, reader) => {
  const { shell } = frame;
  const flags = args.filter(({ text }) => /^-[a-zA-Z]+$/.test(text)).flatMap(({ text }) => [...text.slice(1)]);
  const marks = {
    ...((name === "export" || flags.includes("x")) && { isExported: true }),
    ...(flags.includes("i") && { isInteger: true }),
  };
  /** Numbers are calculated, and letters are made large or small. */
  const isChanged = flags.includes("i") || flags.includes("u") || flags.includes("l");
  const isReference = flags.includes("n") && name !== "export";
  if (flags.includes("f")) return WELL;
  const isLocal = shell.locals !== undefined && LOCAL.has(name) && !flags.includes("g");
  const keep = (variable: string) => {
    if (isLocal && !shell.locals?.has(variable)) shell.locals?.set(variable, shell.variables.get(variable));
  };
  const written = new Set(prepared.declared.map(({ text }) => text));
  // The shell expands every word before it sets the first variable; only lists are set while their words are expanded.
  const from = reader.commands.length;
  const expanded = prepared.declared.map((node) => {
    if (node.value.type === "Word") return expandToValue(node.value, frame, reader, true);
    keep(node.name);
    if (isChanged) mark(shell, node.name, { isInteger: true });
    return assignFrom(node, frame, reader);
  });
  if (reader.commands.length > from)
    reportTaken(
      prepared.declared.map((node) => node.name),
      prepared.source,
      frame,
      reader,
    );
  for (const [index, node] of prepared.declared.entries()) {
    const value = expanded[index] ?? UNKNOWN;
    keep(node.name);
    if (isReference && node.value.type === "Word") {
      mark(shell, node.name, { refersTo: value.text });
      continue;
    }
    if (isChanged) mark(shell, node.name, { isInteger: true });
    if (node.value.type === "Word") assignValue(node, value, frame, reader);
    mark(shell, node.name, marks);
    const fileIn = (path: Word) => readableFile(path, frame, reader);
    for (const inner of codeInVariables({ [node.name]: fieldFrom(value) }, undefined, fileIn))
      runInner(inner, frame, reader, prepared.source);
  }
  for (const { text, isKnown } of args) {
    if (written.has(text) || /^[-+]/.test(text)) continue;
    const [, variable, value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(text) ?? [];
    if (variable === undefined) continue;
    keep(variable);
    if (value !== undefined && isReference) mark(shell, variable, { refersTo: value });
    else if (value !== undefined) assign(shell, variable, { text: value, isSure: isKnown && !value.includes(GAP) });
    else if (name === "local") unset(shell, variable);
    mark(shell, variable, marks);
  }
  return WELL;
};

/** Inside of a function, these declare variables of its own. */
const LOCAL: ReadonlySet<string> = new Set(["local", "declare", "typeset"]);

const forget: Builtin = ({ args }, { shell }) => {
  const isFunction = args.some(({ text }) => text === "-f");
  for (const { text } of args) {
    if (text.startsWith("-")) continue;
    if (!isFunction) unset(shell, text);
    if (isFunction || !shell.variables.has(text)) owned(shell).functions.delete(text);
  }
  return WELL;
};

/** Builtins that set, mark and forget variables. */
export const DECLARING: Readonly<Record<string, Builtin>> = {
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  export: declare,
  unset: forget,
};
