import { type Doubt, GAP, type Lookups, type Reading, type SimpleCommand, type Word } from "../parse/command.ts";
import { readCommandLine } from "../parse/read-command-line.ts";
import { shellWord } from "../parse/value.ts";
import { joinPath } from "../paths.ts";
import { wholeLine } from "../programs/power-shell-line.ts";
import { isProgram, programNamed } from "../programs/program-name.ts";
import { WINDOWS_SHELLS, windowsLine } from "../programs/windows-shells.ts";
import type { WindowsShellName } from "./shell-names.ts";

/** Takes a line for PowerShell or cmd apart into its commands, as `readCommandLine` does for a Unix shell. */
export function readWindowsLine(
  text: string,
  shell: WindowsShellName,
  variables: Readonly<Record<string, string>> = {},
): Reading {
  const row = WINDOWS_SHELLS[shell];
  const commands: SimpleCommand[] = [];
  const doubts: Doubt[] = [];
  const doubt = (why: Doubt["why"], what: string) => doubts.push({ why, what: what.slice(0, MAX_SHOWN) });
  if (text.length > MAX_LENGTH) doubt("too long", `${text.length} characters`);
  if (row === undefined) return { commands, doubts, texts: () => [], scripts: [] };
  let folder = ".";
  const plain = text.slice(0, MAX_LENGTH).replaceAll(shell === "cmd" ? CARET : BACKTICK, "");
  const line = shell === "cmd" ? withoutLoops(plain) : withLiterals(plain);
  for (const { command, isPiped, text: source } of windowsLine(withVariables(line, variables), row, AROUND)) {
    const { program, args, redirects } = command;
    if (KEYWORDS.test(program?.text ?? "")) continue;
    const [, variable] = ASSIGNS.exec(source) ?? [];
    if (variable !== undefined && program?.text.startsWith("$")) {
      const value = args[1] ?? { text: GAP, isKnown: false, isGlob: false };
      commands.push({ ...AROUND, assignments: { [variable]: withGaps(value) }, folder, source });
      continue;
    }
    const own: SimpleCommand = {
      ...command,
      // A shell inside of the line replaces its variables itself.
      args: isProgram("windows-shell", program?.text ?? "") ? args : args.map(withGaps),
      redirects: redirects.map((one) => ({ ...one, target: withGaps(one.target) })),
      folder,
      source,
      input: isPiped ? { from: "commands", of: [commands.length - 1] } : { from: "nothing" },
    };
    commands.push(own);
    const name = program?.text ?? "";
    if (/^[$%&.]/.test(name) && !/^\.{1,2}\//.test(name)) doubt("unknown program", source);
    else if (programNamed(name) === undefined && SCRIPT.test(name)) doubt("unread script", name);
    const into = isProgram("enters-folder", name) ? own.args.find((word) => !/^[-/]\w*$/.test(word.text)) : undefined;
    if (into !== undefined) folder = into.text.includes(GAP) ? GAP : joinPath(folder, into.text);
  }
  return { commands, doubts, texts: () => [], scripts: [] };
}

/** Takes a line of a tool for PowerShell apart: its cmdlets, what the programs in it run, and the line as a whole. */
export function readPowerShell(text: string, around: Lookups): Reading {
  const { commands: written, doubts } = readWindowsLine(text, "powershell", around.variables);
  const commands: SimpleCommand[] = [];
  const readings: Reading[] = [];
  const ends: number[] = [];
  for (const command of written) {
    const { input } = command;
    const from = input.from === "commands" ? { ...input, of: input.of.map((at) => ends[at] ?? at) } : input;
    const inner = runsMore(command) ? readCommandLine(lineOf(command), around) : undefined;
    if (inner !== undefined) readings.push(inner);
    const first = commands.length;
    for (const one of inner?.commands ?? [{ ...command, input: from }])
      commands.push(inner === undefined ? one : withInput(movedBy(one, first, command.folder), from));
    ends.push(commands.length - 1);
  }
  commands.push(wholeLine(text));
  return {
    commands,
    doubts: [...doubts, ...readings.flatMap((one) => one.doubts)],
    texts: () => readings.flatMap((one) => one.texts()),
    scripts: readings.flatMap((one) => one.scripts),
  };
}

/** Whether a program runs others or code by its arguments, as `git`, `python` and `ssh` do. */
function runsMore({ program }: SimpleCommand): boolean {
  const name = program?.text ?? "";
  if (isProgram("windows-shell", name) || /^[A-Za-z]+-[A-Za-z]+$/.test(name)) return false;
  const row = programNamed(name);
  return row?.runs !== undefined || row?.interpreter !== undefined || row?.verbs !== undefined;
}

function lineOf({ program, args }: SimpleCommand): string {
  return [program?.text ?? "", ...args.map(({ text }) => text)].map(shellWord).join(" ");
}

function movedBy(command: SimpleCommand, first: number, folder: string): SimpleCommand {
  const { args, input } = command;
  const own = args.map((word) => (word.text.includes(GAP) ? { ...word, isKnown: false } : word));
  const moved = input.from === "commands" ? { ...input, of: input.of.map((at) => at + first) } : input;
  return { ...command, args: own, input: moved, folder: command.folder === "." ? folder : command.folder };
}

function withInput(command: SimpleCommand, input: SimpleCommand["input"]): SimpleCommand {
  return command.input.from === "nothing" ? { ...command, input } : command;
}

/** `for %f in (a b) do del %f`: the list takes the place of the variable. */
function withoutLoops(text: string): string {
  const [all, variable = "", list = ""] = CMD_LOOP.exec(text) ?? [];
  if (all === undefined) return text;
  const at = text.indexOf(all);
  return text.slice(0, at) + text.slice(at + all.length).replaceAll(variable, () => list);
}

/** `$x = "a"; Remove-Item $x`: a text that a variable is set to takes its place in the rest of the line. */
function withLiterals(text: string): string {
  let line = text;
  for (const [all, name = "", value = ""] of text.matchAll(LITERAL)) {
    const end = line.indexOf(all) + all.length;
    const use = new RegExp(`\\$${name}(?![\\w:]|\\s*=)`, "gi");
    line = line.slice(0, end) + line.slice(end).replaceAll(use, () => value);
  }
  return line;
}

/** The values of the variables that are known. */
function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]));
  return text.replaceAll(
    /\$env:(\w+)|\$\{env:(\w+)\}|%(\w+)%/gi,
    (all, one, other, third) => known.get(String(one ?? other ?? third).toLowerCase()) ?? all,
  );
}

