import { errorText } from "../problem/problem.ts";
import { type AgentHooksSession, denialText, type Emission, isResponse, type ModelResponse } from "./session.ts";
import { isHostError } from "./verdict.ts";

/** A request that enters a session. */
export interface AgentInput {
  readonly content: unknown;
  readonly role: "user" | "system" | "external";
}

/** A message of the conversation. */
export interface AgentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly [key: string]: unknown;
}

/** What an agent is made of. */
export interface AgentParts {
  readonly model: {
    readonly id: string;
    readonly respond: (messages: readonly AgentMessage[]) => ModelResponse | Promise<ModelResponse>;
  };
  /** Tools by their names; what one throws is the tool's error. */
  readonly tools?: Readonly<Record<string, (args: Record<string, unknown>) => unknown>>;
  /** How many answers of the model one input may take. */
  readonly maxSteps?: number;
}

/** How a session ended. */
export interface AgentRun {
  readonly outcome: "completed" | "blocked" | "error";
  /** The final response; null if there is none or it was blocked. */
  readonly output: unknown;
  readonly error?: unknown;
}

/** What a loop does after a denial that the host itself made at a tool call. */
export type ToolSeamPosture = "continue" | "terminate";

/** Runs one session with one input: startup, the turn, and the shutdown that always follows. */
export async function runAgent(
  session: AgentHooksSession,
  input: AgentInput,
  parts: AgentParts,
  posture: ToolSeamPosture,
): Promise<AgentRun> {
  const startup = await session.emit("agent_startup", {
    agent_init: { tools_registered: Object.keys(parts.tools ?? {}) },
  });
  const run = startup.permitted ? await runTurn(session, input, parts, posture) : BLOCKED;
  await session.emit("agent_shutdown", { summary: { reason: run.outcome === "completed" ? "completed" : "error" } });
  return run;
}

/** Runs one input of a session that has been started. */
export async function runTurn(
  session: AgentHooksSession,
  input: AgentInput,
  parts: AgentParts,
  posture: ToolSeamPosture,
): Promise<AgentRun> {
  try {
    return await new Turn(session, parts, posture).run(input);
  } catch (error) {
    if (error instanceof Blocked) return BLOCKED;
    return { outcome: "error", output: null, error };
  }
}

class Turn {
  readonly #session: AgentHooksSession;
  readonly #parts: AgentParts;
  readonly #posture: ToolSeamPosture;
  readonly #messages: AgentMessage[] = [];

  constructor(session: AgentHooksSession, parts: AgentParts, posture: ToolSeamPosture) {
    this.#session = session;
    this.#parts = parts;
    this.#posture = posture;
  }

  async run(input: AgentInput): Promise<AgentRun> {
    const { content, role } = (await this.#permitted("input", { input })) as AgentInput;
    this.#messages.push({ role, content });
    const { maxSteps = 100 } = this.#parts;
    for (let step = 0; step < maxSteps; step++) {
      const response = await this.#ask();
      if (response.tool_calls.length === 0) {
        const output = await this.#permitted("output", { output: { content: response.content } });
        return { outcome: "completed", output: Object(output).content };
      }
      this.#messages.push({ role: "assistant", content: response.content, tool_calls: response.tool_calls });
      for (const call of response.tool_calls) await this.#call(call);
    }
    return { outcome: "error", output: null, error: new Error(`no final response after ${maxSteps} steps`) };
  }

  async #ask(): Promise<ModelResponse> {
    const model = { id: this.#parts.model.id };
    const messages = (await this.#permitted("pre_model_call", { model, messages: this.#messages })) as AgentMessage[];
    const response = await this.#parts.model.respond(structuredClone(messages));
    const final = await this.#permitted("post_model_call", { model, response });
    if (!isResponse(final)) throw new Blocked();
    return final;
  }

  /** A denied call, and a result that may not be used, reach the model as the tool's error. */
  async #call(call: ModelResponse["tool_calls"][number]): Promise<void> {
    const { text, emission } = await guardedCall(this.#session, call, (args) => this.#execute(call.name, args));
    this.#messages.push({ role: "tool", content: text, tool_call_id: call.id, name: call.name });
    if (!emission.permitted && this.#posture === "terminate" && isHostError(emission.verdict)) throw new Blocked();
  }

  #execute(name: string, args: Record<string, unknown>): unknown {
    const { tools = {} } = this.#parts;
    if (!Object.hasOwn(tools, name)) throw new Error(`there is no tool named "${name}"`);
    return tools[name]?.(args);
  }

  async #permitted(...[point, fields]: Parameters<AgentHooksSession["emit"]>): Promise<unknown> {
    const { permitted, target } = await this.#session.emit(point, fields);
    if (!permitted) throw new Blocked();
    return target;
  }
}

/** What a guarded call gave. */
export interface GuardedCall {
  /** The result, or what the model is told in its place. */
  readonly text: unknown;
  /** The last emission of the call: `permitted` is false if the result may not be used. */
  readonly emission: Emission;
  readonly isError: boolean;
}

/** Runs a tool between its two interception points. */
export async function guardedCall(
  session: AgentHooksSession,
  call: { readonly id: string; readonly name: string; readonly args: object },
  execute: (args: Record<string, unknown>) => unknown,
): Promise<GuardedCall> {
  const { id, name } = call;
  const before = await session.emit("pre_tool_call", { tool_call: { id, name, args: call.args } });
  if (!before.permitted) return { text: denialText(before.verdict), emission: before, isError: true };
  const args = before.target as Record<string, unknown>;
  const { value, isError } = await executed(() => execute(structuredClone(args)));
  const fields = { tool_call: { id, name, args }, tool_result: { value, is_error: isError } };
  const after = await session.emit("post_tool_call", fields);
  if (!after.permitted) return { text: denialText(after.verdict), emission: after, isError: true };
  return { text: after.target, emission: after, isError };
}

async function executed(run: () => unknown): Promise<{ readonly value: unknown; readonly isError: boolean }> {
  try {
    return { value: (await run()) ?? null, isError: false };
  } catch (error) {
    return { value: errorText(error), isError: true };
  }
}

/** An action that may not proceed ends the turn. */
class Blocked extends Error {
  override readonly name = "Blocked";
}

const BLOCKED: AgentRun = { outcome: "blocked", output: null };
