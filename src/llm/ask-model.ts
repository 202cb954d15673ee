import { join } from "node:path";
import type { Failure } from "../decision/failure.ts";
import { modifiable } from "../decision/modification.ts";
import { STRICTNESS } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { errorText, Problem } from "../problem/problem.ts";
import { Budget } from "./budget.ts";
import {
  callModel,
  type ReadVerdict,
  readCallFailure,
  readVerdict,
  type Understood,
  unlessAborted,
  type Verdict,
} from "./call-model.ts";
import { chooseModel, type ModelChoice } from "./choose-model.ts";
import { connect, type ModelReply } from "./connect.ts";
import { learned } from "./learned.ts";
import { type Clock, ledgerIn, llmStateDir, SYSTEM_CLOCK } from "./ledger.ts";
import type { LlmSettings } from "./llm-settings.ts";
import { compose, MAX_DATA, type ModelQuestion, SYSTEM_PROMPT } from "./question.ts";
import { ResponseCache } from "./response-cache.ts";

/** How a question went. */
export interface Opinion {
  readonly verdict?: Verdict;
  readonly failure?: Failure;
  /** What the model wrote. */
  readonly text: string;
  readonly notes: readonly string[];
}

/** What a question may use besides the hook and the event. */
export interface AskOptions {
  /** Seconds until it has to be over. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly settings: LlmSettings | undefined;
}

/** Asks a model about an event on behalf of a hook: from the cache when it was asked before. Never rejects. */
export async function askModel(hook: Hook, event: HookEvent, options: AskOptions): Promise<Opinion> {
  const { deadline, signal, settings } = options;
  const seconds = Math.min(deadline, settings?.timeout ?? deadline);
  const limit = AbortSignal.timeout(seconds * 1000);
  const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  const began = performance.now();
  const notes: string[] = [];
  try {
    stop.throwIfAborted();
    const timeLeft = () => seconds * 1000 - (performance.now() - began);
    return await ask(hook, event, settings, { stop, timeLeft, notes });
  } catch (error) {
    const failed = (failure: Failure): Opinion => ({ failure, text: "", notes });
    if (signal?.aborted) return failed({ why: "signal", signal: "SIGTERM", aborted: true });
    if (limit.aborted) return failed({ why: "timeout", afterMs: seconds * 1000 });
    return failed({ why: "exception", message: wordsOf(error) });
  }
}

async function ask(
  hook: Hook,
  event: HookEvent,
  settings: LlmSettings | undefined,
  frame: PaidCallContext,
): Promise<Opinion> {
  const choice = chooseModel(hook, settings);
  const question = compose(hook.prompt ?? "", event);
  frame.notes.push(...choice.notes);
  if (question.missing.length > 0) {
    frame.notes.push(`the prompt names ${question.missing.join(", ")}, which this event does not have`);
  }
  const cache = hook.cache === false ? undefined : responseCache();
  const about = { event: event.type, tool: event.toolName, cwd: event.cwd, subject: modifiable(event) };
  const asked = { model: choice.id, system: SYSTEM_PROMPT };
  const known = cache?.get(question.fingerprint, about, asked);
  const remembered = known === undefined ? undefined : readVerdict(String(known.text));
  if (remembered !== undefined && "verdict" in remembered) {
    frame.notes.push("answered from the cache");
    return opinion(remembered, event, question, frame.notes);
  }
  const reply = await unlessAborted(paidCall(choice, question, event, settings, frame), frame.stop);
  const read = readReply(reply);
  if ("failure" in read) return { failure: read.failure, text: reply.text, notes: frame.notes };
  cache?.put(question.fingerprint, about, { text: read.json }, asked);
  return opinion(read, event, question, frame.notes);
}

function readReply(reply: ModelReply): ReadVerdict {
  const read = readVerdict(reply.text);
  if (!("failure" in read) || read.failure.why !== "bad_json" || reply.finishReason !== "length") return read;
  return { failure: { ...read.failure, message: "it was cut off; `llm.max_tokens` sets how long it may be" } };
}

function opinion(read: Understood, event: HookEvent, question: ModelQuestion, notes: string[]): Opinion {
  notes.push(...read.notes);
  return { verdict: tightened(read.verdict, event, question), text: read.json, notes };
}

/** A model that did not see the whole call cannot pass it: the user decides, unless the model has denied it already. */
function tightened(verdict: Verdict, event: HookEvent, { cut }: ModelQuestion): Verdict {
  if (cut.length === 0 || !event.isGate || STRICTNESS[verdict.action] >= STRICTNESS.ask) return verdict;
  const fields = cut.map(({ path, bytes }) => `${path} (${bytes} bytes)`).join(", ");
  const reason = `the model is shown ${MAX_DATA} bytes at most and did not see all of ${fields}`;
  return { action: "ask", reason };
}

/** One cache for each state folder, so that what one process learned the next one knows. */
function responseCache(): ResponseCache<{ text: string }> {
  const directory = join(llmStateDir(), "cache");
  const cache = caches.get(directory) ?? new ResponseCache<{ text: string }>({ directory });
  caches.set(directory, cache);
  return cache;
}

const caches = learned<ResponseCache<{ text: string }>>();

function wordsOf(error: unknown): string {
  if (error instanceof Problem) return [error.message, error.fix].filter(Boolean).join(" ");
  return errorText(error);
}

/** The state of one question. */
interface PaidCallContext {
  readonly stop: AbortSignal;
  readonly timeLeft: () => number;
  readonly notes: string[];
}

/** Asks the model unless it keeps failing or the budget is used up, and books what it cost. */
async function paidCall(
  choice: ModelChoice,
  question: ModelQuestion,
  event: HookEvent,
  settings: LlmSettings | undefined,
  { stop, timeLeft, notes }: PaidCallContext,
): Promise<ModelReply> {
  const breaker = breakerOf(choice.id);
  if (breaker.refusal !== undefined) {
    notes.push(`not asked: ${breaker.refusal}`);
    throw new Error(breaker.refusal);
  }
  const maxTokens = settings?.maxTokens ?? MAX_TOKENS;
  const most = { input: Math.ceil(Buffer.byteLength(SYSTEM_PROMPT + question.prompt) / 3), output: maxTokens };
  const budget = new Budget(settings?.budget, ledgerIn(join(llmStateDir(), "spent")));
  const admission = budget.admit(event.sessionId, most);
  try {
    const model = await connect(choice);
    const called = await callModel(() => model(question.prompt, maxTokens, stop), stop, timeLeft);
    const isBooked = admission.settle(called.reply.usage ?? most);
    breaker.succeeded();
    notes.push(...called.notes.map((note) => withoutKey(note, choice)), ...called.reply.notes);
    if (!isBooked) notes.push(`what the model cost could not be written to ${llmStateDir()}`);
    return called.reply;
  } catch (error) {
    if (error instanceof Problem) {
      admission.settle(NOTHING);
      throw error;
    }
    const { status, message } = readCallFailure(error);
    // A server that refused has charged nothing; one that never answered may have.
    admission.settle(status === undefined ? most : NOTHING);
    if (!(stop.aborted && stop.reason?.name !== "TimeoutError")) breaker.failed();
    if (breaker.refusal !== undefined) notes.push(breaker.refusal);
    throw new Error(withoutKey(`${choice.model} at ${choice.baseURL} ${told(status, message)}`, choice), {
      cause: error,
    });
  }
}

function told(status: number | undefined, message: string): string {
  return `${status === undefined ? "did not answer" : `answered ${status}`}: ${message.slice(0, 300)}`;
}

/** Servers like to repeat the key that they did not like. */
function withoutKey(text: string, { apiKeyEnv }: ModelChoice): string {
  const key = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv]?.trim();
  return key ? text.replaceAll(key, `$${apiKeyEnv}`) : text;
}

