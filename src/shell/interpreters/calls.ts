import { GAP } from "../command.ts";
import type { Argument, CodeCall, Token } from "./literal.ts";

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
    if (token?.is !== "name") continue;
    const next = tokens[at + 1];
    if (isSign(next, "(")) {
      const made = argumentsAt(tokens, at + 2, values, ")");
      calls.push({ name: token.text, args: made.args, made: [] });
      chain(tokens, token.text, made, values, calls);
    } else if (
      isLoose &&
      (next?.is === "text" || next?.is === "command" || (next?.is === "name" && LOOSE.has(token.text)))
    )
      calls.push({ name: token.text, args: argumentsAt(tokens, at + 1, values, ";").args, made: [] });
  }
  return { calls, commands };
}

const LOOSE: ReadonlySet<string> = new Set(["system", "exec", "unlink", "rmtree", "remove_tree", "eval"]);

interface Made {
  readonly args: readonly Argument[];
  readonly end: number;
}

/** `require('fs').rmSync(…)`, `getattr(os, 'system')(…)`, `Path('x').unlink()`. */
function chain(tokens: readonly Token[], name: string, made: Made, values: Constants, calls: CodeCall[]): void {
  let from = name;
  let args = made.args;
  let at = made.end;
  for (let turn = 0; turn < 8; turn++) {
    let called: string | undefined;
    const [sign, following] = [tokens[at], tokens[at + 1]];
    if ((isSign(sign, ".") || isSign(sign, ">")) && following?.is === "name") {
      called = `${moduleOf(from, args) ?? `${from}()`}.${following.text}`;
      at += 2;
    } else if (isSign(sign, "[") && following?.is === "text" && isSign(tokens[at + 2], "]")) {
      called = `${moduleOf(from, args) ?? from}.${following.text}`;
      at += 3;
    } else if (isSign(sign, "(") && /(?:^|\.)getattr$/.test(from)) called = `${textOf(args[0])}.${textOf(args[1])}`;
    if (called === undefined || !isSign(tokens[at], "(")) return;
    const next = argumentsAt(tokens, at + 1, values, ")");
    // What names a module is no part of what its functions are given.
    calls.push({ name: called, args: next.args, made: moduleOf(from, args) === undefined ? args : [] });
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

/** Names that are set once, to something that stands written there. */
function constants(tokens: readonly Token[]): Constants {
  const found = new Map<string, Argument>();
  const values: Constants = { get: (name) => found.get(name), left: { tokens: 30_000 } };
  const twice = new Set<string>();
  for (let at = 0; at + 2 < tokens.length; at++) {
    const token = tokens[at];
    if (token?.is !== "name" || !isSign(tokens[at + 1], "=") || isSign(tokens[at + 2], "=")) continue;
    if (found.has(token.text)) twice.add(token.text);
    const [value] = argumentsAt(tokens, at + 2, values, ";").args;
    if (value !== undefined) found.set(token.text, value);
  }
  for (const name of twice) found.delete(name);
  return { ...values, left: { tokens: 30_000 } };
}

function argumentsAt(tokens: readonly Token[], from: number, values: Constants, close: string): Made {
  const args: Argument[] = [];
  let at = from;
  let start = from;
  let depth = 0;
  for (; at < tokens.length && at - from < MOST_TOKENS && values.left.tokens-- > 0; at++) {
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

const MOST_TOKENS = 2_000;

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
  const other: Argument = { is: "other", source: tokens.map(({ text }) => text).join("") };
  let text = "";
  for (const token of tokens) {
    if (token.is === "text") text += token.isPlain ? token.text : token.text.replaceAll(/[#$]?\{[^}]*\}|\$\w+/g, GAP);
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

/** The user's home, where code puts a path together. */
const HOME = /^(?:process\.env\.HOME|Dir\.home|\$?HOME)$/;

function isSign(token: Token | undefined, sign: string): boolean {
  return token?.is === "sign" && token.text === sign;
}
