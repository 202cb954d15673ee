import { GAP } from "../parse/command.ts";
import { type Argument, type CodeCall, placeNamed, type Token, withInsertionsRead } from "./literal.ts";

/** The calls in some code, and the commands in its backticks. */
export interface FoundCalls {
  readonly calls: readonly CodeCall[];
  readonly commands: readonly string[];
}

/** Finds calls with parentheses, and with `isLoose` those without (`system "x"`). */
export function callsIn(tokens: readonly Token[], isLoose: boolean): FoundCalls {
  const values = constants(tokens);
  const calls: CodeCall[] = [];
  const commands: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.is === "command") commands.push(token.text);
    if (isSign(token, "(") && tokens[at - 1]?.is !== "name") grouped(tokens, at, values, calls);
    if (token?.is !== "name") continue;
    const next = tokens[at + 1];
    // A method is found with the expression that it is called on.
    if (token.text === "open" && isSign(tokens[at - 1], ".")) continue;
    // A shell inside of JavaScript: $`rm x`.
    if (token.text === "$" && !isLoose && next?.is === "text") commands.push(next.text);
    if (isSign(next, "(")) {
      const made = argumentsAt(tokens, at + 2, values, ")");
      calls.push({ name: token.text, args: made.args, made: ownerOf(token.text, values), at: token.at });
      chain(tokens, token.text, made, values, calls);
    } else if (
      isLoose &&
      (next?.is === "text" || next?.is === "command" || (next?.is === "name" && LOOSE().test(token.text)))
    )
      calls.push({ name: token.text, args: argumentsAt(tokens, at + 1, values, ";").args, made: [], at: token.at });
  }
  return { calls, commands };
}

const LOOSE = () =>
  /^(?:system|exec|unlink|rmtree|remove_tree|eval|(?:FileUtils\.)?rm(?:_r|_f|_rf|tree)?|(?:File|Dir)\.(?:delete|unlink))$/;

interface Made {
  readonly args: readonly Argument[];
  readonly end: number;
}

/** `(home / "x").read_text()`: a method of the expression in parentheses. */
function grouped(tokens: readonly Token[], at: number, values: Constants, calls: CodeCall[]): void {
  const made = argumentsAt(tokens, at + 1, values, ")");
  const [only, ...others] = made.args;
  if (only?.is === "text" && others.length === 0 && isSign(tokens[made.end], "."))
    chain(tokens, "Path", made, values, calls);
}

