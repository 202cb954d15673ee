import { join } from "node:path";
import type { HookEvent } from "../event/event.ts";
import { Problem } from "../problem/problem.ts";
import { breakerOf } from "./circuit-breaker.ts";
import { Budget } from "./budget.ts";
import { callModel, readCallFailure } from "./call-model.ts";
import type { ModelChoice } from "./choose-model.ts";
import { connect, type ModelReply } from "./connect.ts";
import { ledgerIn } from "./ledger.ts";
import type { LlmSettings } from "./llm-settings.ts";
import { llmStateDir } from "./ledger.ts";
import { type ModelQuestion, SYSTEM_PROMPT } from "./question.ts";

/** What holds while one question is under way. */
export interface PaidCallContext {
  readonly stop: AbortSignal;
  readonly timeLeft: () => number;
  readonly notes: string[];
}

/** Asks the model unless it keeps failing or the budget is used up, and books what it cost. */
export async function paidCall(
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
  const maxTokens = settings?.maxTokens ?? MOST_TOKENS;
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

const NOTHING = { input: 0, output: 0 };
const MOST_TOKENS = 1024;
