import { GAP, type SimpleCommand } from "../parse/command.ts";
import { joinPath } from "../join-path.ts";
import { LIMITS } from "../parse/limits.ts";
import type { Outcome } from "../parse/run/reader.ts";
import type { Shell, Stdin } from "../parse/shell-state.ts";
import type { Field } from "../parse/value.ts";
import { printedByCode } from "../code/printed-lines.ts";
import { copyFiles, fetchFiles, writeInput } from "./copied-files.ts";
import { decodeBase32, decodeBase64, decodeHex } from "./decode.ts";
import type { Output } from "../programs/program.ts";
import { isProgram, outputKind, programNamed } from "../programs/program-name.ts";
import { escapes, formatted } from "./printf.ts";
import { printedByAwk, substitute, translate, wrappedLines } from "./text-tools.ts";

/** A program that prints what can be known before it runs. */
export interface Printing {
  readonly name: string;
  readonly args: readonly Field[];
  readonly stdin: Stdin;
  readonly shell: Shell;
}

/** What a program prints, as far as that follows from its arguments and its input. */
export function outputOf(call: Printing): Outcome {
  const kind = outputKind(call.name);
  const listed = listedBy(call);
  if (kind === undefined) {
    const { listed: given } = call.stdin;
    const isMade = given !== undefined && isProgram("runs-code", call.name);
    const stdout = isMade ? printedByCode(call.args.map(({ text }) => text)) : undefined;
    return { stdout: stdout ?? GAP, ends: "unknown", listed: isMade ? given : listed };
  }
  const outcome = listed === undefined ? OUTPUTS[kind](call) : { ...OUTPUTS[kind](call), listed };
  return outcome.stdout.length > LIMITS.value ? { ...outcome, stdout: GAP } : outcome;
}

/** The files whose names a program prints, as patterns; nothing where it prints something else. */
function listedBy({ name, args, stdin }: Printing): readonly Field[] | undefined {
  const kind = outputKind(name);
  if (stdin.listed !== undefined && (kind === "edited" || kind === "code" || isProgram("keeps-lines", name)))
    return stdin.listed;
  if (kind === "words" || kind === "format") return namesAmong(args);
  return programNamed(name)?.lists?.(args);
}

/** The patterns among words that are printed, which the shell has made names of files. */
function namesAmong(args: readonly Field[]): readonly Field[] | undefined {
  const names = args.filter(({ isGlob }) => isGlob);
  return names.length === 0 ? undefined : names;
}

/** What a substitution lists, by the commands that it has added; nothing where it prints something else. */
export function listedAtEnd(commands: readonly SimpleCommand[], from: number): Field | undefined {
  const last = commands.length > from ? commands.at(-1) : undefined;
  return last?.program && programNamed(last.program.text)?.lists?.(last.args)?.[0];
}

type Row = (call: Printing) => Outcome;

const well = (stdout: string): Outcome => ({ stdout, ends: "well" });
const unclear = (stdout: string): Outcome => ({ stdout, ends: "unknown" });

/** A program that turns its input into its output. */
function filter(change: (text: string, args: readonly string[]) => string | undefined): Row {
  return (call) => {
    const input = call.stdin.text.slice(call.stdin.at);
    const hasInput = call.stdin.input.from !== "nothing" || input !== "";
    call.stdin.at = call.stdin.text.length;
    const args = call.args.map(({ text }) => text);
    return unclear(hasInput ? (change(input, args) ?? GAP) : GAP);
  };
}

const known = (change: (text: string, args: readonly string[]) => string | undefined) =>
  filter((text, args) => (text.includes(GAP) ? undefined : change(text, args)));

const echo: Row = ({ args }) => {
  const words = args.map(({ text }) => text);
  let isRaw = false;
  let isEscaped = false;
  while (/^-[neE]+$/.test(words[0] ?? "")) {
    const flags = words.shift() ?? "";
    isRaw ||= flags.includes("n");
    isEscaped = flags.lastIndexOf("e") > flags.lastIndexOf("E") || (isEscaped && !flags.includes("E"));
  }
  const line = words.join(" ");
  return well((isEscaped ? escapes(line) : line) + (isRaw ? "" : "\n"));
};