/** `p.unlink()` of a `p` whose path is a literal. */
function ownerOf(name: string, values: Constants): readonly Argument[] {
  const dot = name.indexOf(".");
  const owner = dot < 0 ? undefined : values.get(name.slice(0, dot));
  if (owner === undefined || owner.is === "list") return [];
  return owner.is === "text" || /^(?:pathlib\.)?Path\(|^Pathname/.test(owner.source) ? [owner] : [];
}

/** `require('fs').rmSync(…)`, `getattr(os, 'system')(…)`, `Path('x').unlink()`. */
function chain(tokens: readonly Token[], name: string, made: Made, values: Constants, calls: CodeCall[]): void {
  let from = name;
  let args = made.args;
  let at = made.end;
  let begin: number | undefined;
  for (let turn = 0; turn < 8; turn++) {
    let called: string | undefined;
    const [sign, following] = [tokens[at], tokens[at + 1]];
    if ((isSign(sign, ".") || isSign(sign, ">")) && following?.is === "name") {
      called = `${moduleOf(from, args) ?? `${from}()`}.${following.text}`;
      begin = following.at;
      at += 2;
    } else if (isSign(sign, "[") && following?.is === "text" && isSign(tokens[at + 2], "]")) {
      called = `${moduleOf(from, args) ?? from}.${following.text}`;
      at += 3;
    } else if (isSign(sign, "(") && /(?:^|\.)getattr$/.test(from)) called = `${textOf(args[0])}.${textOf(args[1])}`;
    if (called === undefined || !isSign(tokens[at], "(")) return;
    const next = argumentsAt(tokens, at + 1, values, ")");
    // The name of a module is not an argument of its functions.
    calls.push({
      name: called,
      args: next.args,
      made: moduleOf(from, args) === undefined ? args : [],
      ...(begin !== undefined && { at: begin }),
    });
    from = called;
    args = next.args;
    at = next.end;
  }
}

function moduleOf(name: string, args: readonly Argument[]): string | undefined {
  return /(?:^|\.)(?:require|__import__|import_module|import)$/.test(name)
    ? textOf(args[0]).replace(/^node:/, "")
    : undefined;
}

function textOf(argument: Argument | undefined): string {
  return argument?.is === "text" ? argument.text : argument?.is === "other" ? argument.source : GAP;
}

interface Constants {
  readonly get: (name: string) => Argument | undefined;
  /** Tokens that may still be looked at. */
  readonly left: { tokens: number };
}

/** Names that are set once, to a literal. */
function constants(tokens: readonly Token[]): Constants {
  const found = new Map<string, Argument>();
  const values: Constants = { get: (name) => found.get(name), left: { tokens: 30_000 } };
  const twice = new Set<string>();
  for (let at = 0; at + 2 < tokens.length; at++) {
    const token = tokens[at];
    if (token?.is === "name" && isLoop(tokens, at)) {
      const [all] = argumentsAt(tokens, at + 2, values, ":").args;
      if (all?.is === "list" && all.items.every(({ is }) => is === "text") && !found.has(token.text))
        found.set(token.text, all);
      else twice.add(token.text);
      continue;
    }
    if (token?.is === "name" && isChange(tokens, at)) twice.add(token.text);
    if (token?.is !== "name" || !isSign(tokens[at + 1], "=") || isSign(tokens[at + 2], "=")) continue;
    if (found.has(token.text)) twice.add(token.text);
    const [value] = argumentsAt(tokens.slice(at + 2, endOfValue(tokens, at + 2, values)), 0, values, ";").args;
    if (value !== undefined) found.set(token.text, value);
  }
  for (const name of twice) found.delete(name);
  return { ...values, left: { tokens: 30_000 } };
}

/** `s += x`: what it holds in the end is not what it was set to. */
function isChange(tokens: readonly Token[], at: number): boolean {
  const sign = tokens[at + 1];
  return sign?.is === "sign" && /^[+*.|&-]$/.test(sign.text) && isSign(tokens[at + 2], "=");
}

/** Where a value ends that may end with its line: at a sign that ends it, or at a name that cannot go on from it. */
function endOfValue(tokens: readonly Token[], from: number, { left }: Constants): number {
  let depth = 0;
  let at = from;
  for (; at < tokens.length && at - from < MAX_TOKENS && left.tokens-- > 0; at++) {
    const [before, token] = [tokens[at - 1], tokens[at]];
    if (depth === 0 && at > from && token?.is === "name" && isComplete(before) && !goesOn(tokens, at)) break;
    if (token?.is !== "sign") continue;
    if (/[([{]/.test(token.text)) depth++;
    else if (/[)\]}]/.test(token.text) && depth-- === 0) break;
    else if (depth === 0 && token.text === ";") break;
  }
  return at;
}

/** A keyword that joins; an `if` joins if an `else` follows in the same value. */
function goesOn(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text ?? "";
  if (text !== "if") return JOINS().test(text);
  for (let next = at + 1; next < tokens.length && next - at < MAX_OF_PIECE; next++) {
    const token = tokens[next];
    if (token?.is === "name" && token.text === "else") return true;
    if (isSign(token, ":") || isSign(token, "{") || isSign(token, ";")) return false;
  }
  return true;
}

function isComplete(token: Token | undefined): boolean {
  if (token?.is === "sign") return /^[)\]}\d]/.test(token.text);
  return token !== undefined && (token.is !== "name" || !JOINS().test(token.text));
}

/** Words between which a value continues. */
const JOINS = () =>
  /^(?:await|new|typeof|not|and|or|in|is|else|lambda|async|function|yield|of|instanceof|unless|x|eq|ne)$/;

/** `for d in ("a", "b"):`, `for (const d of ["a", "b"])`. */
function isLoop(tokens: readonly Token[], at: number): boolean {
  const [before, word] = [tokens[at - 1], tokens[at + 1]];
  return (
    word?.is === "name" &&
    /^(?:in|of)$/.test(word.text) &&
    before?.is === "name" &&
    /^(?:for|const|let|var)$/.test(before.text)
  );
}

function argumentsAt(tokens: readonly Token[], from: number, values: Constants, close: string): Made {
  const args: Argument[] = [];
  let at = from;
  let start = from;
  let depth = 0;
  for (; at < tokens.length && at - from < MAX_TOKENS && values.left.tokens-- > 0; at++) {
    const token = tokens[at];
    if (token?.is !== "sign") continue;
    if (depth === 0 && (token.text === close || (close === ";" && /[;)}\]]/.test(token.text)))) break;
    if (/[([{]/.test(token.text)) depth++;
    else if (/[)\]}]/.test(token.text)) depth--;
    else if (token.text === "," && depth === 0) {
      args.push(argument(tokens.slice(start, at), values));
      start = at + 1;
    }
    if (depth < 0) break;
  }
  if (at > start) args.push(argument(tokens.slice(start, at), values));
  return { args, end: at + 1 };
}

const MAX_TOKENS = 2_000;

