import { basename } from "node:path";
import type { Word } from "../effects/parse/command.ts";
import { MODULES_THAT_RUN } from "../effects/programs/interpreters.ts";
import { namesLoadedBy } from "../effects/programs/loaded-code.ts";
import { type Options, readOptions } from "../effects/programs/options.ts";
import type { Program } from "../effects/programs/program.ts";
import { canonicalProgram, programNamed } from "../effects/programs/program-name.ts";

/** The arguments that name files for the program to run or load: a script, modules to load first. */
export function scriptArguments(row: Program, named: string, args: readonly Word[]): string[] {
  const { interpreter, is } = row;
  if (SOURCING.has(named)) return texts(args.slice(0, 1));
  if (interpreter === undefined) return is?.shell === true ? shellScript(row, args) : [];
  const options = readOptions(args, row.options, row.style);
  const loaded = row.loads === undefined ? [] : namesLoadedBy(row.loads, options);
  // The options of these are not known well enough to tell a script from an argument.
  if (interpreter.language === "other" || interpreter.language === "compiled") return texts(args);
  const isCode = (interpreter.code ?? []).some((name) => options.given.has(name)) || options.given.has("module");
  const scripts = texts(isCode ? [] : scriptOf(interpreter, options));
  return [...new Set([...loaded, ...scripts, ...handedOn(options, args)])];
}

/** The files that a test runner, or a module that runs others, receives. */
function handedOn({ given }: Options, args: readonly Word[]): string[] {
  const runsOthers =
    given.has("test") || args.some(({ text }, at) => MODULES_THAT_RUN.test(text) && args[at - 1]?.text === "-m");
  return runsOthers ? texts(args).filter((text) => SCRIPT.test(text)) : [];
}

/** The arguments, and the values of options, as possible names of files. */
export function fileArguments(args: readonly Word[]): string[] {
  const given = args.map(({ text }) => (text.startsWith("-") ? text.slice(text.indexOf("=") + 1) : text));
  return given.filter((text) => !text.startsWith("-")).flatMap((text) => [text, ...text.split(/\s+/)]);
}

function scriptOf(
  { file, script }: NonNullable<Program["interpreter"]>,
  { given, operands }: Options,
): readonly Word[] {
  const stated = file === undefined ? undefined : given.get(file);
  if (stated !== undefined) return stated;
  if (script === undefined) return operands.slice(0, 1);
  return operands.filter(({ text }) => script.test(text)).slice(0, 1);
}

function shellScript({ options, style }: Program, args: readonly Word[]): string[] {
  const { given, operands } = readOptions(args, options, style);
  const takesNoFile = ["c", "command", "s"].some((name) => given.has(name));
  return takesNoFile ? [] : texts(operands.slice(0, 1));
}

/** The arguments that are code in the program's language. */
export function codeArguments({ interpreter, options, style }: Program, args: readonly Word[]): readonly Word[] {
  const { given } = readOptions(args, options, style);
  return (interpreter?.code ?? []).flatMap((name) => given.get(name) ?? []);
}

function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}

/** The program that a piece of text may name. Prose begins with a capital letter, the name of a program seldom does. */
export function programIn(piece: string): Program | undefined {
  const name = basename(piece);
  if (name.length > MAX_NAME) return undefined;
  return canonicalProgram(name).charAt(0) === name.charAt(0) ? programNamed(name) : undefined;
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|py)$/;
const MAX_NAME = 64;
const SOURCING: ReadonlySet<string> = new Set([".", "source"]);
