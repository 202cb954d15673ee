import type { ParsedScript, Word, WordPart } from "unbash";
import { GAP } from "../command.ts";
import { LIMITS } from "../limits.ts";
import { parseQuoted, parseWord } from "../parse.ts";
import { PlainWord } from "../plain-line.ts";
import { type Frame, type Outcome, positionsFrom, type Reader } from "../run/reader.ts";
import { copyShell, type Shell } from "../shell-state.ts";
import { type Field, fieldOf, guess, textValue, UNKNOWN, type Value } from "../value.ts";
import { lookUp, separators } from "../variables.ts";
import { type ArithmeticSurroundings, calculate } from "./arithmetic.ts";
import { expandBraces } from "./brace.ts";
import { type FieldBuilder, fieldBuilder } from "./field-builder.ts";
import { type Expander, expandParameter, expandSimple } from "./parameter.ts";
import { literalPattern } from "./pattern.ts";

/** Adds to the words of a command what the shell makes of one more. */
export function addFields(fields: Field[], word: Word, frame: Frame, reader: Reader): void {
  const { text } = word;
  if (isPlain(word)) fields.push({ text, isKnown: true, isGlob: false });
  else for (const field of expandWord(word, frame, reader)) fields.push(field);
}

/** What the shell makes of a word of a command: any number of fields. */
export function expandWord(word: Word, frame: Frame, reader: Reader): Field[] {
  const { text } = word;
  if (isPlain(word)) return [{ text, isKnown: true, isGlob: false }];
  const whole = quotedWhole(word);
  if (whole !== undefined) return [fieldOf(whole)];
  const braces = text.includes("{") ? expandBraces(text) : undefined;
  if (braces === undefined) return expandOne(word, frame, reader);
  if (braces !== "many") reader.spent.parsed += braces.length * text.length;
  if (braces === "many" || reader.spent.parsed > LIMITS.parsed) {
    tooManyFields(reader);
    return [{ text: GAP, isKnown: false, isGlob: false }];
  }
  // What is left out of a mere sequence is one more number or letter.
  if (braces.length >= LIMITS.fields && text.includes(",")) tooManyFields(reader);
  return braces.flatMap((source) => {
    if (source === "") return [];
    if (PLAIN.test(source)) return [fieldOf(source)];
    const one = parseWord(source);
    return one === undefined
      ? [{ ...fieldOf(source), isKnown: false }]
      : expandOne(one, { ...frame, text: `: ${source}` }, reader);
  });
}

function tooManyFields(reader: Reader): void {
  reader.doubt("too long", `a word that becomes ${LIMITS.fields} or more`);
}

/** Most words contain nothing that has a meaning to the shell. */
function isPlain(word: Word): boolean {
  return word instanceof PlainWord || PLAIN.test(word.text);
}

const PLAIN = /^[A-Za-z0-9_./:=,@%+-]+$/;

/** The text of a word that is one quoted text, in which nothing is expanded. */
function quotedWhole({ parts }: Word): string | undefined {
  const only = parts?.[0];
  if (only === undefined || parts?.length !== 1) return undefined;
  if (only.type === "SingleQuoted") return only.value;
  if (only.type !== "DoubleQuoted" || only.parts.length !== 1) return undefined;
  const inner = only.parts[0];
  return inner?.type === "Literal" ? inner.value : undefined;
}

function expandOne(word: Word, frame: Frame, reader: Reader): Field[] {
  const builder = fieldBuilder(() => tooManyFields(reader));
  addWord(word, builder, "split", expander(frame, reader));
  return builder.fields();
}

/** A word that stays one: of an assignment, a redirection, a `case`. */
export function expandToValue(word: Word, frame: Frame, reader: Reader, isAssigned = false): Value {
  if (isPlain(word)) return textValue(word.text);
  const builder = fieldBuilder();
  builder.quoted(textValue(""));
  addWord(word, builder, isAssigned ? "assign" : "join", expander(frame, reader));
  const [field] = builder.fields();
  if (field?.isListed) return { text: field.text, isSure: false, isPattern: true };
  return field === undefined ? textValue("") : { text: field.text, isSure: field.isKnown || isOnlyGlob(field) };
}

