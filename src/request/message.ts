/** One message of a conversation, under the same keys whichever agent wrote it down. */
export interface Message {
  readonly type: "assistant" | "user" | "system";
  /** A text, or the blocks that the agent keeps it in. */
  readonly content: unknown;
  /** The tool that was called, or whose result this is. */
  readonly tool_name?: string;
  readonly tool_use_id?: string;
  /** The agent's own remark, from neither the user nor the model. */
  readonly is_meta: boolean;
  /** Takes the place of the conversation before it was compacted. */
  readonly is_compact_summary: boolean;
  /** Said by or to a sub-agent. */
  readonly is_sidechain: boolean;
  readonly uuid?: string;
  readonly parent_uuid?: string;
  readonly timestamp?: string;
  readonly session_id?: string;
  readonly model?: string;
}

/** How a transcript was read, what was left out and what could not be read. */
export interface ConversationMetadata {
  readonly path: string;
  readonly lines: number;
  /** Lines that are not a JSON object. */
  readonly broken_lines: number;
  /** Lines of more than 4 MiB, which are skipped. */
  readonly long_lines: number;
  /** Messages that lost what is beyond 100 000 characters of a text. */
  readonly shortened_messages: number;
  /** Of the messages that were read, the oldest, when they are more than can be kept. */
  readonly left_out_messages: number;
  /** How much of the file's beginning was not read: of a transcript over 24 MiB only the end is. */
  readonly skipped_bytes: number;
}

/** The messages of a session so far. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly session_id?: string;
  readonly metadata?: ConversationMetadata;
}

/** The content of one line of a transcript; most formats have lines without a message. */
export interface Spoken {
  readonly message?: Message;
  readonly sessionId?: string | undefined;
  /** The message is the result of a call, so the call names the tool. */
  readonly isResult?: boolean;
}

/** The text of a message in whatever form it is kept: a text, blocks, blocks as JSON, or a message inside. */
export function getText(message: unknown): string {
  return textOf(message, 0);
}

/** Whether a message is a call of a tool or the result of one. */
export function isToolOperation(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  const fields = message as Readonly<Record<string, unknown>>;
  if (SIGNS.some((sign) => fields[sign] !== undefined && fields[sign] !== null && fields[sign] !== "")) return true;
  if (fields.role === "tool" || (Array.isArray(fields.tool_calls) && fields.tool_calls.length > 0)) return true;
  if (TOOL_BLOCKS.test(String(fields.type ?? ""))) return true;
  const inner = typeof fields.message === "object" && fields.message !== null ? fields.message : fields;
  const blocks = blocksOf((inner as { readonly content?: unknown }).content);
  return blocks?.some((block) => TOOL_BLOCKS.test(String(Object(block).type ?? ""))) ?? false;
}

/** The newest message of the agent with text; else its newest message; undefined if there is none. */
export function getLatestAssistantMessage(from: Conversation | readonly Message[]): Message | undefined {
  const messages = "messages" in from ? from.messages : from;
  const own = messages.filter(({ type, is_sidechain: isAside }) => type === "assistant" && !isAside);
  return own.findLast((message) => getText(message).trim() !== "") ?? own.at(-1);
}

function textOf(value: unknown, depth: number): string {
  if (depth > DEEPEST) return "";
  if (typeof value === "string") return blocksOf(value) ? textOf(blocksOf(value), depth + 1) : value;
  if (Array.isArray(value))
    return value
      .map((block) => textOf(block, depth + 1))
      .filter((text) => text !== "")
      .join("\n");
  if (typeof value !== "object" || value === null) return "";
  const { type, text, content, message, output } = value as Readonly<Record<string, unknown>>;
  if (typeof type === "string" && SILENT_BLOCKS.has(type)) return "";
  const inner = [content, text, message, output].find((part) => part !== undefined && part !== null);
  return textOf(inner, depth + 1);
}

/** A list of blocks, also as JSON; `undefined` for everything else, so that a text in brackets stays a text. */
function blocksOf(content: unknown): readonly unknown[] | undefined {
  if (Array.isArray(content)) return content;
  if (typeof content !== "string" || !/^\s*\[\s*\{/.test(content)) return undefined;
  try {
    const blocks: unknown = JSON.parse(content);
    const areBlocks = Array.isArray(blocks) && blocks.every((block) => typeof Object(block).type === "string");
    return areBlocks ? blocks : undefined;
  } catch {
    return undefined;
  }
}

const SIGNS = ["tool_use_id", "toolUseID", "tool_call_id", "tool_name", "toolUseResult", "tool_result"] as const;
const TOOL_BLOCKS =
  /(?:^|_)tool_(?:use|result|call)|^(?:custom_tool|function|local_shell|web_search)_call|_tool_result$/;
const SILENT_BLOCKS: ReadonlySet<string> = new Set(["tool_use", "thinking", "redacted_thinking", "image", "document"]);
const DEEPEST = 8;
