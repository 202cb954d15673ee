import type { Conversation } from "./conversation.ts";
import type { Listening } from "./meeting.ts";

/** Another way in, beside the engine's socket. */
export interface Door {
  /** Lets nobody in any more; resolves when whoever is inside has been answered. */
  close(): Promise<void>;
}

/** Opens a door of an engine that is about to answer; who comes in has to prove himself as on the engine's own address. */
export type OpenDoor = (conversation: Conversation, welcome: Listening["welcome"]) => Promise<Door>;
