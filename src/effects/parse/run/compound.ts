import {
  type AndOr,
  type CommandNode,
  type CompoundList,
  type Coproc,
  type For,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  type Select,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type While,
  type Word,
} from "unbash";
import { listedAtEnd } from "../../output/listed-lines.ts";
import { EQUIVALENTS } from "../../programs/equivalents.ts";
import { GAP } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { copyShell, owned, type Shell, type Stdin } from "../shell-state.ts";
import { MANY, textValue, UNKNOWN, valueFrom } from "../value.ts";
import { assign, assignList } from "../variables.ts";
import { calculate } from "../words/arithmetic.ts";
import { expander, expandToValue, expandWord } from "../words/expand.ts";
import { runAndOr, runCase, runIf } from "./choices.ts";
import { fillsTheMachine, forksManyTimes } from "./endless-loop.ts";
import { runInner } from "./inner.ts";
import {
  type Frame,
  framed,
  NO_INPUT,
  type Outcome,
  positionsFrom,
  type Reader,
  reportTaken,
  runTraps,
} from "./reader.ts";
import { turnsOverListed } from "./reading-builtins.ts";
import { fillSinks, plumb, writeFile } from "./redirect.ts";
import { runSimple } from "./simple.ts";

type Node = CommandNode | PipelineNode | AndOr | CompoundList;

const UNCLEAR: Outcome = { stdout: "", ends: "unknown" };

/** Runs a script, and then what it left to be run at its end. */
export function runScript(script: ParsedScript, outer: Frame, reader: Reader): Outcome {
  const frame = script.source === undefined ? outer : { ...outer, text: script.source };
  for (const { message } of script.errors ?? []) reader.doubt("syntax", message);
  const sinks = reader.sinks.length;
  const outcome = runList(script.commands, frame, reader);
  fillSinks(sinks, reader.commands.length, frame.shell, reader);
  runTraps(frame, reader);
  return outcome;
}

function runList(statements: readonly Statement[], frame: Frame, reader: Reader): Outcome {
  const { shell } = frame;
  let stdout = "";
  let last: Outcome = { stdout: "", ends: "well" };
  let forks: Fork[] | undefined;
  let at = 0;
  for (const { command } of statements) {
    if (!reader.step()) break;
    last = runNode(command, frame, reader);
    stdout = stdout === "" ? last.stdout : stdout.length > LIMITS.value ? GAP : stdout + last.stdout;
    at++;
    if (shell.otherwise.length === 0) continue;
    forks ??= [];
    forks.push({ at, shells: shell.otherwise, doubts: reader.spent.doubts });
    shell.otherwise = [];
  }
  if (forks !== undefined) goOtherWays(statements, forks, frame, reader);
  return statements.length === 1 ? last : { stdout, ends: last.ends };
}

/** A place in a list where the run may be in one of several states. */
interface Fork {
  readonly at: number;
  readonly shells: readonly Shell[];
  readonly doubts: number;
}

/** If not even the program is known after a choice, what follows is run again with what each branch has set. */
function goOtherWays(statements: readonly Statement[], forks: readonly Fork[], frame: Frame, reader: Reader): void {
  const ends: Shell[] = [];
  for (const { at, shells, doubts } of forks) {
    const rest = statements.slice(at);
    for (const shell of shells) {
      if (rest.length > 0 && reader.spent.doubts > doubts && reader.spent.ways++ < LIMITS.ways)
        runList(rest, { ...frame, shell }, reader);
      ends.push({ ...shell, otherwise: [] });
    }
  }
  frame.shell.otherwise = ends.slice(0, LIMITS.ways);
}

