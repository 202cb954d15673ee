import { toJsonText } from "../event/json.ts";
import { problems } from "../problem/problem.ts";
import { guardCall } from "./guard-call.ts";
import type { Hooks } from "./hooks.ts";

export { type Hooks, type HooksSource, hooksFrom } from "./hooks.ts";

/** Puts hooks around several tools. */
export function guardTools<T extends AnyTool>(hooks: Hooks, tools: readonly T[]): T[] {
  return tools.map((tool) => guardTool(hooks, tool));
}

/**
 * Puts hooks around a tool. Hooks see the input as the tool's schema left it. Where a model made the call, a denial is a
 * tool message with the status `error`; a program that calls by itself gets `ToolDeniedError`.
 */
export function guardTool<T extends AnyTool>(hooks: Hooks, tool: T): T {
  const inner = callable(tool);
  const guarded: Callable["_call"] = async (input, runManager, config) => {
    const { name } = tool;
    const callId = config?.toolCall?.id;
    const call = { name, input: asObject(input), callId, signal: config?.signal };
    const outcome = await guardCall(hooks, call, (final) => {
      const value = typeof input === "string" ? Object(final).input : final;
      return resultOf(inner._call(value, runManager, config), runManager);
    });
    const isPair = inner.responseFormat === "content_and_artifact";
    if (outcome.kind === "ran")
      return callId === undefined ? outcome.output : withContexts(outcome.output, outcome.contexts, isPair);
    if (callId === undefined) throw outcome.error;
    const { ToolMessage } = await import("@langchain/core/messages");
    const denial = new ToolMessage({ content: outcome.text, tool_call_id: callId, name, status: "error" });
    return isPair ? [denial, undefined] : denial;
  };
  return Object.create(tool, { _call: { value: guarded } });
}

/** Any tool: what `tool()` gives back, or an object of a class that extends `StructuredTool`. */
export interface AnyTool {
  readonly name: string;
}

/** The part of a tool that all ways of calling it lead to. */
interface Callable {
  readonly responseFormat?: string;
  _call(input: unknown, runManager?: RunManager, config?: Config): unknown;
}

interface RunManager {
  handleToolEvent?(chunk: unknown): Promise<void> | void;
}

interface Config {
  readonly toolCall?: { readonly id?: string };
  readonly signal?: AbortSignal;
}

/** `_call` is there for subclasses, and so for a wrapper of one. */
function callable(tool: AnyTool): Callable {
  const inner = tool as unknown as Partial<Callable>;
  if (typeof inner._call !== "function") throw PROBLEMS.noTool({ name: tool.name });
  return tool as unknown as Callable;
}

/** A tool that takes a text gets it as `input`, the name that its schema has for it. */
function asObject(input: unknown): unknown {
  return typeof input === "string" ? { input } : input;
}

/** A tool that reports its progress continues to do so; its last value is the result. */
async function resultOf(given: unknown, runManager: RunManager | undefined): Promise<unknown> {
  const output = await given;
  if (!isGenerator(output)) return output;
  for (;;) {
    const { done, value } = await output.next();
    if (done) return value;
    await runManager?.handleToolEvent?.(value);
  }
}

function isGenerator(value: unknown): value is AsyncGenerator {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}

function withContexts(output: unknown, contexts: readonly string[], isPair: boolean): unknown {
  if (contexts.length === 0) return output;
  if (isPair && Array.isArray(output)) return [withContexts(output[0], contexts, false), ...output.slice(1)];
  if (Array.isArray(output)) return [...output, ...contexts.map((text) => ({ type: "text", text }))];
  if (typeof output === "object" && output !== null && "lc_direct_tool_output" in output) return output;
  return [typeof output === "string" ? output : toJsonText(output), ...contexts].join("\n\n");
}

const PROBLEMS = problems("programs", {
  noTool: ({ name }: { name: string }) => ({
    what: `"${name}" is not a tool that runs in this program.`,
    fix: "Pass what `tool()` gives back, or an object of a class that extends StructuredTool.",
  }),
});
