import { ToolDeniedError } from "../decision/blocked.ts";
import type { Decision } from "../decision/decision.ts";
import type { EventName } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { problems, warn } from "../problem/problem.ts";
import { errorData, errorText } from "./error-data.ts";
import { toolNamed } from "./handed-over.ts";
import type { HooksManager } from "./hooks-manager.ts";
import { passMemory, wantsMemory } from "./memory-gate.ts";
import { type Session, sessionEvent, sessionIdOf } from "./session.ts";

/** How a host treats what hooks say. */
export interface ToolExecutionOptions {
  /** Answers a hook's `ask`; without it, `ask` is a denial. */
  readonly onAsk?: (decision: Decision) => boolean | Promise<boolean>;
  /** Files that count as memory besides AGENTS.md and its like. */
  readonly memoryPatterns?: readonly string[];
}

/** Puts hooks around any tool function. */
export class ToolExecutionHooks {
  readonly #manager: HooksManager | undefined;
  readonly #options: ToolExecutionOptions;

  constructor(manager?: HooksManager | null, options: ToolExecutionOptions = {}) {
    this.#manager = manager ?? undefined;
    this.#options = options;
  }

  /**
   * Calls `fn` with the arguments that the hooks let through; throws `ToolDeniedError` where they do not. What `fn`
   * throws reaches the caller, and so does an abort, at once.
   */
  async wrapToolCall<Args, Result>(
    session: Session,
    toolName: string,
    args: Args,
    fn: (args: Args) => Promise<Result> | Result,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Result> {
    const manager = this.#manager;
    if (manager === undefined) return fn(args);
    const session_id = sessionIdOf(session);
    const call = { tool: toolNamed(toolName, 'wrapToolCall(session, "bash", args, fn)'), args, session_id };
    const before = sessionEvent(session, "tool:pre_execute", call, manager.root);
    const input = await this.#permitted<Args>(manager, before, args, signal);
    const after = (type: EventName, data: object) => this.#tell(manager, session, type, data, signal);
    const began = performance.now();
    const ended = (result: unknown, error: string | null) => {
      const duration_ms = performance.now() - began;
      return { tool: toolName, args: input, result, error, duration_ms, session_id };
    };
    let result: Result;
    try {
      result = await (signal === undefined ? fn(input) : endedBy(signal, fn(input)));
    } catch (error) {
      await after("tool:error", ended(null, errorText(error)));
      await after("session:error", errorData(error, { tool: toolName, session_id }));
      throw error;
    }
    await after("tool:post_execute", ended(result, null));
    return result;
  }

  /** The arguments that the hooks let through, memory hooks included. */
  async #permitted<Args>(
    manager: HooksManager,
    before: HookEvent,
    args: Args,
    signal: AbortSignal | undefined,
  ): Promise<Args> {
    const { executor } = manager;
    const canAsk = this.#options.onAsk !== undefined;
    const decision = await manager.govern(await executor.decide(before, { signal }), { canAsk });
    await this.#pass(decision, signal);
    const input = decision.input === undefined ? args : (decision.input as Args);
    const call = input === args ? before : before.withData({ ...before.data, args: input });
    if (wantsMemory(executor, call)) {
      const pass = (memory: Decision) => this.#pass(memory, signal);
      await passMemory(executor, call, { pass, signal, patterns: this.#options.memoryPatterns });
    }
    return input;
  }

  async #pass(decision: Decision, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const isRefused = decision.action === "ask" && !(await this.#options.onAsk?.(decision));
    if (decision.action === "deny" || isRefused) throw new ToolDeniedError(decision);
    signal?.throwIfAborted();
  }

  /** What happens after the fact never changes it; hooks hear of an abort too, and then have little time. */
  async #tell(
    manager: HooksManager,
    session: Session,
    type: EventName,
    data: object,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      const until = signal?.aborted ? AbortSignal.timeout(AFTER_ABORT_MS) : signal;
      await manager.emit(session, type, data, { signal: until });
    } catch (cause) {
      warn(PROBLEMS.notTold({ type, why: errorText(cause) }, { cause }));
    }
  }
}

/** Waits for a tool no longer than until the abort; what it still does is lost. */
async function endedBy<Result>(signal: AbortSignal, run: Promise<Result> | Result): Promise<Result> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    // The tool itself may have ended it before anybody listened.
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([run, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const AFTER_ABORT_MS = 2000;

const PROBLEMS = problems("host", {
  notTold: ({ type, why }: { type: EventName; why: string }) => ({
    what: `Hooks on ${type} could not be told: ${why}`,
    fix: "The tool's own result stands; look at what the program hands to its tools.",
  }),
});