/** Runs any piece of the syntax. */
export function runNode(node: Node, frame: Frame, reader: Reader): Outcome {
  if (!reader.step()) return UNCLEAR;
  switch (node.type) {
    case "Command":
      return runSimple(node, frame, reader);
    case "CompoundList":
      return runList(node.commands, frame, reader);
    case "Pipeline":
      return runPipeline(node, frame, reader, runNode);
    case "AndOr":
      return runAndOr(node, frame, reader, runNode);
    case "BraceGroup":
      return runList(node.body.commands, frame, reader);
    case "Subshell":
      return runInOwnShell(node.body, frame, reader);
    case "Coproc":
      return runCoprocess(node, frame, reader);
    case "Redirected":
      return runRedirected(node, frame, reader);
    case "If":
      return runIf(node, frame, reader, runNode);
    case "For":
    case "Select":
      return runFor(node, frame, reader);
    case "ArithmeticFor": {
      if (fillsTheMachine(node)) runInner(EQUIVALENTS.forks(), frame, reader, "for ((;;))");
      const { arithmetic } = expander(frame, reader);
      if (node.initialize) calculate(node.initialize, arithmetic);
      forget(assignedIn(node), frame);
      if (node.test) calculate(node.test, arithmetic);
      const outcome = runList(node.body.commands, frame, reader);
      if (node.update) calculate(node.update, arithmetic);
      forget(assignedIn(node), frame);
      return { stdout: outcome.stdout === "" ? "" : GAP, ends: "unknown" };
    }
    case "While":
      return runWhile(node, frame, reader);
    case "Case":
      return runCase(node, frame, reader, runNode);
    case "Function":
      owned(frame.shell).functions.set(node.name.value, { body: node.body, text: frame.text });
      return { stdout: "", ends: "well" };
    case "TestCommand":
      runTest(node.expression, frame, reader);
      return UNCLEAR;
    case "ArithmeticCommand":
      if (node.expression) calculate(node.expression, expander(frame, reader).arithmetic);
      else expander(frame, reader).quoted(node.body);
      return UNCLEAR;
  }
}

function runInOwnShell(body: Node, frame: Frame, reader: Reader): Outcome {
  const inner = { ...frame, shell: copyShell(frame.shell) };
  const outcome = runNode(body, inner, reader);
  runTraps(inner, reader);
  return outcome;
}

/** A process beside the shell, which reads and writes it by two descriptors: `${COPROC[0]}` and `${COPROC[1]}`. */
function runCoprocess({ name, body }: Coproc, frame: Frame, reader: Reader): Outcome {
  const from = reader.commands.length;
  const stdin: Stdin = { text: GAP, at: 0, input: NO_INPUT };
  const { stdout, ends } = runInOwnShell(body, { ...frame, stdin }, reader);
  const of = positionsFrom(from, reader);
  const shell = owned(frame.shell);
  shell.descriptors.set(COPROCESS_OUTPUT, { stdin: { text: stdout, at: 0, input: { from: "commands", of } } });
  // What is written to it is known later.
  const path = `/dev/fd/${COPROCESS_INPUT}`;
  shell.files.delete(path);
  shell.descriptors.set(COPROCESS_INPUT, { path });
  const run = (given: Stdin) => void runInOwnShell(body, { ...frame, stdin: given }, reader);
  reader.sinks.push({ path, run, isSpare: true });
  assignList(shell, name?.value ?? "COPROC", [
    ["0", textValue(String(COPROCESS_OUTPUT))],
    ["1", textValue(String(COPROCESS_INPUT))],
  ]);
  return { stdout: "", ends };
}

/** Descriptors of the shell's own choice are high ones. */
const COPROCESS_OUTPUT = 63;
const COPROCESS_INPUT = 60;

function runRedirected(node: Extract<Node, { type: "Redirected" }>, frame: Frame, reader: Reader): Outcome {
  const sinks = reader.sinks.length;
  const plumbing = plumb(node.redirects, frame, reader);
  const { stdout } = plumbing;
  const at = reader.commands.length;
  if (plumbing.redirects.length > 0) {
    const source = frame.text.slice(node.pos, Math.min(node.end, node.pos + MAX_SOURCE_LENGTH));
    reader.runWords([], frame, { source, redirects: plumbing.redirects });
  }
  const outcome = runNode(node.command, { ...frame, stdin: plumbing.stdin }, reader);
  if (stdout === "here") return outcome;
  if (stdout !== "nowhere") {
    const opened = reader.commands[at];
    // What prints nothing leaves an empty file, as a bare `> file` does.
    if (outcome.stdout === "" && opened !== undefined) reader.commands[at] = { ...opened, source: `> ${stdout.path}` };
    writeFile(frame.shell, stdout.path, outcome.stdout, stdout.isAppended);
  }
  fillSinks(sinks, at, frame.shell, reader);
  return { ...outcome, stdout: "" };
}

const MAX_SOURCE_LENGTH = 400;