/** A word whose variables are parts that are known only at run time. */
function withGaps(word: Word): Word {
  const text = word.text.replaceAll(VARIABLE, GAP);
  return text === word.text ? word : { ...word, text, isKnown: false };
}

const AROUND: SimpleCommand = {
  program: undefined,
  args: [],
  assignments: {},
  redirects: [],
  input: { from: "nothing" },
  folder: ".",
  via: [],
  source: "",
};
/** Variables other than the constants and the item of a pipeline. */
const VARIABLE = /\$(?!(?:true|false|null|_|PSItem)\b)\{?(?:\w+:)?\w+\}?|%\w+%|%{1,2}[a-z]\b/gi;
const KEYWORDS =
  /^(?:[%?]|if|elseif|else|while|for|foreach|do|until|switch|try|catch|finally|function|param|begin|process|end|return|exit|break|continue|rem)$/i;
const ASSIGNS = /^\s*\$(?:env:)?(\w+)\s*[+]?=/i;
const CMD_LOOP = /\bfor\s+(?:\/\w\s+)*(%{1,2}\w)\s+in\s+\(([^()]*)\)\s+do\s+/i;
const LITERAL = /(?<![\w$])\$(\w+)\s*=\s*("[^"$`]*"|'[^']*')(?=\s*(?:[;\n]|$))/g;
const SCRIPT = /[\\/]|\.(?:ps1|bat|cmd|exe)$/i;
const CARET = /\^(?=[\s\S])/g;
const BACKTICK = /`(?=[^\s])/g;
const MAX_LENGTH = 100_000;
const MAX_SHOWN = 200;
