import type { Tool } from "@openai/agents-core";
import { toJsonText } from "../event/json.ts";
import { problems } from "../problem/problem.ts";
import { admit, before, type GuardedOutcome, report, reportError, type SdkToolCall } from "./guard-call.ts";
import type { Hooks } from "./hooks.ts";

export { type Hooks, type HooksSource, hooksFrom } from "./hooks.ts";

/** How guarded tools treat what hooks ask. */
export interface GuardToolOptions {
  /**
   * Lets the run ask: a hook's `ask` becomes an interruption that the program approves or rejects. The hooks look at
   * the call twice then, before the question and before the tool runs. Left out, `ask` is for `onAsk`, and without that
   * a denial.
   */
  readonly approvals?: boolean;
}

/** Puts hooks around every function tool of an agent; hosted tools run elsewhere and stay as they are. */
export function guardTools(hooks: Hooks, tools: readonly Tool[], options: GuardToolOptions = {}): Tool[] {
  return tools.map((tool) => {
    if (tool.type === "hosted_tool") return tool;
    if (tool.type === "function") return guardTool(hooks, tool, options);
    throw PROBLEMS.cannotGuard({ name: tool.name, type: tool.type });
  });
}

/** Puts hooks around one function tool. A denial is the tool's answer, so that the model reads why. */
export function guardTool<T extends AnyFunctionTool>(hooks: Hooks, tool: T, options: GuardToolOptions = {}): T {
  const { name } = tool;
  const { approvals = false } = options;
  const guarded: T = {
    ...tool,
    async invoke(...[runContext, text, details]: Parameters<AnyFunctionTool["invoke"]>) {
      const callId = details?.toolCall?.callId;
      const isApproved = approvals && callId !== undefined && runContext.isToolApproved({ toolName: name, callId });
      const call = { name, input: read(text), callId, signal: details?.signal, isApproved: isApproved === true };
      const written = (input: unknown) => (input === call.input ? text : toJsonText(input));
      const outcome = await around(hooks, call, (input) => tool.invoke(runContext, written(input), details));
      if (outcome.kind === "ran") return withContexts(outcome.output, outcome.contexts);
      // A tool with a schema for its output cannot answer with a plain sentence.
      if (tool.outputSchema !== undefined) throw outcome.error;
      return outcome.text;
    },
  };
  if (!approvals) return guarded;
  const needsApproval: AnyFunctionTool["needsApproval"] = async (runContext, input, callId) =>
    (await tool.needsApproval(runContext, input, callId)) ||
    (await before(hooks, { name, input, callId })).action === "ask";
  return { ...guarded, needsApproval };
}

// The SDK's own types leave parameters and results open in just this way.
type AnyFunctionTool = Extract<Tool, { type: "function" }>;

/** The SDK turns most errors of a tool into a text for the model; hooks are told of an error all the same. */
async function around(
  hooks: Hooks,
  call: SdkToolCall<unknown>,
  run: (input: unknown) => Promise<unknown>,
): Promise<GuardedOutcome<unknown>> {
  const admission = await admit(hooks, call);
  if (admission.kind === "denied") return admission;
  let output: unknown;
  try {
    output = await run(admission.input);
  } catch (error) {
    await reportError(hooks, call, admission, error);
    throw error;
  }
  if (output !== FAILED) return report(hooks, call, admission, output);
  return { kind: "ran", output, contexts: await reportError(hooks, call, admission, output) };
}

/** The model sends JSON; what is none is the tool's to refuse. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withContexts(output: unknown, contexts: readonly string[]): unknown {
  if (contexts.length === 0) return output;
  if (Array.isArray(output)) return [...output, ...contexts.map((text) => ({ type: "text", text }))];
  return [typeof output === "string" ? output : toJsonText(output), ...contexts].join("\n\n");
}

/** What the SDK tells the model when a tool without an `errorFunction` fails. */
const FAILED = "An error occurred while running the tool. Please try again.";

const PROBLEMS = problems("programs", {
  cannotGuard: ({ name, type }: { name: string; type: string }) => ({
    what: `The tool "${name}" is of type "${type}"; hooks can be put around function tools only.`,
    fix: "Leave it out of guardTools, or offer the same act as a function tool.",
  }),
});