function runFor(node: For | Select, frame: Frame, reader: Reader): Outcome {
  const from = reader.commands.length;
  const fields = node.wordlist?.flatMap((word) => expandWord(word, frame, reader));
  const listed = listedAtEnd(reader.commands, from);
  const isTaken = reader.commands.length > from;
  if (isTaken) reportTaken([node.name.value], sourceOf(node.wordlist ?? [], frame), frame, reader);
  if (node.type === "For" && forksManyTimes(node)) runInner(EQUIVALENTS.forks(), frame, reader, "for");
  const all = fields?.flatMap((field) => (field.text === GAP && listed.length > 0 ? listed : [field]));
  const values = all?.map(valueFrom) ?? frame.shell.positional;
  const isFollowed = values !== undefined && values.length <= LIMITS.turns;
  if (!isFollowed) {
    doubtNames(values?.map(({ text }) => text).join("\n") ?? "", reader, "for");
    forget(assignedIn(node), frame);
    assign(frame.shell, node.name.value, UNKNOWN);
    const { stdout } = runNode(node.body, frame, reader);
    // If there are many values, each is at least read once.
    return { stdout: stdout === "" ? "" : GAP, ends: "unknown" };
  }
  let stdout = "";
  const isPattern = fields?.some(({ isGlob, isKnown }) => isGlob || !isKnown) ?? false;
  if (isPattern) forget(assignedIn(node), frame);
  for (const value of values) {
    assign(frame.shell, node.name.value, value.text === GAP && isTaken ? MANY : value);
    stdout += runNode(node.body, frame, reader).stdout;
    if (stdout.length > LIMITS.value) stdout = GAP;
  }
  return { stdout, ends: "unknown" };
}

/** The turns of a loop that are not followed may be about any of the files that are named; numbers and plain words are not files. */
function doubtNames(text: string, reader: Reader, loop: string): void {
  if (/[/.~]/.test(text.replaceAll(GAP, "")))
    reader.doubt("unknown code", `more than ${LIMITS.turns} turns of ${loop}`);
}

function sourceOf(words: readonly Word[], { text }: Frame): string {
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined
    ? ""
    : text.slice(first.pos, Math.min(last.end, first.pos + MAX_SOURCE_LENGTH));
}

function runWhile(node: While, frame: Frame, reader: Reader): Outcome {
  if (fillsTheMachine(node)) runInner(EQUIVALENTS.forks(), frame, reader, "while :");
  const isGiven = frame.stdin.text !== "" && !frame.stdin.text.includes(GAP);
  let stdout = "";
  for (let turn = 0; isGiven && turn < LIMITS.turns; turn++) {
    const { at } = frame.stdin;
    const clause = runNode(node.clause, frame, reader);
    if (frame.stdin.at === at) {
      if (clause.ends === "badly") return { stdout, ends: "unknown" };
      break;
    }
    stdout += runNode(node.body, frame, reader).stdout;
    if (stdout.length > LIMITS.value) stdout = GAP;
  }
  if (isGiven) doubtNames(frame.stdin.text.slice(frame.stdin.at), reader, "while");
  if (frame.shell.positional?.length) shiftThrough(node, frame, reader);
  for (const turn of turnsOverListed(frame, reader)) {
    forget(assignedIn(node), turn);
    runNode(node.clause, turn, reader);
    takeMany(node.clause, turn);
    runNode(node.body, turn, reader);
  }
  forget(assignedIn(node), frame);
  return { stdout: GAP, ends: "unknown" };
}

/** A loop that takes `$1` and on one after the other is followed through all of them. */
function shiftThrough(node: While, frame: Frame, reader: Reader): void {
  const { shell } = frame;
  if (!runsShift(node, { left: 1_000 })) return;
  for (let turn = 0; turn < LIMITS.turns && shell.positional?.length; turn++) {
    const before = shell.positional.length;
    runNode(node.clause, frame, reader);
    runNode(node.body, frame, reader);
    if (shell.positional !== undefined && shell.positional.length >= before) break;
  }
  if (shell.positional?.length) shell.positional = undefined;
}

/** Whether a piece of the syntax may shift the parameters; true where that is too much to look at. */
function runsShift(node: SyntaxNode, budget: { left: number }): boolean {
  if (budget.left-- <= 0 || (node.type === "Command" && node.name?.value === "shift")) return true;
  if (node.type === "Script") return false;
  let found = false;
  forEachChild(node, (child) => {
    found ||= runsShift(child, budget);
  });
  return found;
}

