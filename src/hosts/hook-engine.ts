import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { approve, isYes } from "../decide/approve.ts";
import { type Decision, type HookDecision, hookDecision } from "../decision/decision.ts";
import { errorText } from "../event/event.ts";
import { problems, warn } from "../problem/problem.ts";
import { HooksManager, type HooksManagerOptions } from "./hooks-manager.ts";

/** One call of a tool, as an extension host knows it. */
export interface ToolCall {
  readonly toolName: string;
  readonly toolInput: unknown;
  /** The engine's own session when left out. */
  readonly sessionId?: string | undefined;
  /** Where relative paths begin; the root when left out. */
  readonly cwd?: string | undefined;
  /** Joins what is said before and after the same call. */
  readonly toolUseId?: string | undefined;
}

/** A call that has ended. */
export interface EndedCall {
  readonly call: ToolCall;
  readonly sessionId: string;
  /** The input that the hooks let through. */
  readonly input: unknown;
  readonly result: unknown;
}

/** What an engine works with. */
export interface HookEngineOptions extends Pick<HooksManagerOptions, "trust"> {
  readonly root: string;
  /** The session that the engine is for; a new one when left out. */
  readonly sessionId?: string;
  /** Answers what needs approval; without it, that is refused. */
  readonly onAsk?: (decision: Decision) => boolean | Promise<boolean>;
  /** Told of every call that has ended, before `postToolUse` returns. */
  readonly onEnded?: (ended: EndedCall) => void | Promise<void>;
}

/** Hooks and intents for an extension host: one engine a session. */
export interface HookEngine {
  readonly sessionId: string;
  /** Whether a tool may run. */
  preToolUse(call: ToolCall): Promise<HookDecision>;
  /** Tells the hooks how it ended; never throws, and changes nothing any more. An `Error` as result is a failed tool. */
  postToolUse(call: ToolCall, result: unknown): Promise<void>;
  /** Binds the session to an intent and returns what it demands and owns; rejects for one that may not be worked on. */
  selectActiveIntent(id: string): Promise<string>;
}

/** Makes an engine from the configuration of a project; what it runs has to be approved like everywhere else. */
export function createHookEngine(options: HookEngineOptions): HookEngine {
  const { root, onAsk, trust } = Object(options) as Partial<HookEngineOptions>;
  if (typeof root !== "string" || root === "") throw PROBLEMS.noRoot(undefined);
  const manager = new HooksManager({ root: resolve(root), ...(trust === undefined ? {} : { trust }) });
  manager.load();
  const session = new EngineSession(manager.root, options.sessionId);
  const begun = new Map<string, unknown>();

  async function decide(call: ToolCall): Promise<HookDecision> {
    if (!isCall(call)) throw PROBLEMS.noCall(undefined);
    const canAsk = onAsk !== undefined;
    const decision = await manager.decide(await session.of(call), "tool:pre_execute", dataOf(call), { canAsk });
    remember(begun, call.toolUseId, decision.input ?? call.toolInput);
    const isApproved = decision.action === "ask" && isYes(await onAsk?.(decision));
    if (isApproved) await approve(decision, manager.root);
    return withContext(
      isApproved ? hookDecision({ ...decision, action: "continue" }) : decision.toHookDecision(),
      decision,
    );
  }

  return {
    get sessionId() {
      return session.id;
    },
    preToolUse: (call) =>
      decide(call).catch((error) => ({ allow: false, code: "HOOK_ERROR", reason: `HOOK_ERROR: ${errorText(error)}` })),
    async postToolUse(call, result) {
      try {
        if (!isCall(call)) throw PROBLEMS.noCall(undefined);
        const { toolUseId = "" } = call;
        const input = begun.get(toolUseId) ?? call.toolInput;
        begun.delete(toolUseId);
        const isFailed = result instanceof Error;
        const outcome = isFailed ? { error: errorText(result) } : { tool_result: result };
        const data = { ...dataOf({ ...call, toolInput: input }), ...outcome };
        const mine = await session.of(call);
        const failure = isFailed ? { failure: { thrown: result } } : {};
        await manager.emit(mine, isFailed ? "tool:error" : "tool:post_execute", data, failure);
        await options.onEnded?.({ call, sessionId: mine.sessionId, input, result });
      } catch (error) {
        warn(
          PROBLEMS.endNotTold(
            { tool: isCall(call) ? call.toolName : "a call", why: errorText(error) },
            { cause: error },
          ),
        );
      }
    },
    selectActiveIntent: (id) => session.select(id),
  };
}

/** The engine's session: stated, or the first that a call names, or a new one. */
class EngineSession {
  id: string;
  readonly #root: string;
  #isStated: boolean;
  #selected: string | undefined;

  constructor(root: string, stated: string | undefined) {
    this.#root = root;
    this.#isStated = stated !== undefined;
    this.id = stated ?? randomUUID();
  }

  async of({ sessionId, cwd }: ToolCall): Promise<{ sessionId: string; cwd: string }> {
    if (!this.#isStated && sessionId !== undefined) {
      this.#isStated = true;
      this.id = sessionId;
      if (this.#selected !== undefined) await this.select(this.#selected);
    }
    return { sessionId: sessionId ?? this.id, cwd: resolve(this.#root, cwd ?? ".") };
  }

  async select(id: string): Promise<string> {
    const { selectForSession } = await import("../policies/intent/select-for-session.ts");
    const context = selectForSession(this.#root, { agent: undefined, sessionId: this.id }, id);
    this.#selected = id;
    return context;
  }
}

/** Hosts are often written without types. */
function isCall(call: unknown): call is ToolCall {
  const { toolName } = Object(call) as { readonly toolName?: unknown };
  return typeof toolName === "string" && toolName.trim() !== "";
}

function dataOf({ toolName, toolInput, toolUseId }: ToolCall): object {
  return { tool_name: toolName, tool_args: toolInput, ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }) };
}

/** What a session is told when it selects an intent also stands alone, for hosts that put it somewhere special. */
function withContext(said: HookDecision, { contexts }: Decision): HookDecision {
  const intent_context = contexts.find((text) => text.startsWith("<intent_context>"));
  if (!said.allow || intent_context === undefined) return said;
  return { allow: true, contextPatch: { ...said.contextPatch, intent_context } };
}

/** A host that never tells the end of its calls must not fill the memory. */
function remember(begun: Map<string, unknown>, id: string | undefined, input: unknown): void {
  if (id === undefined) return;
  begun.set(id, input);
  const [oldest] = begun.keys();
  if (begun.size > MAX_BEGUN && oldest !== undefined) begun.delete(oldest);
}

const MAX_BEGUN = 1000;
const PROBLEMS = problems("host", {
  noRoot: () => ({
    what: "createHookEngine was given no `root`, so there is no project to read hooks and intents from.",
    fix: 'Pass the project\'s folder: createHookEngine({ root: "/path/of/the/project" }).',
  }),
  endNotTold: ({ tool, why }: { tool: string; why: string }) => ({
    what: `Hooks on the result of ${tool} could not be run: ${why}`,
    fix: "The tool's own result is unchanged; look at what the host passes.",
  }),
  noCall: () => ({
    what: "The call names no tool: `toolName` has to be a string that is not empty.",
    fix: 'Pass { toolName: "Write", toolInput: { … } }.',
  }),
});
