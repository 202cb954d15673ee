import { GAP } from "../parse/command.ts";
import { LIMITS } from "../parse/limits.ts";
import type { Outcome } from "../parse/run/reader.ts";
import type { FileContent, Shell, Stdin } from "../parse/shell-state.ts";
import type { Field } from "../parse/value.ts";
import { isDevice, joinPath } from "../paths.ts";
import { has, values } from "../programs/call.ts";
import { readOptions } from "../programs/options.ts";
import type { Output } from "../programs/program.ts";
import { isProgram, namedProgram, outputKind } from "../programs/program-name.ts";
import { changesLines, isText, keptByCode, listedBy, type Printing } from "./listed-lines.ts";
import { escapes, formatted } from "./printf.ts";
import {
  decodeBase32,
  decodeBase64,
  decodeHex,
  encodeBase64,
  printedByAwk,
  printedByCode,
  substitute,
  translate,
  wrappedLines,
} from "./text-tools.ts";

/** What a program prints, as far as that follows from its arguments and its input. */
export function outputOf(call: Printing): Outcome {
  const kind = outputKind(call.name);
  const listed = listedBy(call, kind);
  if (kind === undefined) {
    const { listed: given } = call.stdin;
    const isMade = given !== undefined && isProgram("runs-code", call.name);
    const stdout = isMade ? printedByCode(call.args.map(({ text }) => text)) : undefined;
    return { stdout: stdout ?? GAP, ends: "unknown", listed: isMade ? keptByCode(given, stdout, call.args) : listed };
  }
  const made = OUTPUTS[kind](call);
  const isLost =
    listed === undefined && call.stdin.listed !== undefined && changesLines(kind) && !isText(kind, call.args);
  const outcome = listed === undefined ? (isLost ? unclear(GAP) : made) : { ...made, listed };
  return outcome.stdout.length > LIMITS.value ? { ...outcome, stdout: GAP } : outcome;
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
  base64: known((text, args) => (isDecoding(args) ? decodeBase64(text) : encodeBase64(text))),
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

/** The path of a temporary file or folder, with a name that is known only at run time. */
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

interface Copying {
  readonly args: readonly Field[];
  readonly stdin: Stdin;
  readonly shell: Shell;
}

/** Remembers what `cp`, `mv`, `ln` and `install` put under another name: programs, files that the line wrote, files on the disk. */
function copyFiles({ name, args, shell }: Printing): string {
  const { given, operands } = readOptions(args, "target-directory|t= mode|m= owner|o= group|g= suffix|S= s|symbolic D");
  const folder = given.get("target-directory")?.[0];
  const to = folder ?? operands.at(-1);
  const sources = folder === undefined ? operands.slice(0, -1) : operands;
  if (to === undefined || to.text.includes(GAP)) return "";
  const isFolder = folder !== undefined || sources.length > 1 || to.text.endsWith("/") || to.text === ".";
  for (const from of sources.slice(0, LIMITS.elements)) {
    // A symbolic link names its target as seen from the folder of the link.
    const isSeenFromLink = isProgram("makes-links", name) && given.has("s") && !from.text.startsWith("/");
    const content = contentOf(isSeenFromLink ? { ...from, text: joinPath(folderOf(to.text), from.text) } : from, shell);
    if (content === undefined) continue;
    const inside = `${to.text}/${from.text.slice(from.text.lastIndexOf("/") + 1)}`;
    for (const path of isFolder ? [inside] : [to.text, inside]) shell.files.set(joinPath(shell.folder, path), content);
  }
  return "";
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
}

function contentOf(from: Field, shell: Shell): FileContent | undefined {
  const path = joinPath(shell.folder, from.text);
  const own = shell.files.get(path);
  if (own !== undefined) return own;
  const { field, isCertain } = namedProgram(from);
  if (from.text.startsWith("/") && isCertain && !field.text.includes("/")) return { program: field.text };
  return from.isGlob || path.includes(GAP) ? undefined : { copyOf: path };
}

/** Remembers that a file comes from elsewhere; gives what is printed. */
function fetchFiles({ args, shell }: Copying, target: string, isNamed = false): string {
  const options = readOptions(
    args,
    `${target} header|H= data|d= request|X= user|u= user-agent|A= referer|e= prefix|P=`,
  );
  const named = values(options, "target");
  const isKeptName = has(options, "remote-name", "remote-header-name") || isNamed;
  const paths = named.length > 0 ? named : isKeptName ? options.operands.map(lastPart) : [];
  for (const { text } of paths)
    if (text !== "" && text !== "-" && !text.includes(GAP))
      shell.files.set(joinPath(shell.folder, text), { text: GAP });
  return paths.length > 0 && paths.every(({ text }) => text !== "-") ? "" : GAP;
}

function lastPart(url: Field): Field {
  const [path = ""] = url.text.split(/[?#]/);
  return { ...url, text: path.slice(path.lastIndexOf("/") + 1) };
}

/** Remembers what `tee` and `dd of=…` write, and passes it on. */
function writeInput({ args, stdin, shell }: Copying): string {
  const text = args.some((arg) => arg.text.startsWith("if=")) ? GAP : stdin.text.slice(stdin.at);
  stdin.at = stdin.text.length;
  const isAppended = args.some((arg) => arg.text === "-a" || arg.text === "--append");
  for (const { text: word } of args) {
    const path = word.replace(/^of=/, "");
    if (
      /^-|^(?:if|bs|count|conv|status|seek|skip|oflag|iflag|ibs|obs)=/.test(path) ||
      path.includes(GAP) ||
      (isDevice(path) && !path.startsWith("/dev/fd/"))
    )
      continue;
    const key = joinPath(shell.folder, path);
    const before = isAppended ? shell.files.get(key) : undefined;
    shell.files.set(key, { text: (before && "text" in before ? before.text : "") + text });
  }
  return text;
}
