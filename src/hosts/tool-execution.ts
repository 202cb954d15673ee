import { approve, isYes } from "../decide/approve.ts";
import { ToolDeniedError } from "../decision/blocked.ts";
import type { Decision } from "../decision/decision.ts";
import type { EventName } from "../event/catalogue.ts";
import { errorText } from "../event/event.ts";
import { problems, warn } from "../problem/problem.ts";
import type { EmitOptions, HooksManager } from "./hooks-manager.ts";
import { type Session, sessionIdOf, toolNamed } from "./session.ts";

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
    const tool = toolNamed(toolName, 'wrapToolCall(session, "bash", args, fn)');
    const call = { tool, tool_args: args, args, session_id };
    const input = await this.#permitted<Args>(manager, session, call, signal);
    const after = (type: EventName, data: object, more: EmitOptions = {}) =>
      this.#tell(manager, session, type, data, { ...more, signal });
    const began = performance.now();
    const ended = (outcome: object) => {
      const duration_ms = performance.now() - began;
      return { tool, tool_args: input, args: input, ...outcome, duration_ms, session_id };
    };
    let result: Result;
    try {
      result = await (signal === undefined ? fn(input) : endedBy(signal, fn(input)));
    } catch (error) {
      // `session:error` follows from it.
      await after("tool:error", ended({ result: null, error: errorText(error) }), { failure: { thrown: error } });
      throw error;
    }
    await after("tool:post_execute", ended({ tool_result: result, result, error: null }));
    return result;
  }

  /** The arguments that the hooks let through, memory hooks included. */
  async #permitted<Args>(
    manager: HooksManager,
    session: Session,
    call: { readonly args: Args },
    signal: AbortSignal | undefined,
  ): Promise<Args> {
    const { onAsk, memoryPatterns } = this.#options;
    const options = { signal, memoryPatterns, canAsk: onAsk !== undefined };
    const decision = await manager.decide(session, "tool:pre_execute", call, options);
    signal?.throwIfAborted();
    const isApproved = decision.action === "ask" && isYes(await onAsk?.(decision));
    if (decision.action === "deny" || (decision.action === "ask" && !isApproved)) throw new ToolDeniedError(decision);
    signal?.throwIfAborted();
    if (isApproved) await approve(decision, manager.root);
    return decision.input === undefined ? call.args : (decision.input as Args);
  }

  /** What happens after the fact never changes it; hooks are told of an abort too, and then have little time. */
  async #tell(
    manager: HooksManager,
    session: Session,
    type: EventName,
    data: object,
    { signal, ...options }: EmitOptions,
  ): Promise<void> {
    try {
      const until = signal?.aborted ? AbortSignal.timeout(AFTER_ABORT_MS) : signal;
      await manager.emit(session, type, data, { ...options, signal: until });
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
    // The tool itself may have aborted the signal before the listener was added.
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
    what: `Hooks on ${type} could not be run: ${why}`,
    fix: "The tool's own result is unchanged; look at what the program passes to its tools.",
  }),
});
