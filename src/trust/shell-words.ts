import { resolve } from "node:path";
import { GAP, type SimpleCommand } from "../effects/parse/command.ts";
import { readCommandLine } from "../effects/parse/read-command-line.ts";
import { type CodeWord, isInterpreter, searched } from "./code-word.ts";

/** Gives the text of a shell script that is about to run; every path that it is asked for is run. */
type Script = (path: string) => string | undefined;

/**
 * The words of a command as a shell makes them: without quotes, with the values of variables where they are known, each
 * seen from the folder that its command stands in. What the shell is about to run is asked for by its path.
 */
export function wordsOfShell(
  text: string,
  folders: readonly string[],
  { script, withTools }: { readonly script: Script; readonly withTools: boolean },
): CodeWord[] {
  const variables = withTools && NODE_RUNNER.test(text) ? { PATH: TOOLS } : {};
  const { commands } = readCommandLine(text, { script, variables, inherited: { HOME: () => process.env.HOME } });
  const isCode = commands.some(runsCode);
  return commands.flatMap((command) => wordsOf(command, folders, isCode));
}

function wordsOf(command: SimpleCommand, folders: readonly string[], isCode: boolean): CodeWord[] {
  const { program, args, assignments, redirects, folder } = command;
  const bases = folder === "." ? folders : [...new Set([...folders.map((base) => seenFrom(base, folder)), ...folders])];
  const isRun = runsCode(command);
  const word = (text: string, more: Partial<CodeWord> = {}): CodeWord => {
    return { text, kind: "file", isCode, isRun, bases, ...more };
  };
  const named = program?.text ?? "";
  return [
    named.includes("/") ? word(named, { isCode: true, isRun: true }) : word(named, { isCode: false }),
    ...args.flatMap(({ text }, at) => [
      word(text, args[at - 1]?.text === "-m" ? { kind: "module" } : {}),
      ...(/^[\w-]+=./.test(text) ? [word(text.slice(text.indexOf("=") + 1))] : []),
    ]),
    ...redirects.filter(({ way }) => way === "read").map(({ target }) => word(target.text)),
    ...Object.entries(assignments).flatMap(([name, { text }]) => [word(text), ...searched(name, text, bases)]),
  ];
}

function runsCode({ program }: SimpleCommand): boolean {
  return program !== undefined && (program.text === "." || isInterpreter(program.text));
}

/** A folder that only the run knows may be the one that the command starts in. */
function seenFrom(base: string, folder: string): string {
  return resolve(base, folder.slice(folder.lastIndexOf(GAP) + 1).replace(folder.includes(GAP) ? /^\/+/ : /^$/, ""));
}

/** These put the tools of the project before all others. */
const NODE_RUNNER = /\b(?:npm|npx|pnpm|pnpx|yarn|bunx?)\b/;
const TOOLS = `node_modules/.bin:${GAP}`;