/** A word as a pattern, in which quoted signs are escaped. */
export function expandToPattern(word: Word, frame: Frame, reader: Reader): Value {
  const builder = fieldBuilder();
  builder.quoted(textValue(""));
  addWord(word, builder, "pattern", expander(frame, reader));
  const [field] = builder.fields();
  if (field === undefined) return textValue("");
  return { text: field.pattern ?? literalPattern(field.text), isSure: field.isKnown || isOnlyGlob(field) };
}

/** The parts of a here-document. */
export function expandParts(parts: readonly WordPart[], frame: Frame, reader: Reader): Value {
  const builder = fieldBuilder();
  builder.quoted(textValue(""));
  const tools = expander(frame, reader);
  for (const part of parts) addPart(part, builder, "quoted", tools);
  const [field] = builder.fields();
  return field === undefined ? textValue("") : { text: field.text, isSure: field.isKnown };
}

function isOnlyGlob({ isGlob, text }: Field): boolean {
  return isGlob && !text.includes(GAP);
}

/** How unquoted pieces are treated. */
type Way = "split" | "join" | "assign" | "pattern" | "quoted";

function addWord(written: Word, builder: FieldBuilder, way: Way, tools: Expander): void {
  const word = withoutContinuations(written);
  if (word === undefined) {
    // Where the name ends is not known, but the commands inside are run.
    for (const part of written.parts ?? []) addPart(part, fieldBuilder(), way, tools);
    builder.quoted(UNKNOWN);
    return;
  }
  const rest = expandTilde(word, builder, way === "assign", tools.frame.shell);
  if (rest === "done") return;
  const { parts } = word;
  if (parts === undefined) {
    addLiteral(word.text, word.value, builder, way, tools);
    return;
  }
  for (const [index, part] of parts.entries()) if (index > 0 || rest === "nothing") addPart(part, builder, way, tools);
}

