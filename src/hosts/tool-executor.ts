import { isYes } from "../decide/approve.ts";
import { decideDerived } from "../decide/derived-events.ts";
import { HookBlockedError } from "../decision/blocked.ts";
import { type Decision, refused } from "../decision/decision.ts";
import { HookExecutor } from "../engine/executor.ts";
import { HookEvent } from "../event/event.ts";
import { problems } from "../problem/problem.ts";
import { fieldsOf, toolNamed } from "./session.ts";

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

/** What a tool executor works with; everything has a default. */
export interface ToolExecutorOptions {
  readonly executor?: HookExecutor;
  readonly permissions?: Permissions;
  /** Answers a hook's `ask`; without it, `ask` is a denial. */
  readonly onAsk?: (decision: Decision) => boolean | Promise<boolean>;
  /** Files that count as memory besides AGENTS.md and its like. */
  readonly memoryPatterns?: readonly string[];
}

/** Runs tools with their hooks around them: pre-hooks, permissions, the tool, then `tool:post_execute` or `tool:error`. */
export class ToolExecutor {
  readonly #executor: HookExecutor;
  readonly #permissions: Permissions | undefined;
  readonly #onAsk: ToolExecutorOptions["onAsk"];
  readonly #memoryPatterns: readonly string[] | undefined;

  constructor(options: ToolExecutorOptions = {}) {
    this.#executor = options.executor ?? new HookExecutor();
    this.#permissions = options.permissions;
    this.#onAsk = options.onAsk;
    this.#memoryPatterns = options.memoryPatterns;
  }

  /** Throws `HookBlockedError` where hooks or permissions forbid it; the tool's own error reaches the caller. */
  async execute<Params, Result>(
    tool: Tool<Params, Result>,
    params: Params,
    context: ToolContext = {},
  ): Promise<Result> {
    checkCall(tool, context);
    const extras = { sessionId: sessionOf(context), cwd: context.cwd, agent: context.agent };
    const { signal } = context;
    const before = HookEvent.toolPreExecute(tool.name, params, extras);
    const decision = await this.#executor.decide(before, { stopOnFailure: true, signal });
    await this.#pass(decision, signal);
    const request = { tool: tool.name, params: decision.input === undefined ? params : decision.input, context };
    const permitted = await this.#permit(before, request, decision.approved);
    const final = permitted as Params;
    await this.#passMemory(final === params ? before : before.withData({ ...before.data, tool_args: final }), signal);
    signal?.throwIfAborted();
    let result: Result;
    try {
      result = await tool.execute(final, context);
    } catch (error) {
      const failed = HookEvent.toolError(tool.name, final, error, extras);
      await this.#fire(failed, signal);
      // `session:error` follows from it, where a hook matches that.
      const unlessAborted = signal?.aborted ? undefined : signal;
      await decideDerived(failed, { executor: this.#executor, signal: unlessAborted, failure: { thrown: error } });
      throw error;
    }
    await this.#fire(HookEvent.toolPostExecute(tool.name, final, result, extras), signal);
    return result;
  }

  /** Continues only if the hooks allow it, and asks the user if they want that. */
  async #pass(decision: Decision, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (decision.action === "deny") throw new HookBlockedError(decision);
    if (decision.action === "ask" && !isYes(await this.#onAsk?.(decision))) throw new HookBlockedError(decision);
  }

  /** Hooks on `memory:update` look at what the tool is about to write into such files. */
  async #passMemory(call: HookEvent, signal: AbortSignal | undefined): Promise<void> {
    const context = { executor: this.#executor, signal, memoryPatterns: this.#memoryPatterns };
    for (const decision of await decideDerived(call, context)) await this.#pass(decision, signal);
  }

  /** Gives back the input that permission was given for. */
  async #permit(before: HookEvent, request: PermissionRequest, approved: boolean): Promise<unknown> {
    if (this.#permissions === undefined) return request.params;
    const { signal } = request.context;
    const level = await this.#level(request, approved);
    const checked = await this.#executor.decide(permissionEvent("permission:check", request, level), { signal });
    signal?.throwIfAborted();
    if (checked.action === "deny") return this.#refuse(request, level, checked);
    const isChanged = checked.input !== undefined;
    const final = isChanged ? { ...request, params: checked.input } : request;
    const again = isChanged ? await this.#level(final, await this.#passAgain(before, final)) : level;
    const permitted = stricter(level, again);
    const wanted = withHooks(permitted, checked);
    const ask = () => this.#ask(final, permitted === "allow" ? checked : undefined);
    if (wanted !== "allow" && !(wanted === "ask" && (await ask()))) {
      const reason = `permission denied for ${final.tool}`;
      const isHooks = wanted === "ask" && checked.action === "ask";
      return this.#refuse(final, wanted, isHooks ? checked : refused(checked, reason, "DESTRUCTIVE_BLOCKED"));
    }
    await this.#fire(permissionEvent("permission:granted", final, wanted), signal);
    return final.params;
  }

  /** What the permission system answers; a hook's approval answers what it would ask. Other answers do not permit it. */
  async #level(request: PermissionRequest, approved: boolean): Promise<PermissionAnswer> {
    const said = await this.#permissions?.check(request);
    if (said === "ask") return approved ? "allow" : "ask";
    return said === "allow" ? "allow" : "deny";
  }

  /** The pre-hooks passed another input than the present one: they look at it too. Returns whether they approve. */
  async #passAgain(before: HookEvent, { params, context: { signal } }: PermissionRequest): Promise<boolean> {
    const event = before.withData({ ...before.data, tool_args: params });
    const again = await this.#executor.decide(event, { stopOnFailure: true, signal });
    await this.#pass(again, signal);
    if (again.input === undefined) return again.approved;
    throw new HookBlockedError(refused(again, "the input did not settle after the permission check", "HOOK_ERROR"));
  }

  /** Asks the user; where only a hook wants it, the answer to a hook's `ask` is enough. */
  async #ask(request: PermissionRequest, hooksAsk: Decision | undefined): Promise<boolean> {
    const answer = hooksAsk && this.#onAsk && (() => this.#onAsk?.(hooksAsk));
    const prompt = this.#permissions?.prompt === undefined ? answer : () => this.#permissions?.prompt?.(request);
    if (prompt === undefined) return false;
    await this.#fire(permissionEvent("permission:prompt", request, "ask"), request.context.signal);
    return isYes(await prompt());
  }

