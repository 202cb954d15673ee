import { isYes } from "../decide/approve.ts";
import { type Decision, reasonText } from "../decision/decision.ts";
import type { Code } from "../decision/result.ts";
import type { EventInit } from "../event/event.ts";
import type { Hooks } from "../programs/hooks.ts";
import type { Interceptor } from "./compose.ts";
import { type AgentContext, type InterceptionPoint, pointSpec } from "./points.ts";
import type { AgentVerdict } from "./verdict.ts";

/** Hooks of Sluice as an interceptor: every context is decided as a call of any other agent is. */
export function policyInterceptor(hooks: Hooks): Interceptor {
  return {
    name: "sluice",
    intercept: async (context) => {
      const decision = await hooks.decide(eventOf(context), failureOf(context));
      if (decision.action === "ask" && hooks.onAsk !== undefined)
        return isYes(await hooks.onAsk(decision)) ? permit(context, decision) : denial(decision);
      return verdictOf(context, decision);
    },
  };
}

function verdictOf(context: AgentContext, decision: Decision): AgentVerdict {
  switch (decision.action) {
    case "deny":
      return denial(decision);
    case "ask":
      return { ...denial(decision), reason: "sluice:NEEDS_APPROVAL", approval: {} };
    case "modify":
    case "continue":
      return permit(context, decision);
  }
}

function denial(decision: Decision): AgentVerdict {
  const code: Code =
    decision.results.find(({ action, code }) => action === "deny" && code)?.code ?? "DESTRUCTIVE_BLOCKED";
  const message = reasonText(decision.action, decision.reasons, decision.results) || "denied by a hook";
  return { decision: "deny", reason: `sluice:${code}`, message, ...warningsOf(decision) };
}

/** An objection to what has happened already is a denial here: this format has no weaker word that reaches the model. */
function permit(context: AgentContext, decision: Decision): AgentVerdict {
  const { feedback = [] } = decision;
  if (feedback.length > 0) return { decision: "deny", reason: "sluice:FEEDBACK", message: feedback.join("\n") };
  const changed = changeOf(context, decision);
  if (changed === undefined) return { decision: "allow", ...warningsOf(decision) };
  return { decision: "transform", reason: "sluice:MODIFIED", transform: changed, ...warningsOf(decision) };
}

function warningsOf({ contexts, feedback = [] }: Decision): Pick<AgentVerdict, "warnings"> {
  const others = contexts.filter((text) => !feedback.includes(text));
  return others.length === 0 ? {} : { warnings: others.map((message) => ({ reason: "sluice:CONTEXT", message })) };
}

/** What hooks changed, as a transform of the target. */
function changeOf({ interception_point }: AgentContext, { input, output }: Decision): AgentVerdict["transform"] {
  const value = input ?? output;
  if (value === undefined) return undefined;
  const { read = (whole: unknown) => whole, path = "$target" } = SHAPES[interception_point] ?? {};
  return { path, value: read(value) };
}

/** Where the changed part is, for the points whose event has more in it, or less, than the target. */
const SHAPES: Readonly<Partial<Record<InterceptionPoint, { path?: string; read?: (value: unknown) => unknown }>>> = {
  input: { path: "$target.content" },
  pre_model_call: { read: (value) => Object(Object(value).request).messages },
  post_model_call: { read: (value) => pickedResponse(Object(value)) },
};

function pickedResponse({ content, tool_calls, finish_reason }: Record<string, unknown>): unknown {
  return { content, tool_calls, finish_reason };
}

function eventOf(context: AgentContext): EventInit {
  const { interception_point: point, agent, session, tool_call } = context;
  const { name, id } = Object(tool_call) as { readonly name?: string; readonly id?: string };
  const isError = point === "post_tool_call" && Object(context.tool_result).is_error === true;
  return {
    type: isError ? "tool:error" : pointSpec(point).event,
    ...(name === undefined ? {} : { toolName: name }),
    sessionId: session.id,
    agent: agent.id,
    data: { ...DATA[point](context), ...(id === undefined ? {} : { tool_use_id: id }) },
  };
}

/** The data of each event, as the other fronts send it. */
const DATA: Readonly<Record<InterceptionPoint, (context: AgentContext) => object>> = {
  agent_startup: ({ agent_init }) => Object(agent_init),
  input: ({ input }) => ({ prompt: textOf(Object(input).content), role: Object(input).role }),
  pre_model_call: ({ model, messages }) => ({
    llm_model: Object(model).id,
    message_count: (messages as readonly unknown[]).length,
    request: { messages },
  }),
  post_model_call: ({ model, response }) => ({ llm_model: Object(model).id, ...Object(response) }),
  pre_tool_call: ({ target }) => ({ tool_args: target }),
  post_tool_call: ({ tool_call, tool_result }) => {
    const { value, is_error } = Object(tool_result);
    return { tool_args: Object(tool_call).args, ...(is_error ? { error: textOf(value) } : { tool_result: value }) };
  },
  output: ({ output }) => ({ role: "assistant", message: textOf(Object(output).content) }),
  agent_shutdown: ({ summary }) => Object(summary),
};

function failureOf({ tool_result }: AgentContext): { failure?: { thrown: unknown } } {
  const { is_error, value } = Object(tool_result);
  return is_error === true ? { failure: { thrown: new Error(textOf(value)) } } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
