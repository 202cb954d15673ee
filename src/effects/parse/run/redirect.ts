import type { Redirection } from "unbash";
import { GAP, type Redirect } from "../command.ts";
import { joinPath } from "../../join-path.ts";
import { LIMITS } from "../limits.ts";
import { owned, type Shell } from "../shell-state.ts";
import { type Field, fieldFrom, fieldOf, textValue } from "../value.ts";
import { expandParts, expandToValue, expandWord } from "../words/expand.ts";
import type { Frame, Reader, Stdin } from "./reader.ts";

/** Where a command's input and output go by its redirections. */
export interface Plumbing {
  readonly redirects: readonly Redirect[];
  readonly stdin: Stdin;
  /** The file that takes the output; "nowhere" when it is not what the shell sees. */
  readonly stdout: { readonly path: string; readonly isAppended: boolean } | "here" | "nowhere";
  /** Other descriptors, for `exec`. */
  readonly opened: readonly (readonly [descriptor: number, path: Field])[];
}

/** Reads redirections in their order. */
export function plumb(redirections: readonly Redirection[], frame: Frame, reader: Reader): Plumbing {
  if (redirections.length === 0) return { redirects: NONE, stdin: frame.stdin, stdout: "here", opened: NONE };
  const redirects: Redirect[] = [];
  const opened: [number, Field][] = [];
  let { stdin } = frame;
  let stdout: Plumbing["stdout"] = "here";
  for (const redirection of redirections) {
    const descriptor = redirection.descriptor?.type === "FileDescriptor" ? redirection.descriptor.value : undefined;
    if (redirection.type === "HereDoc" || redirection.type === "HereString") {
      const text =
        redirection.type === "HereDoc" ? bodyOf(redirection, frame, reader) : lineOf(redirection, frame, reader);
      if (descriptor === undefined || descriptor === 0)
        stdin = { text: text.text, at: 0, input: { from: "text", text } };
      else owned(frame.shell).descriptors.set(descriptor, { text: text.text });
      continue;
    }
    if (redirection.target === undefined) continue;
    const { operator } = redirection;
    const target = oneField(expandWord(redirection.target, frame, reader), redirection.target, frame, reader);
    const isCopy = (operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(target.text);
    if (isCopy) {
      if (operator === "<&" || descriptor === 0)
        stdin = fromDescriptor(frame.shell, Number.parseInt(target.text, 10)) ?? stdin;
      else if ((descriptor ?? 1) === 1 && target.text !== "1") {
        stdout = "nowhere";
        const opened = frame.shell.descriptors.get(Number.parseInt(target.text, 10));
        if (opened !== undefined && "path" in opened) redirects.push({ way: "append", target: fieldOf(opened.path) });
      }
      continue;
    }
    const way = WAYS[operator];
    redirects.push({ way, target: withoutPattern(target) });
    const isOutput = descriptor === undefined || descriptor === 1;
    if (descriptor !== undefined && descriptor > 2) opened.push([descriptor, target]);
    else if (way === "read" && (descriptor ?? 0) === 0) stdin = fromFile(target, frame.shell);
    else if (way !== "read" && isOutput) stdout = { path: target.text, isAppended: way === "append" };
  }
  return { redirects, stdin, stdout, opened };
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
function fromDescriptor(shell: Shell, descriptor: number): Stdin | undefined {
  const opened = shell.descriptors.get(descriptor);
  if (opened === undefined) return undefined;
  if ("path" in opened) return fromFile(fieldOf(opened.path), shell);
  return { text: opened.text, at: 0, input: { from: "text", text: fieldOf(opened.text) } };
}

/** Input from a file: its text where the line wrote it itself. */
function fromFile(path: Field, shell: Shell): Stdin {
  const file = path.text === "/dev/null" ? { text: "" } : shell.files.get(joinPath(shell.folder, path.text));
  return { text: file && "text" in file ? file.text : GAP, at: 0, input: { from: "file", path: withoutPattern(path) } };
}

/** What is printed goes into a file that is remembered. */
export function writeFile(shell: Shell, path: string, text: string, isAppended: boolean): void {
  if (path.includes(GAP) || path.startsWith("/dev/")) return;
  const key = joinPath(shell.folder, path);
  const before = isAppended ? shell.files.get(key) : undefined;
  const old = before === undefined ? "" : "text" in before ? before.text : GAP;
  shell.files.set(key, { text: old.length + text.length > LIMITS.value ? GAP : old + text });
}

/** As it is told outside of the reading. */
export function withoutPattern(field: Field): Field {
  return field.pattern === undefined ? field : { text: field.text, isKnown: field.isKnown, isGlob: field.isGlob };
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