  async #refuse(request: PermissionRequest, level: PermissionAnswer, decision: Decision): Promise<never> {
    await this.#fire(permissionEvent("permission:denied", request, level), request.context.signal);
    throw new HookBlockedError(decision);
  }

  /** What hooks say after the fact never undoes it; they are told of an abort too, so only a later one ends them. */
  async #fire(event: HookEvent, signal: AbortSignal | undefined): Promise<void> {
    await this.#executor.decide(event, { signal: signal?.aborted ? undefined : signal });
  }
}

/** Hosts are often written without types. */
function checkCall(tool: Tool, context: ToolContext): void {
  toolNamed(tool?.name, 'execute({ name: "bash", execute }, params, context)');
  if (typeof tool.execute !== "function") throw PROBLEMS.noExecute({ name: tool.name });
  fieldsOf(context, "The context of a tool call", '{ sessionId: "s1" }');
}

/** A hook on `permission:check` can want the user asked, or approve what would be asked; it never lifts a denial. */
function withHooks(level: PermissionAnswer, { action, approved }: Decision): PermissionAnswer {
  if (level === "deny") return "deny";
  if (action === "ask") return "ask";
  return approved ? "allow" : level;
}

function stricter(one: PermissionAnswer, other: PermissionAnswer): PermissionAnswer {
  return [one, other].find((level) => level === "deny") ?? [one, other].find((level) => level === "ask") ?? "allow";
}

function sessionOf({ sessionId, session_id }: ToolContext): string | undefined {
  return sessionId ?? (typeof session_id === "string" ? session_id : undefined);
}

type PermissionHookEvent = "permission:check" | "permission:prompt" | "permission:granted" | "permission:denied";

function permissionEvent(type: PermissionHookEvent, request: PermissionRequest, level: PermissionAnswer): HookEvent {
  const { cwd, agent } = request.context;
  const sessionId = sessionOf(request.context);
  const data = { tool_args: request.params, perm_level: level };
  return new HookEvent({ type, toolName: request.tool, data, sessionId, cwd, agent });
}

const PROBLEMS = problems("host", {
  noExecute: ({ name }: { name: string }) => ({
    what: `The tool "${name}" has no function \`execute\`, so there is nothing to run.`,
    fix: `Pass { name: "${name}", execute(params, context) { … } }.`,
  }),
});
