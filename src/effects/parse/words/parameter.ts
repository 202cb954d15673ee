import type { CommandExpansionPart, ParameterExpansionPart, ProcessSubstitutionPart, Word } from "unbash";
import { GAP } from "../command.ts";
import type { Frame } from "../run/reader.ts";
import { type Field, guess, textValue, UNKNOWN, type Value } from "../value.ts";
import { assign, elementsOf, lookUp, separators, target } from "../variables.ts";
import type { ArithmeticSurroundings } from "./arithmetic.ts";
import type { FieldBuilder } from "./field-builder.ts";
import { operate } from "./operation.ts";

type Way = "split" | "join" | "assign" | "pattern" | "quoted";

/** What an expansion needs from the reader of the command line. */
export interface Expander {
  readonly frame: Frame;
  /** The word follows `:-` or a similar operator, where plain text is split as well. */
  readonly isOperand: boolean;
  readonly value: (word: Word) => Value;
  readonly pattern: (word: Word) => Value;
  readonly operand: (word: Word, way: Way) => Field[];
  /** Adds the word after `:-` or a similar operator. */
  readonly addOperand: (word: Word, builder: FieldBuilder, way: Way) => void;
  /** A text as if it stood between double quotes. */
  readonly quoted: (text: string) => Value;
  readonly number: (word: Word) => number | undefined;
  readonly output: (part: CommandExpansionPart) => Value;
  readonly process: (part: ProcessSubstitutionPart) => Value;
  readonly arithmetic: ArithmeticSurroundings;
}

/** One value, or a list of them; undefined when it is not set, "foreign" when it may come from outside. */
type Found =
  | { readonly of: "one"; readonly value: Value | undefined | "foreign" }
  | { readonly of: "list"; readonly values: readonly Value[]; readonly by: "@" | "*" };

/** `$name`. */
export function expandSimple(name: string, builder: FieldBuilder, way: Way, tools: Expander): void {
  add(find(name, undefined, tools), builder, way, tools);
}

/** `${…}`. */
export function expandParameter(part: ParameterExpansionPart, builder: FieldBuilder, way: Way, tools: Expander): void {
  const { operation, prefix } = part;
  const { shell } = tools.frame;
  if (operation?.type === "Names") {
    add(one(UNKNOWN), builder, way, tools);
    return;
  }
  const isAll = part.index?.text === "@" || part.index?.text === "*";
  if (prefix === "!" && isAll) {
    const keys = elementsOf(shell, part.parameter)?.map(([key]) => textValue(key));
    add(keys === undefined ? one(UNKNOWN) : list(keys, "@"), builder, way, tools);
    return;
  }
  const found = prefix === "!" ? indirect(part, tools) : find(part.parameter, part.index, tools);
  if (prefix === "#") {
    add(one(lengthOf(found)), builder, way, tools);
    return;
  }
  if (operation === undefined) {
    add(found, builder, way, tools);
    return;
  }
  if (operation.type === "Default") {
    withDefault(part.parameter, operation, found, builder, way, tools);
    return;
  }
  if (found.of === "list") {
    if (operation.type === "Slice") {
      add(sliced(found, part, tools), builder, way, tools);
      return;
    }
    add(
      list(
        found.values.map((value) => operate(operation, value, tools)),
        found.by,
      ),
      builder,
      way,
      tools,
    );
    return;
  }
  const { value } = found;
  if (value === undefined) {
    touch(operation, tools);
    add(found, builder, way, tools);
    return;
  }
  add(one(value === "foreign" ? touch(operation, tools) : operate(operation, value, tools)), builder, way, tools);
  return;
}

const one = (value: Value | undefined | "foreign"): Found => ({ of: "one", value });
const list = (values: readonly Value[], by: "@" | "*"): Found => ({ of: "list", values, by });

/** Commands inside are run even when the value is unknown. */
function touch(operation: Parameters<typeof operate>[0], tools: Expander): Value {
  operate(operation, textValue(""), tools);
  return UNKNOWN;
}

function find(name: string, index: Word | undefined, tools: Expander): Found {
  const { shell } = tools.frame;
  if (name === "@" || name === "*") return shell.positional === undefined ? one(UNKNOWN) : list(shell.positional, name);
  if (index === undefined) {
    const found = lookUp(shell, name);
    return one(found.is === "set" ? found.value : found.is === "unset" ? undefined : "foreign");
  }
  const elements = elementsOf(shell, name);
  if (index.text === "@" || index.text === "*")
    return elements === undefined
      ? one("foreign")
      : list(
          elements.map(([, value]) => value),
          index.text,
        );
  const key = keyOf(shell.variables.get(target(shell, name))?.list, index, tools);
  if (elements === undefined || key === undefined) return one("foreign");
  const wanted = /^-\d+$/.test(key) ? elements.at(Number(key)) : elements.find(([other]) => other === key);
  return one(wanted?.[1] ?? (shell.variables.get(target(shell, name))?.isOpen ? "foreign" : undefined));
}

/** The key of an element: a number where the list is counted, a text where it is named. */
export function keyOf(
  elements: ReadonlyMap<string, Value> | undefined,
  index: Word,
  tools: Expander,
): string | undefined {
  if (elements !== undefined && [...elements.keys()].some((key) => !/^\d+$/.test(key))) {
    const { text, isSure } = tools.value(index);
    return isSure ? text : undefined;
  }
  const number = tools.number(index);
  return number === undefined ? undefined : String(number);
}

