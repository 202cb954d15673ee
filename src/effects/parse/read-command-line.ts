import { errorText } from "../../problem/problem.ts";
import { asPowerShell } from "../programs/power-shell-line.ts";
import { asCmdlet } from "../programs/windows-shells.ts";
import type { Doubt, Lookups, Reading, SimpleCommand } from "./command.ts";
import { LIMITS } from "./limits.ts";
import { parseScript } from "./parse.ts";
import { runNode, runScript } from "./run/compound.ts";
import { runPrepared } from "./run/dispatch.ts";
import { type Frame, NO_INPUT, type Outcome, type Reader } from "./run/reader.ts";
import { newShell } from "./shell-state.ts";

/** Represents a NUL character where people read it. */
export const NUL_SIGN = "\u2400";

/** Takes a command line apart into everything that it runs, as far as that is known before it runs; never throws. */
export function readCommandLine(text: string, around: Lookups = {}): Reading {
  const doubts: Doubt[] = [];
  const commands: SimpleCommand[] = [];
  const reader = newReader(commands, doubts, around);
  let head = text;
  if (text.length > LIMITS.length) {
    reader.doubt("too long", `${text.length} characters`);
    head = text.slice(0, LIMITS.length);
  }
  // A shell cuts the line there, drops the sign or refuses the line: what runs is not what is written.
  if (text.includes("\0")) reader.doubt("nul character", text.slice(0, 80).replaceAll("\0", NUL_SIGN));
  const shell = newShell(around);
  const frame: Frame = { shell, text: head, via: [], stdin: { text: "", at: 0, input: NO_INPUT }, depth: 0 };
  try {
    reader.runText(head, frame);
  } catch (error) {
    // Running out of stack is the one way left; whatever it is, the line is not vouched for.
    reader.doubt("too deep", errorText(error));
  }
  const powerShell = asPowerShell(head, commands);
  if (powerShell !== undefined) {
    for (const [at, command] of commands.entries()) commands[at] = asCmdlet(command);
    commands.push(powerShell);
  }
  const texts = () => [...shell.files.values()].flatMap((file) => ("text" in file ? [file.text] : []));
  return { commands, doubts, texts, scripts: reader.scripts };
}

function newReader(commands: SimpleCommand[], doubts: Doubt[], around: Lookups): Reader {
  const spent = { steps: 0, parsed: 0, files: 0, doubts: 0, ways: 0 };
  let isOver = false;
  const doubt = (why: Doubt["why"], what: string) => {
    spent.doubts++;
    const shown = what.slice(0, 200);
    if (doubts.length < MAX_DOUBTS && !doubts.some((other) => other.why === why && other.what === shown))
      doubts.push({ why, what: shown });
  };
  const reader: Reader = {
    commands,
    around,
    scripts: [],
    sinks: [],
    outcomes: around.readsOnce ? new Map() : undefined,
    spent,
    doubt,
    step: () => {
      if (isOver) return false;
      if (++spent.steps % STEPS_BETWEEN === 0 && around.isSpent?.()) {
        isOver = true;
        doubt("too many commands", "more work than a call may take");
        return false;
      }
      if (spent.steps <= LIMITS.steps && commands.length < LIMITS.commands) return true;
      doubt("too many commands", TOO_MANY);
      return false;
    },
    runScript: (script, frame) => runScript(script, frame, reader),
    runText: (text, frame) => runText(text, frame, reader),
    runBody: (body, frame) => runNode(body, frame, reader),
    runWords: (words, frame, { source, assignments = {}, redirects = [], isProgram }) =>
      runPrepared({ words, declared: [], assignments, redirects, source, isProgram }, frame, reader),
  };
  return reader;
}

const TOO_MANY = `more than ${LIMITS.commands}`;
const MAX_DOUBTS = 64;
/** To ask for the time takes longer than most steps. */
const STEPS_BETWEEN = 64;

