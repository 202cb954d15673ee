import { HookBlockedError } from "../decision/blocked.ts";
import type { Decision } from "../decision/decision.ts";
import { HookExecutor } from "../engine/executor.ts";
import { HookEvent } from "../event/event.ts";

/** A tool as this host calls it. */
export interface Tool<Params = unknown, Result = unknown> {
  readonly name: string;
  execute(params: Params, context: ToolContext): Promise<Result> | Result;
}

/** What a call carries besides its parameters; handed to the tool as it is. */
export interface ToolContext {
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly agent?: string;
  readonly signal?: AbortSignal;
  readonly [key: string]: unknown;
}

/** What a permission system is asked. */
export interface PermissionRequest {
  readonly tool: string;
  readonly params: unknown;
  readonly context: ToolContext;
}

/** The host's permission system. */
export interface Permissions {
  check(request: PermissionRequest): PermissionAnswer | Promise<PermissionAnswer>;
  /** Asks the user; without it, `ask` is a denial. */
  prompt?(request: PermissionRequest): boolean | Promise<boolean>;
}

type PermissionAnswer = "allow" | "deny" | "ask";

export interface ToolExecutorOptions {
  readonly executor?: HookExecutor;
  readonly permissions?: Permissions;
  /** Answers a hook's `ask`; without it, `ask` is a denial. */
  readonly onAsk?: (decision: Decision) => boolean | Promise<boolean>;
}

/** Runs tools with their hooks around them: pre-hooks, permissions, the tool, then `tool:post_execute` or `tool:error`. */
export class ToolExecutor {
  readonly #executor: HookExecutor;
  readonly #permissions: Permissions | undefined;
  readonly #onAsk: ToolExecutorOptions["onAsk"];

  constructor(options: ToolExecutorOptions = {}) {
    this.#executor = options.executor ?? new HookExecutor();
    this.#permissions = options.permissions;
    this.#onAsk = options.onAsk;
  }

  /** Throws `HookBlockedError` where hooks or permissions forbid it; the tool's own error reaches the caller. */
  async execute<Params, Result>(
    tool: Tool<Params, Result>,
    params: Params,
    context: ToolContext = {},
  ): Promise<Result> {
    const extras = { sessionId: context.sessionId, cwd: context.cwd, agent: context.agent };
    const { signal } = context;
    const before = HookEvent.toolPreExecute(tool.name, params, extras);
    const decision = await this.#executor.decide(before, { stopOnFailure: true, signal });
    await this.#pass(decision, signal);
    const passed = decision.input ?? params;
    const permitted = await this.#permit({ tool: tool.name, params: passed, context }, decision.approved);
    if (permitted.isChanged) await this.#passAgain(before, permitted.params, signal);
    const final = permitted.params as Params;
    signal?.throwIfAborted();
    let result: Result;
    try {
      result = await tool.execute(final, context);
    } catch (error) {
      await this.#fire(HookEvent.toolError(tool.name, final, error, extras), signal);
      throw error;
    }
    await this.#fire(HookEvent.toolPostExecute(tool.name, final, result, extras), signal);
    return result;
  }

  /** Goes on only where the hooks let it, asking where they want somebody asked. */
  async #pass(decision: Decision, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (decision.action === "deny") throw new HookBlockedError(decision);
    if (decision.action === "ask" && !(await this.#onAsk?.(decision))) throw new HookBlockedError(decision);
  }

  /** The pre-hooks approved another input than the one that permission was given for: they look at that one too. */
  async #passAgain(before: HookEvent, params: unknown, signal: AbortSignal | undefined): Promise<void> {
    const again = await this.#executor.decide(before.withData({ ...before.data, tool_args: params }), {
      stopOnFailure: true,
      signal,
    });
    await this.#pass(again, signal);
    if (again.input === undefined) return;
    throw new HookBlockedError({ ...again, action: "deny", reasons: ["the input did not settle after permission"] });
  }

  /** Gives back the input that permission was given for. */
  async #permit(request: PermissionRequest, approved: boolean): Promise<{ params: unknown; isChanged: boolean }> {
    if (this.#permissions === undefined) return { params: request.params, isChanged: false };
    const { signal } = request.context;
    const said = await this.#permissions.check(request);
    const level = said === "ask" && approved ? "allow" : said;
    const checked = await this.#executor.decide(permissionEvent("permission:check", request, level), { signal });
    signal?.throwIfAborted();
    const final = { ...request, params: checked.input ?? request.params };
    if (checked.action === "deny") return this.#refuse(final, level, checked);
    const wanted = checked.action === "ask" && level === "allow" ? "ask" : level;
    if (wanted === "deny" || (wanted === "ask" && !(await this.#ask(final)))) {
      return this.#refuse(final, wanted, {
        ...checked,
        action: "deny",
        reasons: [`permission denied for ${final.tool}`],
      });
    }
    await this.#fire(permissionEvent("permission:granted", final, wanted), signal);
    return { params: final.params, isChanged: checked.input !== undefined };
  }

  async #ask(request: PermissionRequest): Promise<boolean> {
    if (this.#permissions?.prompt === undefined) return false;
    await this.#fire(permissionEvent("permission:prompt", request, "ask"), request.context.signal);
    return this.#permissions.prompt(request);
  }

  async #refuse(request: PermissionRequest, level: PermissionAnswer, decision: Decision): Promise<never> {
    await this.#fire(permissionEvent("permission:denied", request, level), request.context.signal);
    throw new HookBlockedError(decision);
  }

  /** What hooks say after the fact never undoes it; they hear of an abort too, so only a later one ends them. */
  async #fire(event: HookEvent, signal: AbortSignal | undefined): Promise<void> {
    await this.#executor.decide(event, { signal: signal?.aborted ? undefined : signal });
  }
}

type PermissionMoment = "permission:check" | "permission:prompt" | "permission:granted" | "permission:denied";

function permissionEvent(type: PermissionMoment, request: PermissionRequest, level: PermissionAnswer): HookEvent {
  const { sessionId, cwd, agent } = request.context;
  const data = { tool_args: request.params, perm_level: level };
  return new HookEvent({ type, toolName: request.tool, data, sessionId, cwd, agent });
}