function argument(tokens: readonly Token[], values: Constants): Argument {
  const [first, second] = tokens;
  if (first?.is === "name" && (isSign(second, "=") || isSign(second, ":")) && tokens.length > 2)
    return { ...argument(tokens.slice(2), values), name: first.text };
  if (isSign(first, "[") && isSign(tokens.at(-1), "]"))
    return { is: "list", items: argumentsAt(tokens, 1, values, "]").args };
  if (isSign(first, "(") && isSign(tokens.at(-1), ")")) {
    const { args } = argumentsAt(tokens, 1, values, ")");
    return args.length === 1 && args[0] !== undefined ? args[0] : { is: "list", items: args };
  }
  const only = first?.is === "name" && tokens.length === 1 ? values.get(first.text) : undefined;
  if (only !== undefined) return only;
  const line = splitLine(tokens, values);
  if (line !== undefined) return line;
  const path = joinedPath(tokens, values);
  if (path !== undefined) return { is: "text", text: path };
  const other: Argument = { is: "other", source: tokens.map(({ text }) => text).join("") };
  let text = "";
  for (const token of tokens) {
    if (token.is === "text") text += token.isPlain ? token.text : withInsertionsRead(token.text);
    else if (token.is === "sign" && /^[+.]$/.test(token.text)) continue;
    else if (token.is === "name") {
      const value = values.get(token.text);
      if (value?.is === "text") text += value.text;
      else if (HOME.test(token.text)) text += "~";
      else if (tokens.some(({ is }) => is === "text") && tokens.length > 1 && !tokens.some((each) => isSign(each, "(")))
        text += GAP;
      else return other;
    } else return other;
  }
  return tokens.length === 0 ? other : { is: "text", text };
}

/** `"rm x".split()`, `shlex.split("rm x")`: the shell words of a line. */
function splitLine(tokens: readonly Token[], values: Constants): Argument | undefined {
  const [first, second, third] = tokens;
  if (first?.is === "name" && /(?:^|\.)shlex\.split$/.test(first.text) && isSign(second, "("))
    return argument(tokens.slice(2, -1), values);
  if (first?.is === "name" && first.text.endsWith(".split") && isSign(second, "("))
    return values.get(first.text.slice(0, -".split".length));
  if (first?.is !== "text" || !isSign(second, ".") || third?.is !== "name" || third.text !== "split") return undefined;
  return { is: "text", text: first.text };
}

/** `Path.home() / ".ssh"`, `os.homedir() + "/.ssh"`: a place and names. */
function joinedPath(tokens: readonly Token[], values: Constants): string | undefined {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (isSign(token, "(") || isSign(token, "[")) depth++;
    else if (isSign(token, ")") || isSign(token, "]")) depth--;
    // In front of a text, a dot joins, as in PHP and Perl; in front of a name it may begin a method.
    const isDot = isSign(token, ".") && tokens[at + 1]?.is === "text";
    const isJoint = depth === 0 && (isSign(token, "/") || isSign(token, "+") || isDot);
    if (token !== undefined && !isJoint) continue;
    const piece = pieceOf(tokens.slice(start, at), values);
    if (piece === undefined) return undefined;
    pieces.push(piece, isSign(token, "/") ? "/" : "");
    start = at + 1;
  }
  return pieces.length > 2 ? pieces.join("") : undefined;
}

function pieceOf(tokens: readonly Token[], values: Constants): string | undefined {
  const [first] = tokens;
  if (first === undefined || tokens.length > MAX_OF_PIECE) return undefined;
  if (tokens.length > 1) return placeNamed(tokens.map(({ text }) => text).join("")) ?? madePath(tokens, values);
  if (first.is === "text" && first.isPlain) return first.text;
  const value = first.is === "name" ? values.get(first.text) : undefined;
  if (value?.is === "text") return value.text;
  return value?.is === "other" ? placeNamed(value.source) : first.is === "name" ? placeNamed(first.text) : undefined;
}

/** `Path("x")`, `expanduser("~/x")`, `(a / "b")`. */
function madePath(tokens: readonly Token[], values: Constants): string | undefined {
  const from = isSign(tokens[0], "(")
    ? 1
    : isSign(tokens[1], "(") &&
        /(?:^|\.)(?:Path|expanduser|expand_path|abspath|realpath|fspath)$/.test(tokens[0]?.text ?? "")
      ? 2
      : 0;
  if (from === 0 || !isSign(tokens.at(-1), ")")) return undefined;
  const inside = argument(tokens.slice(from, -1), values);
  return inside.is === "text" ? inside.text : undefined;
}

const MAX_OF_PIECE = 40;

/** The user's home, where code puts a path together. */
const HOME = /^(?:process\.env\.HOME|Dir\.home|\$?HOME)$/;

function isSign(token: Token | undefined, sign: string): boolean {
  return token?.is === "sign" && token.text === sign;
}