function runText(text: string, frame: Frame, reader: Reader): Outcome {
  reader.spent.parsed += text.length;
  if (frame.depth > LIMITS.depth || reader.spent.parsed > LIMITS.parsed) {
    reader.doubt("too deep", text.slice(0, 80));
    return { stdout: "\uFFFC", ends: "unknown" };
  }
  const end = readableEnd(text);
  if (end === text.length) {
    const near = withinReach(text);
    const script = parseScript(near);
    const rewritten = script.errors?.length ? withoutZshLoops(text) : undefined;
    if (rewritten !== undefined) return runScript(parseScript(rewritten), { ...frame, text: rewritten }, reader);
    const outcome = runScript(script, frame.text === text ? frame : { ...frame, text }, reader);
    // Functions that run nothing may have kept the commands few.
    if (near !== text) reader.doubt("too many commands", TOO_MANY);
    return outcome;
  }
  reader.doubt("too deep", text.slice(0, 80));
  const head = text.slice(0, end);
  return { ...runScript(parseScript(head), { ...frame, text: head }, reader), ends: "unknown" };
}

/** How far a text can be parsed in time; its length, unless it opens more than any real line. */
function readableEnd(text: string): number {
  if (text.length < MAX_OPENED) return text.length;
  let opened = 0;
  let brackets = 0;
  let documents = 0;
  let ticks = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_ROUND:
      case OPEN_CURLY:
        if (++opened > MAX_OPENED) return at;
        break;
      case CLOSE_ROUND:
      case CLOSE_CURLY:
        if (opened > 0) opened--;
        break;
      case TICK:
        if (++ticks > MAX_TICKS) return at;
        break;
      case OPEN_SQUARE:
        if (text.charCodeAt(at - 1) === DOLLAR && ++brackets > MAX_OPENED) return at - 1;
        break;
      case LESS:
        if (text.charCodeAt(at - 1) === LESS && ++documents > MAX_DOCUMENTS) return at - 1;
        break;
    }
  }
  return text.length;
}

/**
 * The beginning of a long line, with one statement more than the parser reads commands: the rest would be parsed and then refused.
 * A line with compound commands is left whole, because it cannot be cut between statements.
 */
function withinReach(text: string): string {
  if (text.length < LIMITS.commands * 2) return text;
  let count = 0;
  let end = 0;
  STATEMENT.lastIndex = 0;
  while (count <= LIMITS.commands && STATEMENT.test(text)) {
    count++;
    end = STATEMENT.lastIndex;
  }
  if (count <= LIMITS.commands) return text;
  const head = text.slice(0, end);
  return RESERVED.test(head) ? text : head;
}

/** One command of plain letters, variables, quoted texts and files that are written, up to its end. */
const STATEMENT = /\s*(?:(?:[\w./:@%+,=>-]|\$\w|'[^']*'|"(?:[^"$`\\]|\$\w)*")[ \t]*)+[;\n]/y;
/** Words that make one command of several statements. */
const RESERVED =
  /(?<![^\s;])(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc)(?![^\s;])/;

/** Loops in the short form of zsh, as other shells write them; undefined for a text that has none. */
function withoutZshLoops(text: string): string | undefined {
  if (!LOOP.test(text)) return undefined;
  const plain = text.replaceAll(QUALIFIERS, "$1");
  return plain
    .replaceAll(UNTIL_END(), "for $1 in $2; do $3; done")
    .replaceAll(SHORT(), (_, name, words, block, line) => `for ${name} in ${words}; do ${block ?? line}; done`);
}

const LOOP = /\bfor(?:each)?\s+\w+\s*\(/;
/** `*(.)` are the files among what fits. */
const QUALIFIERS = /([\w*?\]])\([-./@*NDoOnLmM\d^[\],+]{1,40}\)(?=[\s)]|$)/g;
/** `foreach f (a b); rm $f; end` */
const UNTIL_END = () => /\bforeach\s+(\w+)\s*\(([^()]{0,400})\)\s*;?([^;]{1,400}(?:;[^;]{1,400}){0,8}?)[;\n]\s*end\b/g;
/** `for f (a b) rm $f`, `for f (a b) { rm $f }` */
const SHORT = () => /\bfor(?:each)?\s+(\w+)\s*\(([^()]{0,400})\)\s*(?:\{([^{}]{0,2000})\}|([^;\n&{}]{1,2000}))/g;

/** Parsing takes longer with each substitution inside of another. */
const MAX_OPENED = 200;
/** Each document is looked for in all that follows. */
const MAX_DOCUMENTS = 1_000;
const MAX_TICKS = 4_000;
const OPEN_ROUND = 0x28;
const CLOSE_ROUND = 0x29;
const OPEN_CURLY = 0x7b;
const CLOSE_CURLY = 0x7d;
const OPEN_SQUARE = 0x5b;
const DOLLAR = 0x24;
const LESS = 0x3c;
const TICK = 0x60;