function runTest(node: TestExpression, frame: Frame, reader: Reader): void {
  switch (node.type) {
    case "TestUnary": {
      const { text } = expandToValue(node.operand, frame, reader);
      if (node.operator === "-v") expander(frame, reader).quoted(text);
      return;
    }
    case "TestBinary":
      for (const word of [node.left, node.right]) {
        const { text } = expandToValue(word, frame, reader);
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) expander(frame, reader).quoted(text);
      }
      return;
    case "TestLogical":
      for (const operand of node.operands) runTest(operand, frame, reader);
      return;
    case "TestNot":
      runTest(node.operand, frame, reader);
      return;
    case "TestGroup":
      runTest(node.expression, frame, reader);
      return;
  }
}

/** What the condition of a loop reads is another line in each turn. */
function takeMany(clause: SyntaxNode, { shell }: Frame): void {
  const names = assignedIn(clause);
  if (names === "any") return;
  for (const name of names) {
    const { value } = shell.variables.get(name) ?? {};
    if (value?.text === GAP) assign(shell, name, MANY);
  }
}

/** What a loop sets can have any value when its body begins. */
function forget(names: ReadonlySet<string> | "any", { shell }: Frame): void {
  for (const name of names === "any" ? [...shell.variables.keys()] : names) assign(shell, name, UNKNOWN);
}

/** The variables that a piece of the syntax may set, by its text; "any" when that is too much to look at. */
function assignedIn(node: SyntaxNode): ReadonlySet<string> | "any" {
  const names = new Set<string>();
  const budget = { left: 1_000 };
  collect(node, names, budget);
  return budget.left > 0 ? names : "any";
}

function collect(node: SyntaxNode, names: Set<string>, budget: { left: number }): void {
  if (budget.left-- <= 0) return;
  if (node.type === "Assignment") names.add(node.name);
  else if (node.type === "For" || node.type === "Select") names.add(node.name.value);
  else if (
    node.type === "ArithmeticBinary" &&
    /^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator) &&
    node.left.type === "ArithmeticWord"
  )
    names.add(node.left.value);
  else if (
    node.type === "ArithmeticUnary" &&
    /^(?:\+\+|--)$/.test(node.operator) &&
    node.operand.type === "ArithmeticWord"
  )
    names.add(node.operand.value);
  else if (node.type === "Command" && SETTERS.has(node.name?.value ?? ""))
    for (const arg of node.args) if (arg.type === "Word" && /^[A-Za-z_]\w*$/.test(arg.value)) names.add(arg.value);
  // Scripts inside are run in shells of their own.
  if (node.type === "Script") return;
  forEachChild(node, (child) => collect(child, names, budget));
}

type Run = (node: CommandNode, frame: Frame, reader: Reader) => Outcome;

/** Runs commands that are joined by `|`: what one prints is what the next one reads. */
function runPipeline(node: Pipeline, frame: Frame, reader: Reader, run: Run): Outcome {
  const isNegated = node.prefixes.length > 0 && node.prefixes.some(({ type }) => type === "Negation");
  const [only] = node.commands;
  if (node.commands.length === 1 && only !== undefined) {
    const outcome = run(only, frame, reader);
    return isNegated ? { ...outcome, ends: OPPOSITE[outcome.ends] } : outcome;
  }
  let { stdin } = frame;
  let outcome: Outcome = { stdout: "", ends: "well" };
  for (const command of node.commands) {
    const from = reader.commands.length;
    const stage = framed(frame, copyShell(frame.shell), stdin);
    outcome = run(command, stage, reader);
    runTraps(stage, reader);
    const of: number[] = [];
    for (let at = from; at < reader.commands.length && of.length < MAX_LISTED; at++) of.push(at);
    const { stdout: text, path, listed } = outcome;
    const next: Stdin = { text, at: 0, input: { from: "commands", of }, path, listed };
    stdin = next;
  }
  return isNegated ? { ...outcome, ends: OPPOSITE[outcome.ends] } : outcome;
}

const OPPOSITE = { well: "badly", badly: "well", unknown: "unknown" } as const;
const MAX_LISTED = 64;

const SETTERS: ReadonlySet<string> = new Set(["read", "printf", "mapfile", "readarray", "unset", "getopts", "let"]);
