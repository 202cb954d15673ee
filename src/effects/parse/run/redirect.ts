import type { RedirectDescriptor, Redirection } from "unbash";
import { isDevice, joinPath } from "../../paths.ts";
import { GAP, type Input, type Redirect } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { type FileContent, type Opened, owned, type Shell, type Stdin } from "../shell-state.ts";
import { type Field, fieldFrom, fieldOf, textValue } from "../value.ts";
import { assign } from "../variables.ts";
import { expandParts, expandToValue, expandWord } from "../words/expand.ts";
import type { Frame, Reader } from "./reader.ts";

/** Where a command's input and output go by its redirections. */
export interface Plumbing {
  readonly redirects: readonly Redirect[];
  readonly stdin: Stdin;
  /** The file that takes the output; "nowhere" when it is not what the shell sees. */
  readonly stdout: { readonly path: string; readonly isAppended: boolean } | "here" | "nowhere";
}

/** Reads redirections in their order. */
export function plumb(redirections: readonly Redirection[], frame: Frame, reader: Reader): Plumbing {
  if (redirections.length === 0) return { redirects: NONE, stdin: standardInput(frame), stdout: "here" };
  const redirects: Redirect[] = [];
  let stdin = standardInput(frame);
  let stdout: Plumbing["stdout"] = "here";
  for (const redirection of redirections) {
    const descriptor = redirection.descriptor && numberOf(redirection.descriptor, frame.shell);
    if (redirection.type === "HereDoc" || redirection.type === "HereString") {
      const isBody = redirection.type === "HereDoc";
      const text = isBody ? bodyOf(redirection, frame, reader) : lineOf(redirection, frame, reader);
      const written = isBody && !text.isKnown ? redirection.body.text : undefined;
      const given: Stdin = { text: text.text, at: 0, input: { from: "text", text, written } };
      if (descriptor === undefined || descriptor === 0) stdin = given;
      else open(frame.shell, descriptor, { stdin: given });
      continue;
    }
    if (redirection.target === undefined) continue;
    const { operator } = redirection;
    const written = oneField(expandWord(redirection.target, frame, reader), redirection.target, frame, reader);
    const [target = written] = throughDescriptors([written], frame.shell).words;
    const isCopy = (operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(target.text);
    if (isCopy) {
      if (descriptor !== undefined && descriptor > 2) copyDescriptor(frame.shell, descriptor, target.text, stdin);
      else if (operator === "<&" || descriptor === 0)
        stdin = fromDescriptor(frame.shell, Number.parseInt(target.text, 10)) ?? stdin;
      else if ((descriptor ?? 1) === 1 && target.text !== "1") {
        const opened = frame.shell.descriptors.get(Number.parseInt(target.text, 10));
        stdout = opened?.path === undefined ? "nowhere" : { path: opened.path, isAppended: true };
        if (opened?.path !== undefined) redirects.push({ way: "append", target: fieldOf(opened.path) });
      }
      continue;
    }
    const way = WAYS[operator];
    redirects.push({ way, target: withoutPattern(target) });
    const isOutput = descriptor === undefined || descriptor === 1;
    if (descriptor !== undefined && descriptor > 2) openFile(frame.shell, descriptor, target);
    else if (way === "read" && (descriptor ?? 0) === 0) stdin = fromFile(target, frame.shell);
    else if (way !== "read" && isOutput) stdout = { path: target.text, isAppended: way === "append" };
  }
  return { redirects, stdin, stdout };
}

/** The input of a command without redirections: that of the group or shell around it, unless `exec` has changed it since. */
function standardInput({ shell, stdin }: Frame): Stdin {
  const changed = shell.descriptors.size === 0 ? undefined : shell.descriptors.get(0);
  return changed?.stdin !== undefined && changed.instead === stdin ? changed.stdin : stdin;
}

/** `{name}< file`: the shell chooses the number, and sets the variable. */
function numberOf(descriptor: RedirectDescriptor, shell: Shell): number {
  if (descriptor.type === "FileDescriptor") return descriptor.value;
  const number = FIRST_CHOSEN + shell.descriptors.size;
  assign(shell, descriptor.name, textValue(String(number)));
  return number;
}

const FIRST_CHOSEN = 10;

/** Without `exec` a descriptor is closed after its command; here it stays open, and is reported if it is used again. */
function open(shell: Shell, descriptor: number, opened: Opened): void {
  owned(shell).descriptors.set(descriptor, opened);
}

function openFile(shell: Shell, descriptor: number, target: Field): void {
  const path = joinPath(shell.folder, target.text);
  open(shell, descriptor, { path, stdin: shell.files.has(path) ? fromFile(target, shell) : undefined });
}

function copyDescriptor(shell: Shell, descriptor: number, from: string, stdin: Stdin): void {
  if (from === "-") {
    owned(shell).descriptors.delete(descriptor);
    return;
  }
  const opened = from === "0" ? { stdin } : shell.descriptors.get(Number.parseInt(from, 10));
  if (opened !== undefined) open(shell, descriptor, opened);
}

const NONE: readonly never[] = [];

const WAYS = {
  ">": "write",
  ">|": "write",
  "&>": "write",
  ">&": "write",
  "<>": "write",
  ">>": "append",
  "&>>": "append",
  "<": "read",
  "<&": "read",
} as const;

/** What an open descriptor other than the standard ones gives. */
export function fromDescriptor(shell: Shell, descriptor: number): Stdin | undefined {
  const opened = shell.descriptors.get(descriptor);
  if (opened === undefined) return undefined;
  return opened.stdin ?? (opened.path === undefined ? undefined : fromFile(fieldOf(opened.path), shell));
}

/** Input from a file: its text where the line wrote it itself. */
function fromFile(path: Field, shell: Shell): Stdin {
  const file = path.text === "/dev/null" ? NOTHING_IN_IT : shell.files.get(joinPath(shell.folder, path.text));
  const isText = file !== undefined && "text" in file;
  const input: Input =
    isText && file.of !== undefined ? { from: "commands", of: file.of } : { from: "file", path: withoutPattern(path) };
  return { text: isText ? file.text : GAP, at: 0, input, listed: isText ? file.listed : undefined };
}

const NOTHING_IN_IT: FileContent = { text: "" };

/** Where a word leads that names an open descriptor by its path, such as `/dev/fd/3`, and which commands print what is there. */
export function throughDescriptors(words: readonly Field[], shell: Shell): ThroughDescriptors {
  if (!words.some(({ text }) => text.includes("/fd/"))) return { words, takes: undefined };
  const takes: number[] = [];
  const led = words.map((word) => {
    if (!word.text.includes("/fd/")) return word;
    const text = word.text.replace(DESCRIPTOR_PATH, (path, number) => {
      const opened = shell.descriptors.get(Number(number));
      if (opened?.stdin?.input.from === "commands") takes.push(...opened.stdin.input.of);
      return opened?.path ?? path;
    });
    return text === word.text ? word : { ...word, text };
  });
  return { words: led, takes: takes.length === 0 ? undefined : takes };
}

interface ThroughDescriptors {
  readonly words: readonly Field[];
  readonly takes: readonly number[] | undefined;
}

const DESCRIPTOR_PATH = /\/(?:dev|proc\/(?:self|\d+|\uFFFC))\/fd\/(\d{1,4})(?!\w)/;

/** What is printed goes into a file that is remembered. */
export function writeFile(shell: Shell, path: string, text: string, isAppended: boolean): void {
  if (path.includes(GAP) || (isDevice(path) && !path.startsWith("/dev/fd/"))) return;
  const key = joinPath(shell.folder, path);
  const before = isAppended ? shell.files.get(key) : undefined;
  const old = before === undefined ? "" : "text" in before ? before.text : GAP;
  shell.files.set(key, { text: old.length + text.length > LIMITS.value ? GAP : old + text });
}

/** Runs each `>(…)` that was met since then, with what the commands from a position on wrote into it. */
export function fillSinks(since: number, from: number, shell: Shell, reader: Reader): void {
  if (reader.sinks.length === since) return;
  for (const { path, run, isSpare } of reader.sinks.splice(since)) {
    const file = shell.files.get(path);
    if (isSpare && file === undefined) continue;
    const text = file !== undefined && "text" in file ? file.text : GAP;
    run({ text, at: 0, input: { from: "commands", of: writersTo(path, from, reader) } });
  }
}

/** The commands from a position on; at the end, those that print into a descriptor with this path. */
function writersTo(path: string, from: number, { commands }: Reader): readonly number[] {
  const of: number[] = [];
  for (let at = from < commands.length ? from : 0; at < commands.length && of.length < MAX_WRITERS; at++)
    if (at >= from || commands[at]?.redirects.some(({ target }) => target.text === path)) of.push(at);
  return of;
}

const MAX_WRITERS = 64;

/** As it is reported outside of the reading. */
export function withoutPattern(field: Field): Field {
  if (field.pattern === undefined) return field;
  const { text, isKnown, isGlob, files } = field;
  return files === undefined ? { text, isKnown, isGlob } : { text, isKnown, isGlob, files };
}

function oneField(
  fields: readonly Field[],
  word: Parameters<typeof expandToValue>[0],
  frame: Frame,
  reader: Reader,
): Field {
  const [field] = fields;
  return fields.length === 1 && field !== undefined ? field : fieldFrom(expandToValue(word, frame, reader));
}

function bodyOf({ body, operator }: Extract<Redirection, { type: "HereDoc" }>, frame: Frame, reader: Reader): Field {
  const made = body.parts === undefined ? textValue(body.text) : expandParts(body.parts, frame, reader);
  const value = { ...made, isSure: made.isSure && !(body.parts && body.text.includes("\\\n")) };
  return fieldFrom(operator === "<<-" ? { ...value, text: value.text.replaceAll(/^\t+/gm, "") } : value);
}

function lineOf({ target }: Extract<Redirection, { type: "HereString" }>, frame: Frame, reader: Reader): Field {
  if (target === undefined) return fieldOf("\n");
  // All parameters at once make one line, apart by blanks.
  const isList = /\$@|\$\{@|\[@\]/.test(target.text);
  const fields = isList ? expandWord(target, frame, reader) : [];
  const value = isList
    ? { text: fields.map(({ text }) => text).join(" "), isSure: fields.every(({ isKnown }) => isKnown) }
    : expandToValue(target, frame, reader);
  return fieldFrom({ ...value, text: `${value.text}\n` });
}
