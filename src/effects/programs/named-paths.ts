import type { Effect } from "../effect.ts";
import type { SimpleCommand, Word } from "../parse/command.ts";
import { isStream, pathFrom } from "../paths.ts";
import { optionSpecs, ownArguments, takesCode } from "./apply-row.ts";
import { addPath, pieceOf, type RunReport } from "./call.ts";
import { knowsOption } from "./options.ts";
import type { Output, Program } from "./program.ts";
import { isProgram, outputKind } from "./program-name.ts";
import { isSecretFile } from "./secret-files.ts";

/**
 * Adds the files that a run is given although its row does not describe them, or because it has no row: keys,
 * credentials and files of the system that an argument names are read, and those in the place of an output are written.
 */
export function addNamedPaths(command: SimpleCommand, row: Program | undefined, report: RunReport): void {
  const { program } = report;
  const args = row === undefined ? command.args : ownArguments(row, command.args);
  if (row !== undefined && PRINTS_NO_FILE.has(outputKind(program))) return;
  const usesKeys = row !== undefined && isProgram("uses-keys", program);
  let known: Set<string> | undefined;
  let found = 0;
  const add = (path: Word, does: "read" | "write") => {
    known ??= touchedBy(report);
    const whole = pathFrom(report.folder, path).text;
    if (found >= MAX_FOUND || known.has(whole) || isStream(whole)) return;
    known.add(whole);
    found++;
    addPath(report, does, path, { isAssumed: true });
  };
  // `wrapper -F /etc/shadow x`: an option of a wrapper that its row does not know.
  if (row === undefined && command.program !== undefined && FREE.test(program) && isSecretFile(program))
    add(command.program, "read");
  for (let at = 0; at < args.length && found < MAX_FOUND; at++) {
    const arg = args[at] as Word;
    if (!MAY_NAME.test(arg.text)) continue;
    if (/\s/.test(arg.text) || IN_CALL.test(arg.text)) {
      if (row === undefined || mayHoldCode(row)) for (const [path, does] of pathsInCode(arg)) add(path, does);
      continue;
    }
    const named = useOf(command, row, at, report.folder);
    // It may be given any key to log in with, but no accounts of the system.
    if (named !== undefined && (!usesKeys || isNoLogin(program, arg, named.path))) add(named.path, named.use);
  }
  const { input } = command;
  if (input.from === "text" && (row === undefined || mayHoldCode(row)) && MAY_NAME.test(input.text.text))
    for (const [path, does] of pathsInCode(input.text)) add(path, does);
}

/** What a run does with the path that one of its arguments names; undefined if it is not worth reporting. */
function useOf(
  { args, program }: SimpleCommand,
  row: Program | undefined,
  at: number,
  folder: string,
): { readonly path: Word; readonly use: "read" | "write" } | undefined {
  const named = namedAt(args, at);
  const { option, path } = named;
  if (path.text.startsWith("-") || path.text.length > MAX_LENGTH) return undefined;
  const isFree = FREE.test(path.text);
  // The row describes its operands and its options; a relative name may be a pattern, a key or a name of anything.
  if (row !== undefined && (!isFree || (option === "" && path.text.includes(":")))) return undefined;
  const isOutput =
    option === ""
      ? row === undefined && isCopyTarget(program?.text ?? "", args, at)
      : OUTPUT.test(option) && !(row !== undefined && optionSpecs(row, args).some((spec) => knowsOption(spec, option)));
  if (isOutput) return isFree || isSecretFile(path.text) ? { path, use: "write" } : undefined;
  if (NO_FILE.test(option) && !MARKED.test(args[at]?.text ?? "")) return undefined;
  const { text } = pathFrom(folder, path);
  if (KEY_OPTION.test(option) && !OF_ACCOUNTS.test(text)) return undefined;
  const isRead = isSecretFile(text) || (row === undefined && SYSTEM.test(text));
  return isRead ? { path, use: "read" } : undefined;
}

/** Whether a program that logs in with keys is given the accounts of the system in the place of settings or of a text. */
function isNoLogin(program: string, arg: Word, path: Word): boolean {
  return OF_SYSTEM_ACCOUNTS.test(path.text) && (MARKED.test(arg.text) || isProgram("remote-shell", program));
}

/** The path that an argument may name, and the option whose value it is. */
function namedAt(args: readonly Word[], at: number): { readonly option: string; readonly path: Word } {
  const arg = args[at] as Word;
  const [, name, value] = /^(?:--?)?([\w.-]{1,40})=(.*)$/s.exec(arg.text) ?? [];
  if (name !== undefined && value !== undefined) return { option: name, path: pieceOf(arg, bare(value)) };
  const [, letter, rest] = /^-([A-Za-z])([@~/.].*)$/s.exec(arg.text) ?? [];
  if (letter !== undefined && rest !== undefined) return { option: letter, path: pieceOf(arg, bare(rest)) };
  const before = args[at - 1]?.text ?? "";
  const option = /^--?[A-Za-z]/.test(before) && !before.includes("=") ? before.replace(/^--?/, "") : "";
  return { option, path: pieceOf(arg, bare(arg.text)) };
}

