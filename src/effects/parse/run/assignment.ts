import type { Assignment } from "unbash";
import { listedAtEnd } from "../../output/output.ts";
import { GAP } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { parseWord } from "../parse.ts";
import { type Field, guess, textValue, UNKNOWN, type Value, valueFrom } from "../value.ts";
import { assign, assignList, target } from "../variables.ts";
import { expander, expandToValue, expandWord } from "../words/expand.ts";
import { keyOf } from "../words/parameter.ts";
import type { Frame, Reader } from "./reader.ts";

/** Sets a variable as an assignment says; gives its value back. */
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
  const listed = made.text === GAP ? listedAtEnd(reader.commands, from) : undefined;
  const value = listed === undefined ? made : valueFrom(listed);
  assignValue(node, value, frame, reader);
  return value;
}

/** Sets a variable, or one element of a list, to a value that is expanded already. */
export function assignValue(node: Assignment, value: Value, frame: Frame, reader: Reader): void {
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
