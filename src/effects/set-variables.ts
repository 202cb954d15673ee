import type { SimpleCommand, Word } from "./parse/command.ts";

/** A variable by name, with the value that it is set to. */
export type SetVariable = readonly [name: string, value: string];

/** Variables that are set for a command, or for the shell by the commands before it. */
export function variablesSetFor(command: SimpleCommand, before: readonly SimpleCommand[]): SetVariable[] {
  const shell = before.filter(({ program }) => program === undefined || DECLARES.test(program.text));
  const declared = shell.flatMap(({ program, args }) => (program === undefined ? [] : args.map(declaration)));
  const assigned = [command, ...shell].flatMap(({ assignments }) =>
    Object.entries(assignments).map(([name, { text }]): SetVariable => [name, text]),
  );
  return [...assigned, ...declared];
}

function declaration({ text }: Word): SetVariable {
  const [, name = "", value = ""] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(text) ?? [];
  return [name, value];
}

const DECLARES = /^(?:export|declare|typeset|unset|local|readonly|setenv|set)$/;
