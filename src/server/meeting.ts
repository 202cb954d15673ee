import type { Server, Socket } from "node:net";
import type { Handshake } from "./handshake.ts";
import { pipeMeeting } from "./pipe-meeting.ts";
import type { Quarters } from "./quarters.ts";
import type { Way } from "./reach.ts";
import { socketMeeting } from "./socket-meeting.ts";
import type { System } from "./system.ts";

/** How an engine and its clients find each other on one kind of system. */
export interface Meeting {
  /** Begins to listen where clients look; nothing where an engine of ours has that place already. */
  readonly listen: (quarters: Quarters, hear: Hear) => Promise<Listening | undefined>;
  /** Where a client looks; nothing where no engine has begun. */
  readonly wayTo: (quarters: Quarters) => Way | undefined;
  /** Whether a client can be handed to another process, which then answers it. */
  readonly canHandOn: boolean;
}

/** Takes whoever connects, with the handshake that begins the conversation. */
type Hear = (socket: Socket, handshake: Handshake) => void;

/** An engine that listens. */
export interface Listening {
  readonly server: Server;
  readonly address: string;
  /** Whether clients still find this engine there. */
  readonly isFound: () => boolean;
  /** Takes away what leads to it. */
  readonly clear: () => void;
}

/** The way of this user's system. */
export function meetingAt({ system }: Pick<Quarters, "system">): Meeting {
  return MEETINGS[system.meets];
}

const MEETINGS: Readonly<Record<System["meets"], Meeting>> = { socket: socketMeeting, pipe: pipeMeeting };
