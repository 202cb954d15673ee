import { setTimeout as sleep } from "node:timers/promises";
import type { Failure } from "../decision/failure.ts";
import type { Action } from "../decision/result.ts";
import { isObject } from "../event/json.ts";
import { duplicateKey } from "../event/json-scan.ts";
import type { ModelReply } from "./connect.ts";

/** Asks, and asks once more when the first time broke on the way and there is time left for it. */
export async function callModel(
  ask: () => Promise<ModelReply>,
  signal: AbortSignal,
  timeLeft: () => number,
): Promise<{ readonly reply: ModelReply; readonly notes: readonly string[] }> {
  try {
    return { reply: await unlessAborted(ask(), signal), notes: [] };
  } catch (error) {
    const { retryAfter, message } = readCallFailure(error);
    if (signal.aborted || retryAfter === undefined || retryAfter >= timeLeft()) throw error;
    await sleep(retryAfter, undefined, { signal });
    const reply = await unlessAborted(ask(), signal);
    return { reply, notes: [`the first try failed (${message.slice(0, 200)}); the second was answered`] };
  }
}

/** Rejects as soon as the signal aborts, without waiting until the work itself has stopped. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** What is known about a question that brought no answer. */
interface CallFailure {
  /** The HTTP status, when the server answered at all. */
  readonly status: number | undefined;
  readonly message: string;
  /** Milliseconds to wait before it makes sense to ask again; `undefined` when it never will. */
  readonly retryAfter: number | undefined;
}

/** Reads what a library threw. */
export function readCallFailure(error: unknown): CallFailure {
  const { statusCode, responseHeaders } = Object(error) as Record<string, unknown>;
  const status = typeof statusCode === "number" ? statusCode : undefined;
  const isPassing = status === undefined || PASSING.has(status) || status >= 500 || isCutOff(error);
  return {
    status,
    message: messageOf(error),
    retryAfter: isPassing ? (statedWait(Object(responseHeaders)) ?? SHORT_WAIT) : undefined,
  };
}

/** Too slow, in conflict, too many: the same question may be answered later. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429]);
const SHORT_WAIT = 200;

/** The server began to answer and the line broke. */
function isCutOff(error: unknown): boolean {
  return [...causes(error)].some((cause) => cause.message === "terminated" || "code" in cause);
}

/** The error of the library, and its root cause. */
function messageOf(error: unknown): string {
  const messages = [...causes(error)].map((cause) => cause.message).filter((message) => message !== "");
  const [first = String(error), last = first] = [messages[0], messages.at(-1)];
  return first.includes(last) ? first : `${first}: ${last}`;
}

function statedWait(headers: Readonly<Record<string, unknown>>): number | undefined {
  const [ms, seconds] = [Number(headers["retry-after-ms"]), Number(headers["retry-after"])];
  if (ms >= 0) return ms;
  return seconds >= 0 ? seconds * 1000 : undefined;
}

function* causes(error: unknown): Generator<Error> {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) yield at;
}

/** The answers of a model. None of them approves: a model can only tighten. */
export interface Verdict {
  readonly action: Action;
  readonly reason?: string | undefined;
  readonly modifiedData?: Readonly<Record<string, unknown>> | undefined;
}

/** A verdict, the JSON it was read from, and the text around it. */
export interface Understood {
  readonly verdict: Verdict;
  readonly json: string;
  readonly notes: readonly string[];
}

/** What a model's answer came to. */
export type ReadVerdict = Understood | { readonly failure: Failure };

/** Reads a model's answer: one JSON object, bare or in one code block. Anything else is a failure, never a verdict. */
export function readVerdict(text: string): ReadVerdict {
  const json = unwrapped(text);
  const unreadable = (message: string): ReadVerdict => ({ failure: { why: "bad_json", message, got: excerpt(text) } });
  if (json === "") return unreadable("it is empty");
  if (json.length > LONGEST) return unreadable(`it is longer than ${LONGEST} characters`);
  const said = parsed(json);
  if (said === undefined) return unreadable("it is not one JSON object");
  const twice = duplicateKey(json);
  if (twice !== undefined) return unreadable(`it has "${twice}" twice`);
  const wrong = whatIsWrong(said);
  return wrong === undefined ? verdictOf(said, json) : unreadable(wrong);
}

type Fields = Readonly<Record<string, unknown>>;

/** What models may answer. */
const ACTIONS: readonly Action[] = ["continue", "deny", "ask", "modify"];

function verdictOf(said: Fields, json: string): ReadVerdict {
  const action = ACTIONS.find((known) => known === said.action) ?? "deny";
  const data = said.modified_data;
  const others = Object.keys(said).filter((key) => !KEYS.includes(key));
  const notes = [
    ...(others.length > 0 ? [`the model also answered ${others.join(", ")}, which is ignored`] : []),
    ...(action !== "modify" && isObject(data) && Object.keys(data).length > 0
      ? [`the model answered "${action}"; its modified_data is ignored`]
      : []),
  ];
  const verdict = {
    action,
    reason: typeof said.reason === "string" ? excerpt(said.reason, LONGEST_REASON) : undefined,
    modifiedData: action === "modify" && isObject(data) ? data : undefined,
  };
  return { verdict, json, notes };
}

function whatIsWrong(said: Fields): string | undefined {
  const { action, reason, modified_data: data } = said;
  const rival = Object.keys(said).find((key) => !KEYS.includes(key) && RIVALS.includes(plainKey(key)));
  if (typeof action !== "string") return '"action" has to be a string';
  if (!ACTIONS.some((known) => known === action)) {
    return `${JSON.stringify(excerpt(action, 40))} is not an answer of a model; the answers are ${ACTIONS.join(", ")}`;
  }
  if (rival !== undefined) return `"${excerpt(rival, 40)}" is a second verdict beside "action"`;
  if (reason !== undefined && reason !== null && typeof reason !== "string") return '"reason" has to be a string';
  if (data !== undefined && data !== null && !isObject(data)) return '"modified_data" has to be an object';
  if (action === "modify" && !isObject(data)) return '"modify" needs "modified_data"';
  return undefined;
}

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, "");
}

const KEYS: readonly string[] = ["action", "reason", "modified_data"];

/** Keys that could contradict `action`; who uses two of them is not understood. */
const RIVALS: readonly string[] = [
  "decision",
  "permissiondecision",
  "verdict",
  "allow",
  "deny",
  "block",
  "modifieddata",
];

function unwrapped(text: string): string {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const block = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i.exec(trimmed);
  return (block?.[1] ?? trimmed).trim();
}

function parsed(json: string): Fields | undefined {
  try {
    const said: unknown = JSON.parse(json);
    return isObject(said) ? said : undefined;
  } catch {
    return undefined;
  }
}

/** Short, on one line, with nothing that a terminal would obey. */
function excerpt(text: string, most = 200): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

const LONGEST = 64 * 1024;
const LONGEST_REASON = 500;
