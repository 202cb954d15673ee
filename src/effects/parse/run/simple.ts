import type { Assignment, Command } from "unbash";
import { codeInVariables } from "../../programs/code-variables.ts";
import { GAP, type SimpleCommand, type Word } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { copyShell, owned } from "../shell-state.ts";
import { type Field, fieldFrom, fieldOf } from "../value.ts";
import { addFields, expandWord } from "../words/expand.ts";
import { assignFrom } from "./assignment.ts";
import { runPrepared } from "./dispatch.ts";
import { readableFile } from "./files.ts";
import { runInner } from "./inner.ts";
import { type Frame, framed, type Outcome, type Prepared, type Reader, SILENT } from "./reader.ts";
import { fillSinks, type Plumbing, plumb, writeFile } from "./redirect.ts";

/** Runs one command of the syntax: its assignments, its words, its redirections, and then what it calls. */
export function runSimple(node: Command, frame: Frame, reader: Reader): Outcome {
  if (!reader.step()) return { stdout: GAP, ends: "unknown" };
  const source = frame.text.slice(node.pos, Math.min(node.end, node.pos + MAX_SOURCE_LENGTH));
  const { shell } = frame;
  const sinks = reader.sinks.length;
  const prefix = node.prefix.length === 0 ? NO_PREFIX : node.prefix.filter((part) => part.type === "Assignment");
  if (node.name === undefined) return runBare(node, prefix, frame, reader, source);
  const words = expandWord(node.name, frame, reader);
  const declared: Assignment[] = [];
  for (const part of node.suffix) {
    if (words.length > LIMITS.fields * 4) {
      reader.doubt("too long", `more than ${LIMITS.fields * 4} words`);
      break;
    }
    if (part.type === "Word") addFields(words, part, frame, reader);
    else if (part.type === "Assignment") {
      declared.push(part);
      words.push(textOf(part));
    }
  }
  // What is set for one command is gone after it; the words above were read before.
  const inner =
    prefix.length === 0 ? frame : { ...frame, shell: { ...owned(shell), variables: new Map(shell.variables) } };
  const assignments = prefix.length === 0 ? NONE : assignAll(prefix, inner, reader);
  const plumbing = plumb(node.redirects, frame, reader);
  const at = reader.commands.length;
  const alias = shell.aliases.size > 0 ? shell.aliases.get(node.name.text) : undefined;
  if (alias !== undefined && frame.depth < LIMITS.depth) {
    const rest = frame.text.slice(node.name.end, node.end);
    const shadowed = {
      ...copyShell(shell),
      aliases: new Map([...shell.aliases].filter(([name]) => name !== node.name?.text)),
    };
    reader.runText(`${alias}${rest}`, { ...frame, shell: shadowed, depth: frame.depth + 1 });
  }
  if (words.length === 0 && prefix.length > 0) assignAll(prefix, frame, reader);
  const prepared: Prepared = { words, declared, assignments, redirects: plumbing.redirects, source };
  const hasOwnInput = plumbing.stdin !== frame.stdin;
  const outcome = runPrepared(prepared, hasOwnInput ? framed(inner, inner.shell, plumbing.stdin) : inner, reader);
  if (inner !== frame) copyBack(inner.shell, frame.shell, prefix);
  // `exec` without a program redirects what comes after it.
  const isLasting = words.length === 1 && words[0]?.text === "exec";
  if (isLasting && hasOwnInput) owned(shell).descriptors.set(0, { stdin: plumbing.stdin, instead: frame.stdin });
  const routed = route(isLasting && plumbing.stdout !== "here" ? LATER : outcome, plumbing.stdout, frame);
  // What it opens is written by what comes after it.
  if (!isLasting) fillSinks(sinks, at, shell, reader);
  return routed;
}

/** What other commands will print. */
const LATER: Outcome = { stdout: GAP, ends: "well" };
const MAX_SOURCE_LENGTH = 400;
const NO_PREFIX: readonly Assignment[] = [];
const NONE: Readonly<Record<string, Word>> = {};

/** Sends what was printed to the targets of the redirections. */
function route(outcome: Outcome, stdout: Plumbing["stdout"], { shell }: Frame): Outcome {
  if (stdout === "here") return outcome;
  if (stdout !== "nowhere") writeFile(shell, stdout.path, outcome.stdout, stdout.isAppended);
  return { ...outcome, stdout: "" };
}

function runBare(node: Command, prefix: readonly Assignment[], frame: Frame, reader: Reader, source: string): Outcome {
  const before = reader.commands.length;
  const assignments = assignAll(prefix, frame, reader);
  const plumbing = plumb(node.redirects, frame, reader);
  if (prefix.length === 0 && plumbing.redirects.length === 0) return SILENT;
  const command: SimpleCommand = {
    program: undefined,
    args: [],
    assignments,
    redirects: plumbing.redirects,
    input: plumbing.stdin.input,
    folder: frame.shell.folder,
    via: frame.via,
    source,
    script: frame.script,
  };
  reader.commands.push(command);
  const fileIn = (path: Word) => readableFile(path, frame, reader);
  for (const inner of codeInVariables(assignments, undefined, fileIn)) runInner(inner, frame, reader, source);
  const isPlain = reader.commands.length === before + 1;
  // `$(< file)` is what the file holds.
  if (prefix.length === 0 && plumbing.redirects.every(({ way }) => way === "read")) {
    const { text, input } = plumbing.stdin;
    return { stdout: text, ends: "unknown", path: input.from === "file" ? input.path.text : undefined };
  }
  return route({ stdout: "", ends: isPlain ? "well" : "unknown" }, plumbing.stdout, frame);
}

function assignAll(nodes: readonly Assignment[], frame: Frame, reader: Reader): Readonly<Record<string, Word>> {
  const found: Record<string, Word> = Object.create(null);
  for (const node of nodes) found[node.name] = fieldFrom(assignFrom(node, frame, reader));
  return { ...found };
}

/** Everything but the variables set in front of the command lives on. */
function copyBack(inner: Frame["shell"], shell: Frame["shell"], prefix: readonly Assignment[]): void {
  const own = new Set(prefix.map(({ name }) => name));
  owned(shell);
  for (const [name, variable] of owned(inner).variables) if (!own.has(name)) shell.variables.set(name, variable);
  const { variables } = shell;
  Object.assign(shell, inner, { variables });
}

function textOf({ text }: Assignment): Field {
  return { ...fieldOf(text), isKnown: !/[$`"'\\~]/.test(text) };
}
