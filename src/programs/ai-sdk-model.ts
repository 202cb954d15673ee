import type { LanguageModelMiddleware } from "ai";
import { isYes } from "../decide/approve.ts";
import { HookBlockedError } from "../decision/blocked.ts";
import { type Decision, refused } from "../decision/decision.ts";
import { errorText } from "../problem/problem.ts";
import type { Hooks } from "./hooks.ts";

/**
 * Middleware for a language model: the source of `llm:pre_request`, `llm:post_response`, `llm:stream_start` and
 * `llm:stream_end`. A request that hooks deny never reaches the model.
 */
export function hooksMiddleware(hooks: Hooks): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    transformParams: (request) => admitRequest(hooks, request),
    wrapGenerate: async ({ doGenerate, params, model }) => {
      const began = performance.now();
      const result = await doGenerate();
      const data = { ...modelOf(model), ...answerData(result), duration_ms: performance.now() - began };
      const { output } = await hooks.decide({ type: "llm:post_response", data }, { signal: params.abortSignal });
      const content = (output as { content?: unknown } | undefined)?.content;
      return Array.isArray(content) ? { ...result, content } : result;
    },
    wrapStream: async ({ doStream, params, model }) => {
      const began = performance.now();
      const result = await doStream();
      await hooks.decide({ type: "llm:stream_start", data: modelOf(model) }, { signal: params.abortSignal });
      const stream = watchStream(result.stream, async ({ error, ...answer }) => {
        const data = { ...modelOf(model), ...answerData(answer), duration_ms: performance.now() - began };
        const failure = error === undefined ? {} : { error };
        await hooks.decide({ type: "llm:stream_end", data: { ...data, ...failure } });
        if (error === undefined) await hooks.decide({ type: "llm:post_response", data });
      });
      return { ...result, stream };
    },
  };
}

type TransformParams = NonNullable<LanguageModelMiddleware["transformParams"]>;
type Request = Parameters<TransformParams>[0];
type Params = Request["params"];
type Generated = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>>;

async function admitRequest(hooks: Hooks, { type, params, model }: Request): Promise<Params> {
  const { prompt, abortSignal, headers: _, ...settings } = params;
  const facts = { ...modelOf(model), stream: type === "stream", message_count: prompt.length };
  const data = { ...facts, request: { ...settings, messages: prompt } };
  const decision = await hooks.decide({ type: "llm:pre_request", data }, { signal: abortSignal });
  abortSignal?.throwIfAborted();
  const isAsked = decision.action === "ask" && !isYes(await hooks.onAsk?.(decision));
  if (decision.action === "deny" || isAsked) throw new HookBlockedError(decision);
  const changed = decision.input === undefined ? params : changedParams(params, facts, decision);
  return { ...changed, prompt: withContexts(changed.prompt, decision.contexts) };
}

/** The request as hooks made it; what is a fact about the request and no part of it cannot be changed. */
function changedParams(params: Params, facts: Readonly<Record<string, unknown>>, decision: Decision): Params {
  const changed = Object(decision.input) as Record<string, unknown>;
  const { messages = params.prompt, ...settings } = Object(changed.request) as Record<string, unknown>;
  const touched = Object.keys(facts).find((name) => Object.hasOwn(changed, name) && changed[name] !== facts[name]);
  const what = touched ?? (Array.isArray(messages) ? undefined : "messages into something that is not a list");
  if (what !== undefined) {
    const reason = `a hook changes ${what}, which this request cannot carry`;
    throw new HookBlockedError(refused(decision, reason, "HOOK_ERROR"));
  }
  const { abortSignal, headers } = params;
  const kept = { ...(abortSignal && { abortSignal }), ...(headers && { headers }) };
  return { ...settings, ...kept, prompt: messages as Params["prompt"] };
}

/** Providers take system messages only at the beginning. */
function withContexts(prompt: Params["prompt"], contexts: readonly string[]): Params["prompt"] {
  if (contexts.length === 0) return prompt;
  const first = prompt.findIndex(({ role }) => role !== "system");
  const place = first < 0 ? prompt.length : first;
  return prompt.toSpliced(place, 0, { role: "system", content: contexts.join("\n\n") });
}

function modelOf({ modelId, provider }: Request["model"]): { llm_model: string; llm_provider: string } {
  return { llm_model: modelId, llm_provider: provider };
}

function answerData({ content, usage, finishReason }: Partial<Pick<Generated, "content" | "usage" | "finishReason">>) {
  const [input, output] = [usage?.inputTokens.total, usage?.outputTokens.total];
  return {
    ...(input === undefined && output === undefined ? {} : { llm_tokens: (input ?? 0) + (output ?? 0) }),
    usage: { input_tokens: input, output_tokens: output },
    finish_reason: finishReason?.unified,
    content,
  };
}

type StreamResult = Awaited<ReturnType<NonNullable<LanguageModelMiddleware["wrapStream"]>>>;
type Part = StreamResult["stream"] extends ReadableStream<infer Item> ? Item : never;
type Finish = Extract<Part, { type: "finish" }>;
type ToolCallPart = Extract<Part, { type: "tool-call" }>;

/** What a stream came to: whole, or cut short and why. */
interface Streamed {
  readonly content: ({ type: "text"; text: string } | ToolCallPart)[];
  readonly usage?: Finish["usage"];
  readonly finishReason?: Finish["finishReason"];
  /** Why it did not reach its end. */
  readonly error?: string;
}

/** The same stream; `onEnd` is told once what it came to, also when it breaks or is not read to its end. */
function watchStream(
  stream: StreamResult["stream"],
  onEnd: (streamed: Streamed) => Promise<void>,
): StreamResult["stream"] {
  const reader = stream.getReader();
  const seen = new Seen();
  return new ReadableStream<Part>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          seen.add(value);
          controller.enqueue(value);
          return;
        }
      } catch (error) {
        await onEnd(seen.all(textOf(error)));
        throw error;
      }
      await onEnd(seen.all());
      controller.close();
    },
    async cancel(reason) {
      await reader.cancel(reason);
      await onEnd(seen.all("it was not read to its end"));
    },
  });
}

class Seen {
  readonly #content: Streamed["content"] = [];
  #finish: Finish | undefined;
  #error: string | undefined;

  add(part: Part): void {
    if (part.type === "text-delta") this.#addText(part.delta);
    else if (part.type === "tool-call") this.#content.push(part);
    else if (part.type === "finish") this.#finish = part;
    else if (part.type === "error") this.#error = textOf(part.error);
  }

  #addText(delta: string): void {
    const last = this.#content.at(-1);
    if (last?.type === "text") last.text += delta;
    else this.#content.push({ type: "text", text: delta });
  }

  all(broken?: string): Streamed {
    const error = broken ?? this.#error;
    const finish = this.#finish && { usage: this.#finish.usage, finishReason: this.#finish.finishReason };
    return { content: this.#content, ...finish, ...(error === undefined ? {} : { error }) };
  }
}

function textOf(error: unknown): string {
  return errorText(error);
}
