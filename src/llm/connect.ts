import { importInstalled } from "../fs/import-package.ts";
import { problems } from "../problem/problem.ts";
import type { Usage } from "./budget.ts";
import type { ModelChoice } from "./choose-model.ts";
import { SYSTEM_PROMPT } from "./question.ts";

/** A model's answer, with its cost if the provider reports it. */
export interface ModelReply {
  readonly text: string;
  readonly finishReason: string;
  readonly usage: Usage | undefined;
  readonly notes: readonly string[];
}

/** Asks a model one question. */
export type Ask = (prompt: string, maxTokens: number, signal: AbortSignal) => Promise<ModelReply>;

/** Loads the libraries of a provider, which are optional, and connects to its model. */
export async function connect(choice: ModelChoice): Promise<Ask> {
  const apiKey = readKey(choice);
  const [sdk, library] = await Promise.all([load("ai", choice), load(choice.provider.package, choice)]);
  const bare = modelOf(library, choice, apiKey);
  return async (prompt, maxTokens, signal) => {
    const notes: string[] = [];
    const model = sdk.wrapLanguageModel({ model: bare, middleware: quiet(notes) });
    const question = {
      model,
      system: SYSTEM_PROMPT,
      prompt,
      temperature: 0,
      maxOutputTokens: maxTokens,
      maxRetries: 0,
    };
    const { text, finishReason, usage } = await sdk.generateText({ ...question, abortSignal: signal });
    return { text: String(text ?? ""), finishReason: String(finishReason), usage: usageOf(usage), notes };
  };
}

/** The little of the `ai` package that is used. */
interface Sdk {
  generateText(options: object): Promise<{ text?: unknown; finishReason?: unknown; usage?: unknown }>;
  wrapLanguageModel(options: object): unknown;
}

function readKey({ hook, apiKeyEnv }: ModelChoice): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = process.env[apiKeyEnv]?.trim();
  if (!key) throw PROBLEMS.noKey({ hook, apiKeyEnv });
  return key;
}

/** The one place where a library comes in as it is: what is used of it is checked by calling it. */
async function load(name: string, choice: ModelChoice): Promise<Sdk & Record<string, unknown>> {
  try {
    return (await importInstalled(name)) as Sdk & Record<string, unknown>;
  } catch (cause) {
    throw PROBLEMS.noLibrary({ hook: choice.hook, name, all: `ai ${choice.provider.package}` }, { cause });
  }
}

type Factory = (settings: object) => ((model: string) => unknown) & Record<string, (model: string) => unknown>;

function modelOf(library: Record<string, unknown>, choice: ModelChoice, apiKey: string | undefined): unknown {
  const { factory, method, package: name } = choice.provider;
  if (typeof library[factory] !== "function") throw PROBLEMS.otherLibrary({ name, factory });
  const make = library[factory] as Factory;
  const provider = make({ name: "sluice", baseURL: choice.baseURL, apiKey, fetch: carefulFetch });
  const through = method === undefined ? undefined : provider[method];
  return through === undefined ? provider(choice.model) : through.call(provider, choice.model);
}

/** The library would print its warnings on the terminal; here they become notes. */
function quiet(notes: string[]): object {
  return {
    specificationVersion: "v3",
    wrapGenerate: async ({ doGenerate }: { doGenerate: () => Promise<{ warnings?: unknown[] }> }) => {
      const result = await doGenerate();
      const details = (result.warnings ?? []).map((warning) => (Object(warning) as { details?: unknown }).details);
      notes.push(...details.filter((detail) => typeof detail === "string"));
      return { ...result, warnings: [] };
    },
  };
}

function usageOf(usage: unknown): Usage | undefined {
  const { inputTokens, outputTokens } = Object(usage) as Record<string, unknown>;
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return undefined;
  return { input: inputTokens, output: outputTokens };
}

/** `fetch` that never takes a key to another address, and never reads without end. */
async function carefulFetch(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...init, redirect: "error" });
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(bounded()), { status, statusText, headers });
}

function bounded(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > MAX_BYTES) controller.error(new Error(`the answer is larger than ${MAX_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

const PROBLEMS = problems("llm", {
  noLibrary: ({ hook, name, all }: { hook: string; name: string; all: string }) => ({
    what: `LLM dependencies not available for "${hook}": package ${name} cannot be loaded.`,
    fix: `npm install ${all}`,
  }),
  otherLibrary: ({ name, factory }: { name: string; factory: string }) => ({
    what: `Package ${name} does not have ${factory}; it is another version than Sluice supports.`,
    fix: `npm install ai@6 ${name}@latest`,
  }),
  noKey: ({ hook, apiKeyEnv }: { hook: string; apiKeyEnv: string }) => ({
    what: `Hook "${hook}" asks a model, and its key is not there.`,
    fix: `Set ${apiKeyEnv}, or name another variable in \`llm.api_key_env\`.`,
  }),
});

const MAX_BYTES = 1024 * 1024;
