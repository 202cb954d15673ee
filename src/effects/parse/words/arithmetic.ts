import type { ArithmeticExpression } from "unbash";
import { GAP } from "../command.ts";
import type { Shell } from "../shell-state.ts";
import { textValue, UNKNOWN } from "../value.ts";
import { assign, lookUp } from "../variables.ts";

/** How arithmetic expands the variables and substitutions inside of it. */
export interface ArithmeticSurroundings {
  readonly shell: Shell;
  /** The text of a word with its expansions; runs what is substituted. */
  readonly text: (word: Extract<ArithmeticExpression, { type: "ArithmeticWord" }>) => string;
  /** The output of a substituted command. */
  readonly output: (command: Extract<ArithmeticExpression, { type: "ArithmeticCommandExpansion" }>) => string;
  /** Runs what a value substitutes when it is used as an index. */
  readonly evaluated: (text: string) => void;
}

/** The value of an expression; undefined if it is known only at run time. */
export function calculate(expression: ArithmeticExpression, around: ArithmeticSurroundings): bigint | undefined {
  const result = evaluate(expression, around);
  return result === undefined ? undefined : BigInt.asIntN(64, result);
}

function evaluate(node: ArithmeticExpression, around: ArithmeticSurroundings): bigint | undefined {
  switch (node.type) {
    case "ArithmeticGroup":
      return calculate(node.expression, around);
    case "ArithmeticCommandExpansion":
      return numberIn(around.output(node).trim(), around);
    case "ArithmeticWord":
      return numberIn(around.text(node), around);
    case "ArithmeticTernary": {
      const test = calculate(node.test, around);
      const [yes, no] = [node.consequent, node.alternate];
      if (test !== undefined) return calculate(test !== 0n ? yes : no, around);
      calculate(yes, around);
      calculate(no, around);
      return undefined;
    }
    case "ArithmeticUnary":
      return unary(node, around);
    case "ArithmeticBinary":
      return binary(node, around);
  }
}

function unary(
  { operator, operand, prefix }: Extract<ArithmeticExpression, { type: "ArithmeticUnary" }>,
  around: ArithmeticSurroundings,
): bigint | undefined {
  const value = calculate(operand, around);
  if (operator === "++" || operator === "--") {
    const changed = value === undefined ? undefined : value + (operator === "++" ? 1n : -1n);
    store(operand, changed, around);
    return prefix ? changed : value;
  }
  if (value === undefined) return undefined;
  if (operator === "-") return -value;
  if (operator === "+") return value;
  if (operator === "!") return value === 0n ? 1n : 0n;
  return operator === "~" ? ~value : undefined;
}

function binary(
  { operator, left, right }: Extract<ArithmeticExpression, { type: "ArithmeticBinary" }>,
  around: ArithmeticSurroundings,
): bigint | undefined {
  if (operator === "=") {
    const value = calculate(right, around);
    store(left, value, around);
    return value;
  }
  const one = calculate(left, around);
  if (operator === "&&" && one === 0n) return 0n;
  if (operator === "||" && one !== undefined && one !== 0n) return 1n;
  const other = calculate(right, around);
  if (operator === ",") return other;
  const isAssigned = /^(?:[-+*/%&|^]|<<|>>)=$/.test(operator);
  const apply = OPERATORS[isAssigned ? operator.slice(0, -1) : operator];
  const result = one === undefined || other === undefined ? undefined : apply?.(one, other);
  if (isAssigned) store(left, result, around);
  return result;
}

const truth = (holds: boolean) => (holds ? 1n : 0n);

const OPERATORS: Readonly<Record<string, (one: bigint, other: bigint) => bigint | undefined>> = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "/": (one, other) => (other === 0n ? undefined : one / other),
  "%": (one, other) => (other === 0n ? undefined : one % other),
  "**": (one, other) => (other < 0n || other > 63n ? undefined : one ** other),
  "<<": (one, other) => (other < 0n || other > 63n ? undefined : one << other),
  ">>": (one, other) => (other < 0n || other > 63n ? undefined : one >> other),
  "&": (one, other) => one & other,
  "|": (one, other) => one | other,
  "^": (one, other) => one ^ other,
  "&&": (one, other) => truth(one !== 0n && other !== 0n),
  "||": (one, other) => truth(one !== 0n || other !== 0n),
  "==": (one, other) => truth(one === other),
  "!=": (one, other) => truth(one !== other),
  "<": (one, other) => truth(one < other),
  ">": (one, other) => truth(one > other),
  "<=": (one, other) => truth(one <= other),
  ">=": (one, other) => truth(one >= other),
};

function store(place: ArithmeticExpression, value: bigint | undefined, { shell }: ArithmeticSurroundings): void {
  const name = place.type === "ArithmeticWord" ? /^[A-Za-z_]\w*$/.exec(place.value)?.[0] : undefined;
  if (name !== undefined)
    assign(shell, name, value === undefined ? UNKNOWN : textValue(String(BigInt.asIntN(64, value))));
}

function numberIn(written: string, around: ArithmeticSurroundings, turn = 0): bigint | undefined {
  const text = written.trim();
  if (text.includes("$(") || text.includes("`")) around.evaluated(text);
  if (text === "" || text.includes(GAP)) return text === "" && turn > 0 ? 0n : undefined;
  const sign = /^-\d/.test(text) ? -1n : 1n;
  const digits = text.replace(/^[-+]/, "");
  if (digits.length > 24) return undefined;
  if (/^0[0-7]*$/.test(digits)) return sign * BigInt(`0o0${digits}`);
  if (/^[1-9]\d*$/.test(digits)) return sign * BigInt.asIntN(64, BigInt(digits));
  if (/^0[xX][\da-fA-F]+$/.test(digits)) return sign * BigInt(digits);
  const based = /^(\d+)#([\da-z]+)$/.exec(digits);
  if (based) return sign * fromBase(Number(based[1]), based[2] ?? "");
  if (turn > 4 || !/^[A-Za-z_]\w*$/.test(text)) return undefined;
  const found = lookUp(around.shell, text);
  if (found.is === "unset") return 0n;
  return found.is === "set" && found.value.isSure ? numberIn(found.value.text, around, turn + 1) : undefined;
}

function fromBase(base: number, digits: string): bigint {
  return [...digits].reduce((sum, digit) => sum * BigInt(base) + BigInt(Number.parseInt(digit, 36)), 0n);
}
