import { type Call, value, values } from "./call.ts";
import type { Options } from "./options.ts";

/** The text of the last value of an option; empty if the option is not given. */
export function valueText(call: Pick<Options, "given">, name: string): string {
  return value(call, name)?.text ?? "";
}

/** Whether a value of these options matches. */
export function someValue(call: Pick<Options, "given">, pattern: RegExp, ...names: readonly string[]): boolean {
  return values(call, ...names).some(({ text }) => pattern.test(text));
}

/** The text of an operand; empty if there are fewer operands. */
export function operandText(call: Pick<Options, "operands">, at = 0): string {
  return call.operands.at(at)?.text ?? "";
}

/** Whether an operand matches. */
export function someOperand(call: Pick<Options, "operands">, pattern: RegExp): boolean {
  return call.operands.some(({ text }) => pattern.test(text));
}

/** Whether an argument matches, be it an option, its value or an operand. */
export function someArg({ command }: Pick<Call, "command">, pattern: RegExp): boolean {
  return command.args.some(({ text }) => pattern.test(text));
}

/** The text of all arguments, separated by blanks. */
export function argText({ command }: Pick<Call, "command">): string {
  return command.args.map(({ text }) => text).join(" ");
}