/** Stops asking a model that keeps failing: hooks that ask meanwhile get that answer at once. */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures: number[] = [];
  #openUntil: number | undefined;

  constructor(clock: Clock = SYSTEM_CLOCK) {
    this.#clock = clock;
  }

  /** Why the model is not asked now; `undefined` when the circuit is closed. */
  get refusal(): string | undefined {
    const left = (this.#openUntil ?? 0) - this.#clock.steady();
    if (this.#openUntil === undefined || left <= 0) return undefined;
    return `the model failed ${FAILURES} times within ${WITHIN / 1000} s; it is asked again in ${Math.ceil(left / 1000)} s`;
  }

  succeeded(): void {
    this.#failures = [];
    this.#openUntil = undefined;
  }

  /** After a pause the first failure is enough for the next one. */
  failed(): void {
    const now = this.#clock.steady();
    this.#failures = [...this.#failures.filter((at) => now - at < WITHIN), now];
    if (this.#openUntil !== undefined || this.#failures.length >= FAILURES) this.#openUntil = now + PAUSE;
  }
}

/** The one breaker of a model in this process. */
function breakerOf(model: string): CircuitBreaker {
  const breaker = breakers.get(model) ?? new CircuitBreaker();
  breakers.set(model, breaker);
  return breaker;
}

const breakers = learned<CircuitBreaker>();
const FAILURES = 5;
const WITHIN = 30_000;
const PAUSE = 30_000;

const NOTHING = { input: 0, output: 0 };
const MAX_TOKENS = 1024;