/** `@file`, `file:///path`: the marks by which programs take a file in the place of a text. */
function bare(text: string): string {
  return text.replace(/^(?:@|(?:fileb?|man):(?:\/\/)?(?=[/~.])|<)/, "");
}

/** The last argument of a program or a verb that copies, after what it copies from. */
function isCopyTarget(program: string, args: readonly Word[], at: number): boolean {
  if (at !== args.length - 1) return false;
  const operands = args.filter(({ text }) => !text.startsWith("-"));
  if (SAVES.test(program)) return true;
  return operands.length > (COPIES.test(program) ? 1 : COPIES.test(operands[0]?.text ?? "") ? 2 : args.length);
}

/** Whether the arguments or the input of a program hold code or directives that no reader of this folder takes apart. */
function mayHoldCode(row: Program): boolean {
  return (
    row.interpreter?.language === "other" ||
    row.is?.["runs-named"] !== undefined ||
    (row.code !== undefined && takesCode(row))
  );
}

/** The effects of a text that no reader could take apart: the files that it names, besides those that are known. */
export function effectsOfUnreadText(text: string, known: readonly Effect[]): readonly Effect[] {
  return pathsInCode({ text, isKnown: true, isGlob: false }).flatMap(([path, does]): Effect[] => {
    if (known.some((effect) => effect.does === does && effect.path.text === path.text)) return [];
    return [{ does, path, isTree: false, isForced: false, program: "", command: 0, isAssumed: true }];
  });
}

/**
 * Files with keys that code names, and files of the system in code that writes. A path that is neither in quotes nor in
 * brackets may be part of a sentence, unless there are only a few words.
 */
function pathsInCode(code: Word): readonly (readonly [path: Word, does: "read" | "write"])[] {
  const text = code.text.slice(0, MAX_CODE);
  const isWriting = WRITES_IN_CODE.test(text);
  const isShort = !SENTENCE.test(text);
  return [...text.matchAll(PATHS_IN_CODE)].slice(0, MAX_FOUND).flatMap(([, before = "", path = ""]) => {
    const isSecret = isSecretFile(path);
    if (!isSecret && !(isWriting && SYSTEM.test(path))) return [];
    if (!DELIMITER.test(before) && !(isShort && SYSTEM.test(path))) return [];
    return [[pieceOf(code, path), isSecret ? "read" : "write"] as const];
  });
}

function touchedBy({ effects, scripts, folder }: RunReport): Set<string> {
  const known = new Set(scripts.map((path) => pathFrom(folder, path).text));
  for (const effect of effects) if ("path" in effect && effect.path !== undefined) known.add(effect.path.text);
  return known;
}

const MAX_FOUND = 64;
const MAX_LENGTH = 1024;
const MAX_CODE = 20_000;
/** Most arguments name no file that matters; this is asked about each of them. */
const MAY_NAME = /[./~]|key|credential/i;
/** A prefix by which a value is marked as a file. */
const MARKED = /^(?:[\w-]{0,40}=)?(?:@|fileb?:)/;
/** A path from the root or from the home. */
const FREE = /^(?:\/[^/]|~\/)/;
const SYSTEM = /^\/(?:etc|proc|root|var\/(?:lib|log|spool))\/./;
const OF_SYSTEM_ACCOUNTS = /^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd)/;
/** Files that no program uses to log in. */
const OF_ACCOUNTS = /^\/(?:etc|proc)\//;
/** Programs of which everything that they print is known, and no file is among it. */
const PRINTS_NO_FILE: ReadonlySet<Output | undefined> = new Set<Output>([
  "words",
  "format",
  "names",
  "nothing",
  "success",
  "failure",
  "temporary-path",
]);
/** Options whose value is the file of an output. */
const OUTPUT =
  /^(?:o|O|w|of|(?:out|write|save|dump|export|dest|record)[\w-]*|[\w-]*[-_]?(?:out(?:put)?|dest(?:ination)?|target|log-?file|xml)(?:[-_](?:file|path|dir))?)$/i;
/** Options by which a program is given a key or settings to work with, and shows neither. */
const KEY_OPTION = /^[ikcE]$|key|ident|cert|cred|token|passw|secret|auth|conf|env|kube|netrc|ca-?file|login|account/i;
/** Options whose value is a text, a pattern or what is left out. */
const NO_FILE = /messag|title|body|comment|desc|note|name|pattern|regex|exclude|ignore|include|filter|glob/i;
const COPIES = /(?:^|[-_])(?:cp|copy|mv|move|get|put|download|fetch|save|export|install|clone|sync|dump|convert)$/i;
const SAVES = /(?:^|\/)save$/;
const IN_CALL = /[({,]["']?[/~]/;
const PATHS_IN_CODE = /(^|[^\w.~/-])((?:~\/|\/)[\w.-][^\s"'`(){}[\],;<>|\\]*)/g;
const DELIMITER = /["'`({[,<>=]/;
/** More words than a directive contains. */
const SENTENCE = /(?<!\S)(?:\S+\s+){6}\S/;
const WRITES_IN_CODE =
  />\s*[~/]|writ|fput|save|dump|OutputStream|redir|content|\b(?:cp|copy|put|append|out\w*)\b|["']w[b+]?["']/i;