/** A name continues after a line that is continued: `$A\\⏎b` is `$Ab`. */
function withoutContinuations(word: Word): Word | undefined {
  if (!word.text.includes("\\\n") || !/\$\{?\w*\\\n/.test(word.text)) return word;
  if (word.text.includes("'")) return undefined;
  return parseWord(word.text.replaceAll(/(\\\\)|\\\n/g, "$1"));
}

function addLiteral(text: string, value: string, builder: FieldBuilder, way: Way, tools: Expander): void {
  if (way === "quoted") builder.quoted(textValue(value));
  else if (text !== value) {
    if (value !== "") builder.quoted(textValue(value));
  } else if (tools.isOperand && way === "split") builder.split(textValue(value), separators(tools.frame.shell));
  else builder.plain(value);
}

function addPart(part: WordPart, builder: FieldBuilder, way: Way, tools: Expander): void {
  switch (part.type) {
    case "Literal":
      addLiteral(part.text, part.value, builder, way, tools);
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      // A zero byte ends such a text for the shell.
      builder.quoted(textValue(part.value.split("\0", 1)[0] ?? ""));
      return;
    case "DoubleQuoted":
    case "LocaleString":
      if (part.parts.length === 0) builder.quoted(textValue(""));
      for (const inner of part.parts) addPart(inner, builder, "quoted", tools);
      return;
    case "Glob":
      way === "quoted" ? builder.quoted(textValue(part.text)) : addGlob(part, builder, tools);
      return;
    case "ExtendedGlob":
      for (const inner of part.parts ?? []) addPart(inner, fieldBuilder(), way, tools);
      builder.glob(part.text);
      return;
    case "BraceExpansion":
      // Where braces are not expanded, they are signs like others.
      if (part.parts === undefined) builder.plain(part.text);
      else for (const inner of [literal("{"), ...part.parts, literal("}")]) addPart(inner, builder, way, tools);
      return;
    case "SimpleExpansion":
      expandSimple(part.text.slice(1), builder, way, tools);
      return;
    case "ParameterExpansion":
      expandParameter(part, builder, way, tools);
      return;
    case "CommandExpansion":
      addValue(tools.output(part), builder, way, tools);
      return;
    case "ArithmeticExpansion":
      addValue(arithmetic(part, tools), builder, way, tools);
      return;
    case "ProcessSubstitution":
      builder.quoted(tools.process(part));
      return;
  }
}

function literal(text: string): WordPart {
  return { type: "Literal", pos: 0, end: 0, value: text, text };
}

function addGlob(part: Extract<WordPart, { type: "Glob" }>, builder: FieldBuilder, tools: Expander): void {
  for (const inner of part.parts ?? []) if (inner.type !== "Literal") addPart(inner, fieldBuilder(), "quoted", tools);
  builder.glob(part.text.replaceAll(/['"]/g, ""));
}

function addValue(value: Value, builder: FieldBuilder, way: Way, { frame }: Expander): void {
  if (way === "split") builder.split(value, separators(frame.shell));
  else if (way === "pattern") builder.split(value, textValue(""));
  else builder.quoted(value);
}

function arithmetic(part: Extract<WordPart, { type: "ArithmeticExpansion" }>, tools: Expander): Value {
  if (part.expression === undefined) {
    const inner = part.text.replace(/^\$\(\(|^\$\[/, "").replace(/\)\)$|\]$/, "");
    if (inner.trim() === "") return textValue("0");
    tools.quoted(inner);
    return UNKNOWN;
  }
  const number = calculate(part.expression, tools.arithmetic);
  return number === undefined ? UNKNOWN : textValue(String(number));
}

/** What an expansion needs from the reader of the command line. */
export function expander(frame: Frame, reader: Reader, isOperand = false): Expander {
  const tools: Expander = {
    frame,
    isOperand,
    value: (word) => expandToValue(word, frame, reader),
    pattern: (word) => expandToPattern(word, frame, reader),
    operand: (word, way) => {
      const builder = fieldBuilder();
      if (way !== "split") builder.quoted(textValue(""));
      addWord(word, builder, way, expander(frame, reader, true));
      return builder.fields();
    },
    addOperand: (word, builder, way) => {
      if (way === "quoted") builder.quoted(textValue(""));
      addWord(word, builder, way, expander(frame, reader, true));
    },
    quoted: (text) => {
      const parts = parseQuoted(text);
      reader.spent.parsed += text.length;
      if (parts === undefined) return textValue(text);
      if (reader.spent.parsed > LIMITS.parsed || frame.depth >= LIMITS.depth) return UNKNOWN;
      const { text: made, isSure } = expandParts(
        parts,
        { ...frame, text: `: "${text}"`, depth: frame.depth + 1 },
        reader,
      );
      return { text: made.replace(/\n$/, ""), isSure };
    },
    number: (word) => {
      const { text, isSure } = expandToValue(word, frame, reader);
      if (/^\s*-?\d{1,9}\s*$/.test(text)) return isSure ? Number(text) : undefined;
      const parsed = text.includes(GAP) ? undefined : parseWord(`$((${text}))`);
      const value = parsed && expandToValue(parsed, { ...frame, text: `: $((${text}))` }, reader);
      return value !== undefined && isSure && value.isSure && /^-?\d{1,9}$/.test(value.text)
        ? Number(value.text)
        : undefined;
    },
    output: (part) => substituted(part, frame, reader),
    process: (part) => processPath(part, frame, reader),
    get arithmetic(): ArithmeticSurroundings {
      return {
        shell: frame.shell,
        text: ({ value, parts }) => (parts ? expandParts(parts, frame, reader).text : value),
        output: ({ script, text }) => substituted({ script, text }, frame, reader).text,
        evaluated: (text) => void tools.quoted(text),
      };
    },
  };
  return tools;
}

type Substitution = { readonly script: ParsedScript | undefined; readonly text: string };

function substituted(part: Substitution, frame: Frame, reader: Reader): Value {
  const { stdout } = runInside(part, frame, reader);
  return textValue(stdout.replaceAll("\0", "").replace(/\n+$/, ""));
}

function runInside(part: Substitution, frame: Frame, reader: Reader): Pick<Outcome, "stdout" | "listed"> {
  if (frame.depth >= LIMITS.depth) {
    reader.doubt("too deep", part.text);
    return NOT_KNOWN;
  }
  if (!reader.step()) return NOT_KNOWN;
  const { script } = part;
  if (script === undefined) {
    reader.doubt("syntax", part.text);
    return NOT_KNOWN;
  }
  return reader.runScript(script, {
    ...frame,
    shell: copyShell(frame.shell),
    depth: frame.depth + 1,
    isInserted: true,
  });
}

const NOT_KNOWN = { stdout: GAP };

/** `<(…)` becomes the path of a file that holds what is printed; `>(…)` that of one that it reads. */
function processPath(part: Extract<WordPart, { type: "ProcessSubstitution" }>, frame: Frame, reader: Reader): Value {
  const path = `/dev/fd/${63 - (reader.spent.files++ % 50)}`;
  if (part.operator === "<") {
    const from = reader.commands.length;
    const { stdout: text, listed } = runInside(part, frame, reader);
    frame.shell.files.set(path, { text, of: positionsFrom(from, reader), listed });
  } else {
    frame.shell.files.delete(path);
    reader.sinks.push({ path, run: (stdin) => void runInside(part, { ...frame, stdin }, reader) });
  }
  return guess(path);
}

/** Adds a leading `~`; returns how much of the word that was: nothing, its first part, or all. */
function expandTilde(
  word: Word,
  builder: FieldBuilder,
  isAssigned: boolean,
  shell: Shell,
): "nothing" | "first part" | "done" {
  const first = word.parts?.[0];
  const literal = word.parts === undefined ? word : first?.type === "Literal" ? first : undefined;
  const source = (literal?.text ?? "").replaceAll("\\\n", "");
  if (!source.includes("~")) return "nothing";
  const [lead = ""] = isAssigned ? [] : (/^[A-Za-z_]\w*=/.exec(source) ?? []);
  const isList = isAssigned || lead !== "";
  if (source[0] !== "~" && !isList) return "nothing";
  const isFollowed = word.parts !== undefined && word.parts.length > 1;
  const escapeAt = source.indexOf("\\");
  // The text before an escape is the same in the source and in the value.
  const plain = escapeAt < 0 ? source : source.slice(0, escapeAt);
  const pieces = isList ? plain.slice(lead.length).split(/(?<=:)/) : [plain];
  builder.plain(lead);
  // After `~:`, shells differ in what they expand.
  if ((isFollowed || escapeAt >= 0) && !isAssigned && /~[^/]*:/.test(plain)) builder.unsure();
  for (const [index, piece] of pieces.entries()) {
    const [prefix = ""] = /^~[^/:]*/.exec(piece) ?? [];
    // A prefix that contains a quote, an escape or an expansion is not a prefix.
    const isWhole = (!isFollowed && escapeAt < 0) || index < pieces.length - 1 || prefix.length < piece.length;
    const home = prefix !== "" && isWhole ? folderOf(prefix, shell) : undefined;
    if (home === undefined) builder.plain(piece);
    else {
      builder.quoted(home);
      builder.plain(piece.slice(prefix.length));
    }
  }
  if (escapeAt >= 0) {
    const rest = literal?.value.slice(plain.length) ?? "";
    if (rest !== "") builder.quoted({ text: rest, isSure: !isList || !source.includes(":~", escapeAt) });
  }
  return isFollowed ? "first part" : "done";
}

function folderOf(prefix: string, shell: Shell): Value | undefined {
  const name = NAMES[prefix];
  if (name === undefined) return /^~[a-z_][\w-]*$/i.test(prefix) ? guess(prefix) : UNKNOWN;
  const found = lookUp(shell, name);
  return found.is === "set" ? found.value : prefix === "~" ? guess("~") : textValue(prefix);
}

const NAMES: Readonly<Record<string, string>> = { "~": "HOME", "~+": "PWD", "~-": "OLDPWD" };
