import { deepCopy } from "../event/deep-copy.ts";
import { HookEvent } from "../event/event.ts";
import { isObject } from "../event/json.ts";
import { Problem } from "../problem/problem.ts";
import { type Completed, complete } from "./complete.ts";
import { readConversation } from "./conversation.ts";
import { type Conversation, getText, isToolOperation } from "./message.ts";
import { asPayload, payloadOf, type RequestPayload, textAt, valueAt } from "./payload.ts";
import type { PluginResult } from "./plugin-result.ts";
import { readStdin } from "./standard-streams.ts";

/** What is known of a request besides its payload. */
interface Made {
  readonly event?: HookEvent;
  readonly unreadable?: string;
}

/**
 * One hook event of an agent, as a plugin sees it: every field is there, whatever the agent left out or got wrong.
 * All of it is a copy: what a plugin writes to it reaches neither the agent nor another hook.
 */
export class HookRequest {
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly cwd: string;
  /** The agent's own name of the hook event, such as `PreToolUse`. */
  readonly hookEventName: string;
  readonly toolName: string | undefined;
  readonly toolInput: Readonly<Record<string, unknown>>;
  /** What the tool gave, in whatever shape the agent sends it. */
  readonly toolResponse: unknown;
  readonly prompt: string | undefined;
  readonly message: string | undefined;
  readonly reason: string | undefined;
  readonly source: string | undefined;
  readonly agent: string | undefined;
  /** All that the agent sent, for fields that do not have a name here. */
  readonly payload: RequestPayload;
  readonly #made: Made;
  #event: HookEvent | undefined;
  #conversation: Conversation | undefined;

  constructor(data: unknown, made: Made = {}) {
    const payload = deepCopy(asPayload(data));
    const input = valueAt(payload, "tool_input", "toolInput", "tool_args");
    this.payload = payload;
    this.#made = made;
    this.sessionId = textAt(payload, "session_id", "sessionId", "conversation_id") ?? "";
    this.transcriptPath = textAt(payload, "transcript_path", "transcriptPath") ?? "";
    this.cwd = textAt(payload, "cwd") ?? ".";
    this.hookEventName = textAt(payload, "hook_event_name", "hookEventName") ?? "";
    this.toolName = textAt(payload, "tool_name", "toolName");
    this.toolInput = isObject(input) ? input : {};
    this.toolResponse = valueAt(payload, "tool_response", "toolResponse", "tool_result", "tool_output");
    this.prompt = textAt(payload, "prompt", "user_prompt");
    this.message = textAt(payload, "message");
    this.reason = textAt(payload, "reason");
    this.source = textAt(payload, "source");
    this.agent = textAt(payload, "agent");
  }

  /** Reads the payload that an agent writes to a hook. One that cannot be read makes `complete` refuse. */
  static fromStdin(): HookRequest {
    try {
      return newRequest(readStdin());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return newRequest({}, { unreadable: error.message });
    }
  }

  /** The request that a plugin gets for an event: the agent's own payload, with what earlier hooks changed. */
  static fromEvent(event: HookEvent): HookRequest {
    return newRequest(payloadOf(event), { event });
  }

  /** The same fields by the agent's own names. */
  get session_id(): string {
    return this.sessionId;
  }
  get transcript_path(): string {
    return this.transcriptPath;
  }
  get hook_event_name(): string {
    return this.hookEventName;
  }
  get tool_name(): string | undefined {
    return this.toolName;
  }
  get tool_input(): Readonly<Record<string, unknown>> {
    return this.toolInput;
  }
  get tool_response(): unknown {
    return this.toolResponse;
  }

  /** What Sluice made of the hook event; absent where it was not asked. */
  get event(): HookEvent | undefined {
    const { event } = this.#made;
    this.#event ??= event && new HookEvent({ ...event, ...deepCopy({ data: event.data, raw: event.raw }) });
    return this.#event;
  }

  /** The messages so far, read from the agent's transcript at first use. */
  get conversation(): Conversation {
    this.#conversation ??= readConversation(this);
    return this.#conversation;
  }

  /** A field of the payload by the agent's own name. */
  get(name: string, fallback?: unknown): unknown {
    return valueAt(this.payload, name) ?? fallback;
  }

  /** The text of a message, in whatever form it is kept. */
  getText(message: unknown): string {
    return getText(message);
  }

  /** Whether a message is a call of a tool or the result of one. */
  isToolOperation(message: unknown): boolean {
    return isToolOperation(message);
  }

  /** The answer to the agent, and the exit code to end with: any block blocks, and every reason survives. */
  complete(results: readonly PluginResult[]): Completed {
    return complete(results, this, this.#made.unreadable);
  }
}

/** Outside of the class: the bundler renames a class that names itself, and a user who prints one reads that name. */
function newRequest(data: unknown, made?: Made): HookRequest {
  return new HookRequest(data, made);
}
