import type { Word } from "../parse/command.ts";
import type { RunCondition } from "./act.ts";
import type { Call } from "./call.ts";
import { someArgument } from "./call.ts";
/** Whether a cmdlet only shows what it would do. */
export function isTrial(call: Call): boolean {
  return someArgument(call, /^-wh(?:at(?:if)?)?(?::\$true)?$/i);
}

/** Holds if a cmdlet has a switch. */
export function flag(name: string): RunCondition {
  return (call) => hasFlag(call, name);
}

/** Whether a cmdlet has a switch; parameters may be shortened to any unambiguous beginning. */
export function hasFlag({ command }: Call, name: string): boolean {
  return command.args.some(
    ({ text }) =>
      text.length > 1 && text.startsWith("-") && name.startsWith(text.slice(1).toLowerCase().split(":", 1)[0] ?? ""),
  );
}

/** The paths that a cmdlet is given: an argument after a parameter that does not take a path is not one. */
export function pathArguments({ command }: Call): readonly Word[] {
  return command.args.filter(({ text }, at, all) => !text.startsWith("-") && !VALUED().test(all[at - 1]?.text ?? ""));
}

/** What a cmdlet takes, and where it puts it: the target may be named first, and what is taken may come through a pipe. */
export function sourceAndTarget(call: Call): readonly [source: Word | undefined, target: Word | undefined] {
  const { args } = call.command;
  const at = args.findIndex(({ text }) => TARGET.test(text));
  const name = args[at];
  if (name === undefined) return [pathArguments(call)[0], pathArguments(call)[1]];
  const [, attached] = TARGET.exec(name.text) ?? [];
  const to = attached === undefined ? args[at + 1] : { ...name, text: attached };
  return [pathArguments(call).find((path) => path !== to), to];
}

/** Selects what a cmdlet takes. */
export function source(call: Call): readonly (Word | undefined)[] {
  return [sourceAndTarget(call)[0]];
}

/** Selects where a cmdlet puts what it takes. */
export function target(call: Call): readonly (Word | undefined)[] {
  return [sourceAndTarget(call)[1]];
}

/** A new name for a path, in the folder of the path. */
export function beside(path: Word | undefined, name: Word | undefined): Word | undefined {
  if (path === undefined || name === undefined || /[\\/]/.test(name.text)) return name;
  return { ...name, text: path.text.replace(/[^\\/]*$/, () => name.text) };
}

/** `-Destination`, `-DestinationPath` and `-NewName`, in all their short forms; the value may be attached. */
const TARGET = /^-(?:des[a-z]*|n[a-z]*)(?::(.+))?$/i;
/** Parameters of cmdlets whose value is not a path. */
const VALUED = () =>
  /^-(?:filter|include|exclude|value|itemtype|encoding|(?:error|warning|information|progress)(?:action|variable)|ea|ev|wa|wv|ov|ob|out(?:variable|buffer)|depth|totalcount|tail|head|first|last|stream|delimiter|credential|pattern|width|property)$/i;
