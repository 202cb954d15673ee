import type { Socket } from "node:net";
import { GoAhead } from "./go-ahead.ts";
import { type Handshake, Shaking } from "./handshake.ts";
import { type Answer, answerText, type Request } from "./protocol.ts";
import { RequestReader } from "./read-request.ts";

/** How one engine answers. */
export interface Conversation {
  /** Nothing when nobody is there any more to hear it; who goes away while hooks run ends them by the signal. */
  readonly answer: (
    request: Request,
    isThere: () => boolean,
    signal?: () => AbortSignal,
  ) => Promise<Answer | undefined>;
  /**
   * The same for a client on a socket, without whose consent nothing comes of its call but an answer; where hooks run,
   * whoever runs them takes the client and answers it.
   */
  readonly serve: (
    request: Request,
    client: Socket,
    isThere: () => boolean,
    consent: Consent,
  ) => Promise<Answer | "taken" | undefined>;
  readonly status: () => EngineStatus;
  readonly stop: () => void;
}

/** What a client has to say about its own call. */
export interface Consent {
  /** Says what was held back to be said together with the answer: whoever takes the client speaks next. */
  speak?(): void;
  /** Asks whether the call may be decided here for good; from then on the client waits. False when it is gone. */
  ask(): Promise<boolean>;
  /** Whether it has the answer, or has said before to go on. */
  readonly given: Promise<boolean>;
}

/** What a running engine says about itself. */
export interface EngineStatus {
  readonly pid: number;
  readonly calls: number;
  /** Bytes of memory. */
  readonly rss: number;
  readonly upSeconds: number;
  /** How many processes run hooks for it. */
  readonly hands: number;
}

/** Asks an engine about itself instead of about a call. */
export const STATUS_WORD = "--status";
/** Asks an engine to leave. */
export const STOP_WORD = "--stop";

/** Talks with one client: finds out whether it is one, reads the request and answers it. */
export function converse(socket: Socket, handshake: Handshake, conversation: Conversation): void {
  let shaking: Shaking | undefined = new Shaking(handshake);
  let isThere = true;
  let goAhead: GoAhead | undefined;
  let unsaid = "";
  const reader = new RequestReader();
  giveUpAfter(socket, GREETING_MS);
  const gone = () => {
    isThere = false;
    goAhead?.leave();
  };
  socket.on("error", () => {
    gone();
    socket.destroy();
  });
  socket.on("end", () => {
    gone();
    // No whole request will come any more; where one has come, its answer or its end closes the connection.
    if (!isAnswered) socket.destroy();
  });
  socket.on("close", () => {
    gone();
    DEADLINES.delete(socket);
  });
  socket.on("data", (piece: Buffer) => {
    if (goAhead !== undefined) return goAhead.hear(piece);
    if (shaking === undefined) return hear(piece);
    const shaken = shaking.hear(piece);
    if (shaken.state === "refused") return void socket.destroy();
    // Whoever sent all at once is answered at once: what takes no time is said together with the greeting.
    unsaid = shaken.say;
    if (shaken.state === "proven") {
      shaking = undefined;
      DEADLINES.delete(socket);
      if (shaken.rest.length > 0) hear(shaken.rest);
    }
    if (isAnswered && piece.length < SMALL) setImmediate(speak);
    else speak();
  });

  function speak(): void {
    if (unsaid !== "" && !socket.destroyed) socket.write(unsaid);
    unsaid = "";
  }

  let isAnswered = false;
  function hear(piece: Buffer): void {
    if (isAnswered) return;
    const reading = reader.add(piece);
    if (reading.state === "unfinished") return;
    isAnswered = true;
    if (reading.state === "refused") say({ kind: "cold", usesNetwork: true });
    else void respond(reading.request);
  }

  async function respond(request: Request): Promise<void> {
    const [word] = request.words.slice(-1);
    if (word === STATUS_WORD) return say(told(`${JSON.stringify(conversation.status())}\n`));
    if (word === STOP_WORD) {
      say(told(""));
      return conversation.stop();
    }
    goAhead = new GoAhead(socket);
    const answer = await conversation.serve(request, socket, () => isThere, consentOf(goAhead, speak));
    if (answer === "taken") return;
    if (answer !== undefined) say(answer);
    else socket.destroy();
  }

  function say(answer: Answer): void {
    const text = unsaid + answerText(answer);
    unsaid = "";
    socket.end(text);
    // A client that keeps its side open would keep a descriptor of the daemon.
    giveUpAfter(socket, CLOSING_MS);
  }
}

function consentOf(goAhead: GoAhead, speak: () => void): Consent {
  let asked: Promise<boolean> | undefined;
  return {
    speak,
    ask: () => {
      speak();
      asked ??= goAhead.ask("READY", DECIDED_SECONDS);
      return asked;
    },
    given: goAhead.said,
  };
}

/** One clock watches all connections that have to get somewhere: a timer for each would cost every call. */
function giveUpAfter(socket: Socket, ms: number): void {
  DEADLINES.set(socket, performance.now() + ms);
  watch ??= setInterval(closeOverdue, GREETING_MS / 5).unref();
}

function closeOverdue(): void {
  for (const [socket, deadline] of DEADLINES) if (performance.now() > deadline) socket.destroy();
  if (DEADLINES.size > 0) return;
  clearInterval(watch);
  watch = undefined;
}

/** The connections on which a greeting or the client's end is still to come, and when they are closed without it. */
const DEADLINES = new Map<Socket, number>();
let watch: NodeJS.Timeout | undefined;

function told(stdout: string): Answer {
  return { kind: "done", stdout, stderr: "", exitCode: 0 };
}

const GREETING_MS = 5000;
/** How long a client that has its answer may keep the connection: one that was stopped reads the answer later. */
const CLOSING_MS = 60_000;
/** Bytes of a request that is certainly decided long before a client gives up waiting for the greeting. */
const SMALL = 16 * 1024;
/** Before any agent loses patience at a gate. A decision takes milliseconds; who is stopped in its midst may come back. */
const DECIDED_SECONDS = 20;