const cat: Row = ({ args, stdin, shell }) => {
  const paths = args.filter(({ text }) => !/^-./.test(text));
  if (args.length > paths.length) return unclear(GAP);
  if (paths.length === 0 || paths.every(({ text }) => text === "-" || text === "/dev/stdin")) {
    const text = stdin.text.slice(stdin.at);
    stdin.at = stdin.text.length;
    const path = stdin.input.from === "file" ? stdin.input.path.text : stdin.path;
    return { ...unclear(text), path };
  }
  const texts = paths.map(({ text }) => {
    const file = shell.files.get(joinPath(shell.folder, text));
    return file !== undefined && "text" in file ? file.text : GAP;
  });
  return { ...unclear(texts.join("")), path: paths.length === 1 ? paths[0]?.text : undefined };
};

const isDecoding = (args: readonly string[]) =>
  args.some((arg) => /^(?:-[a-z]*[dD][a-z]*|--d.*|-{1,2}decode)$/.test(arg));

/** Stands before what was packed, so that unpacking it is known too. */
const PACKED = `${GAP}packed${GAP}`;
const unpack = filter((text) => (text.startsWith(PACKED) ? text.slice(PACKED.length) : undefined));
const pack = filter((text, args) =>
  isDecoding(args) ? (text.startsWith(PACKED) ? text.slice(PACKED.length) : undefined) : PACKED + text,
);

const OUTPUTS: Readonly<Record<Output, Row>> = {
  words: echo,
  format: ({ args }) => well(formatted(args) ?? GAP),
  files: cat,
  names: ({ args }) => {
    const at = args.findIndex(({ text }) => text === "-printf");
    const format = at < 0 ? undefined : args[at + 1]?.text;
    return unclear(format === undefined ? GAP : escapes(format.replaceAll(/%[-\d]*[pPfh]/g, GAP)));
  },
  nothing: () => unclear(""),
  success: () => well(""),
  failure: () => ({ stdout: "", ends: "badly" }),
  base64: known((text, args) => (isDecoding(args) ? decodeBase64(text) : Buffer.from(text).toString("base64"))),
  base32: known((text, args) => (isDecoding(args) ? decodeBase32(text) : undefined)),
  decoded: known((text, args) =>
    args.includes("-d") && (args.includes("base64") || args.includes("-base64") || args.includes("-a"))
      ? decodeBase64(text)
      : undefined,
  ),
  hex: known((text, args) =>
    args.some((arg) => arg.includes("r")) && args.some((arg) => arg.includes("p")) ? decodeHex(text) : undefined,
  ),
  reversed: known((text) =>
    text
      .split("\n")
      .map((line) => Array.from(line).reverse().join(""))
      .join("\n"),
  ),
  "reversed-lines": known((text) => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).reverse().join("")),
  translated: known(translate),
  edited: (call) => {
    const args = call.args.map(({ text }) => text);
    const around = wrappedLines(args);
    const hasFile = args.filter((arg) => !arg.startsWith("-")).length > 1;
    if (around === undefined) return known(substitute)(call);
    return hasFile ? unclear(around(GAP)) : filter(around)(call);
  },
  "first-lines": known((text, args) =>
    args.length === 2 && args[0] === "-n" ? lines(text, Number(args[1])) : undefined,
  ),
  packed: pack,
  unpacked: unpack,
  input: (call) => unclear(writeInput(call)),
  code: ({ args }) => unclear(printedByAwk(args.map(({ text }) => text)) ?? GAP),
  copies: (call) => unclear(copyFiles(call)),
  fetched: (call) =>
    unclear(fetchFiles(call, "target|output|o= remote-name|O remote-header-name|J location|L silent|s")),
  "fetched-file": (call) => unclear(fetchFiles(call, "target|output-document|O= quiet|q", true)),
  "temporary-path": ({ args }) => unclear(`${temporaryPath(args.map(({ text }) => text))}\n`),
};

/** Where a temporary file or folder lies, with a name that only the run knows. */
function temporaryPath(args: readonly string[]): string {
  const folder = args
    .map((arg, at) => /^--tmpdir=(.+)$/.exec(arg)?.[1] ?? (args[at - 1] === "-p" ? arg : ""))
    .find(Boolean);
  const template = args.findLast((arg, at) => arg.includes("XXX") && args[at - 1] !== "-p") ?? "tmp.XXX";
  const isHere =
    folder === undefined && template !== "tmp.XXX" && !args.some((arg) => /^(?:-\w*t|--tmpdir)$/.test(arg));
  const name = template.replace(/X{3,}/, GAP);
  return isHere || name.startsWith("/") ? name : `${folder ?? "/tmp"}/${name}`;
}

function lines(text: string, count: number): string | undefined {
  return count >= 0 ? (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).slice(0, count).join("") : undefined;
}
