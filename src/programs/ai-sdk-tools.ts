import type { ModelMessage, Tool, ToolExecutionOptions, ToolSet } from "ai";
import { toJsonText } from "../event/json.ts";
import { admit, before, guardCall, report, reportError, type SdkToolCall } from "./guard-call.ts";
import type { Hooks } from "./hooks.ts";

/** How guarded tools treat what hooks ask. */
export interface GuardToolsOptions {
  /**
   * Lets the AI SDK ask: a hook's `ask` becomes a tool approval request. The hooks look at the call twice then, before
   * the question and before the tool runs. Left out, `ask` is for `onAsk`, and without that a denial.
   */
  readonly approvals?: boolean;
}

/** Puts hooks around every tool that runs in this program; tools without `execute` run elsewhere and stay as they are. */
export function guardTools<Tools extends ToolSet>(hooks: Hooks, tools: Tools, options: GuardToolsOptions = {}): Tools {
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(hooks, name, tool, options)]);
  return Object.fromEntries(guarded);
}

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;
type Execute = (input: unknown, options: ToolExecutionOptions) => unknown;

function guardTool(hooks: Hooks, name: string, tool: ToolSet[string], { approvals = false }: GuardToolsOptions) {
  const execute: Execute | undefined = tool.execute?.bind(tool);
  if (execute === undefined) return tool;
  const contexts = new ContextsByCall();
  const callOf = (input: unknown, { toolCallId, messages, abortSignal }: ToolExecutionOptions) => ({
    name,
    input,
    callId: toolCallId,
    signal: abortSignal,
    isApproved: approvals && isApproved(toolCallId, messages),
  });
  const guarded = {
    ...tool,
    execute: isGenerator(tool.execute) ? streaming(hooks, execute, callOf, contexts) : whole,
    toModelOutput: async (told: Parameters<NonNullable<Tool["toModelOutput"]>>[0]) => {
      const output = tool.toModelOutput ? await tool.toModelOutput(told) : asModelOutput(told.output);
      return withContexts(output, contexts.of(told.toolCallId));
    },
  };
  return approvals ? { ...guarded, needsApproval } : guarded;

  async function whole(input: unknown, options: ToolExecutionOptions): Promise<unknown> {
    const outcome = await guardCall(hooks, callOf(input, options), (final) => lastOf(execute?.(final, options)));
    if (outcome.kind === "denied") throw outcome.error;
    contexts.keep(options.toolCallId, outcome.contexts);
    return outcome.output;
  }

  async function needsApproval(input: unknown, options: Omit<ToolExecutionOptions, "abortSignal">): Promise<boolean> {
    const own = tool.needsApproval;
    if (own === true || (typeof own === "function" && (await own(input, options)))) return true;
    return (await before(hooks, { name, input, callId: options.toolCallId })).action === "ask";
  }
}

/** A tool that streams its progress continues to do so; hooks get its last value. */
function streaming(
  hooks: Hooks,
  execute: Execute,
  callOf: (input: unknown, options: ToolExecutionOptions) => SdkToolCall<unknown>,
  contexts: ContextsByCall,
): Execute {
  return async function* guarded(input, options) {
    const call = callOf(input, options);
    const admission = await admit(hooks, call);
    if (admission.kind === "denied") throw admission.error;
    let last: unknown;
    try {
      for await (const output of execute(admission.input, options) as AsyncIterable<unknown>) {
        last = output;
        yield output;
      }
    } catch (error) {
      await reportError(hooks, call, admission, error);
      throw error;
    }
    const outcome = await report(hooks, call, admission, last);
    contexts.keep(options.toolCallId, outcome.contexts);
    if (outcome.output !== last) yield outcome.output;
  };
}

function isGenerator(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

/** Of a function that gives back something to iterate over, the last value is the result. */
async function lastOf(output: unknown): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output)) return output;
  let last: unknown;
  for await (const value of output as AsyncIterable<unknown>) last = value;
  return last;
}

/** Has the user said yes to this call? The conversation itself holds question and answer. */
function isApproved(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  const parts = messages.flatMap(({ content }) => (typeof content === "string" ? [] : [...content]));
  const asked = parts.flatMap((part) =>
    part.type === "tool-approval-request" && part.toolCallId === toolCallId ? [part.approvalId] : [],
  );
  return parts.some(
    (part) => part.type === "tool-approval-response" && part.approved && asked.includes(part.approvalId),
  );
}

function asModelOutput(output: unknown): ModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  return { type: "json", value: output === undefined ? null : output } as ModelOutput;
}

/** Texts are what every provider can carry. */
function withContexts(output: ModelOutput, contexts: readonly string[]): ModelOutput {
  if (contexts.length === 0) return output;
  if (output.type === "content")
    return { ...output, value: [...output.value, ...contexts.map((text) => ({ type: "text" as const, text }))] };
  if (output.type !== "text" && output.type !== "json") return output;
  const text = output.type === "text" ? output.value : toJsonText(output.value);
  return { type: "text", value: [text, ...contexts].join("\n\n") };
}

/** What hooks said about calls whose results have yet to reach the model, in bounded memory. */
class ContextsByCall {
  readonly #byCall = new Map<string, readonly string[]>();

  keep(callId: string, contexts: readonly string[]): void {
    if (contexts.length === 0) return;
    this.#byCall.set(callId, contexts);
    const [oldest] = this.#byCall.keys();
    if (this.#byCall.size > MAX_CALLS && oldest !== undefined) this.#byCall.delete(oldest);
  }

  of(callId: string): readonly string[] {
    return this.#byCall.get(callId) ?? [];
  }
}

const MAX_CALLS = 1000;