function indirect(part: ParameterExpansionPart, tools: Expander): Found {
  const { refersTo } = tools.frame.shell.variables.get(part.parameter) ?? {};
  if (refersTo !== undefined) return one(textValue(refersTo));
  const found = find(part.parameter, part.index, tools);
  if (found.of === "list" || found.value === undefined || found.value === "foreign") return one("foreign");
  const { text, isSure } = found.value;
  const [, name, index] = /^(\w+|[@*#])(?:\[([@*]|\d+)\])?$/.exec(text) ?? [];
  if (name === undefined) return one("foreign");
  const word = index === undefined ? undefined : ({ type: "Word", text: index, value: index, pos: 0, end: 0 } as const);
  const there = find(name, word, tools);
  if (isSure || there.of === "list" || typeof there.value !== "object") return there;
  return one(guess(there.value.text));
}

function lengthOf(found: Found): Value {
  if (found.of === "list")
    return found.values.every(({ isSure }) => isSure) ? textValue(String(found.values.length)) : UNKNOWN;
  if (found.value === undefined) return textValue("0");
  if (found.value === "foreign" || !found.value.isSure) return UNKNOWN;
  return textValue(String(Array.from(found.value.text).length));
}

function sliced(found: Found & { of: "list" }, part: ParameterExpansionPart, tools: Expander): Found {
  if (part.operation?.type !== "Slice") return found;
  const from = tools.number(part.operation.offset);
  const length = part.operation.length === undefined ? undefined : tools.number(part.operation.length);
  if (from === undefined || (part.operation.length !== undefined && length === undefined)) return one(UNKNOWN);
  const isPositional = part.parameter === "@" || part.parameter === "*";
  const all = isPositional ? [UNKNOWN, ...found.values] : found.values;
  if ((length ?? 0) < 0) return one(UNKNOWN);
  const start = from < 0 ? all.length + from : from;
  if (start < 0) return list([], found.by);
  return list(all.slice(start, length === undefined ? undefined : start + length), found.by);
}

type Default = Extract<NonNullable<ParameterExpansionPart["operation"]>, { type: "Default" }>;

function withDefault(
  name: string,
  { operator, operand }: Default,
  found: Found,
  builder: FieldBuilder,
  way: Way,
  tools: Expander,
): void {
  const isFilled = fill(found, operator.startsWith(":"));
  const kind = operator.at(-1);
  if (kind === "+") {
    if (isFilled === "yes") tools.addOperand(operand, builder, way);
    else if (isFilled === "unknown") addFields(tools.operand(operand, way), builder);
    else add(one(undefined), builder, way, tools);
    return;
  }
  if (isFilled === "yes") {
    add(found, builder, way, tools);
    return;
  }
  if (kind === "?") {
    tools.operand(operand, way);
    add(one(UNKNOWN), builder, way, tools);
    return;
  }
  if (kind === "=") {
    const { text, isSure } = tools.value(operand);
    assign(tools.frame.shell, name, { text, isSure: isSure && isFilled === "no" });
    add(find(name, undefined, tools), builder, way, tools);
    return;
  }
  if (isFilled === "no") {
    tools.addOperand(operand, builder, way);
    return;
  }
  const fields = tools.operand(operand, way);
  // A value that is likely is likelier than its default.
  const likely = found.of === "one" && typeof found.value === "object" ? found.value.text : "";
  if (likely === "" || likely.includes(GAP)) addFields(fields, builder);
  else add(one(guess(likely)), builder, way, tools);
}

function fill(found: Found, isEmptyCounted: boolean): "yes" | "no" | "unknown" {
  if (found.of === "list") {
    if (found.values.length === 0) return "no";
    return isEmptyCounted && found.values.every(({ text }) => text === "") ? "unknown" : "yes";
  }
  const { value } = found;
  if (value === undefined) return "no";
  if (value === "foreign") return "unknown";
  if (value.text.includes(GAP)) return value.text === GAP ? "unknown" : "yes";
  return isEmptyCounted && value.text === "" ? "no" : value.isSure ? "yes" : "unknown";
}

/** What may be there, or something else. */
function addFields(fields: readonly Field[], builder: FieldBuilder): void {
  builder.unsure();
  for (const [index, field] of fields.entries()) {
    if (index > 0) builder.end();
    if (field.isGlob) builder.glob(field.text);
    else builder.quoted(guess(field.text));
  }
}

function add(found: Found, builder: FieldBuilder, way: Way, tools: Expander): void {
  const ifs = separators(tools.frame.shell);
  const put = (value: Value) => {
    if (way === "split") builder.split(value, ifs);
    else if (way === "pattern") builder.split(value, textValue(""));
    else builder.quoted(value);
  };
  if (found.of === "one") {
    if (found.value === undefined) {
      if (way !== "split" && way !== "pattern") builder.quoted(textValue(""));
    } else put(found.value === "foreign" ? UNKNOWN : found.value);
    return;
  }
  const isSeparate = way === "split" || (way === "quoted" && found.by === "@");
  if (isSeparate && !(way === "quoted" && tools.isOperand)) {
    // With separators of its own, the shell joins the values before it splits them.
    const isOdd = way === "split" && ifs !== undefined && ifs.text !== "" && found.values.length > 1;
    for (const [index, value] of found.values.entries()) {
      if (index > 0) builder.end();
      put(isOdd ? guess(value.text) : value);
    }
    return;
  }
  const by = found.by === "@" ? " " : (ifs?.text ?? " ").slice(0, 1);
  const isSure = found.values.every((value) => value.isSure) && (ifs?.isSure ?? true);
  put({ text: found.values.map(({ text }) => text).join(by), isSure });
}
