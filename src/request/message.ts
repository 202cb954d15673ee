/** One message of a conversation, under the same keys whichever agent wrote it down. */
export interface Message {
  readonly type: "assistant" | "user" | "system";
  /** A text, or the blocks that the agent keeps it in. */
  readonly content: unknown;
  /** The tool that was called, or whose result this is. */
  readonly tool_name?: string;
  readonly tool_use_id?: string;
  /** The agent's own remark, said by neither the user nor the model. */
  readonly is_meta: boolean;
  /** Stands for what was said before the conversation was compacted. */
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
  /** Lines that are no JSON object. */
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

/** What was said in a session so far. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly session_id?: string;
  readonly metadata?: ConversationMetadata;
}

/** What one line of a transcript holds; most formats have lines that hold no message. */
export interface Spoken {
  readonly message?: Message;
  readonly sessionId?: string | undefined;
  /** The message is what came of a call, so the call says which tool it was. */
  readonly isResult?: boolean;
}
