import type { Conversation } from "./conversation.ts";
import type { Token } from "./token.ts";

/** Another way in, beside the engine's socket. */
export interface Door {
  /** Lets nobody in any more; resolves when whoever is inside has been answered. */
  close(): Promise<void>;
}

/** Opens a door of an engine that is about to answer. */
export type OpenDoor = (conversation: Conversation, token: Token) => Promise<Door>;
