import type { Conversation } from "./conversation.ts";

/** Another way in, beside the engine's socket. */
export interface Door {
  /** Lets nobody in any more; resolves when whoever is inside has been answered. */
  close(): Promise<void>;
}

/** Opens a door of an engine that is about to answer. */
export type OpenDoor = (conversation: Conversation) => Promise<Door>;
