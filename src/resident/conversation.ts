import type { Socket } from "node:net";
import { type Answer, answerBytes, GREETING_BYTES, greeting, type Request } from "./protocol.ts";
import { RequestReader } from "./read-request.ts";
import { isSame, type Token } from "./token.ts";

/** How one engine answers. */
export interface Conversation {
  /** Nothing when nobody is there any more to hear it; who goes away while hooks run ends them by the signal. */
  readonly answer: (request: Request, isThere: () => boolean, signal?: AbortSignal) => Promise<Answer | undefined>;
  /** The same for a client on a socket; where hooks run, whoever runs them takes the client and answers it. */
  readonly serve: (request: Request, client: Socket, isThere: () => boolean) => Promise<Answer | "taken" | undefined>;
  readonly status: () => EngineStatus;
  readonly stop: () => void;
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

/** Talks with one client: hears its secret, shows its own, reads the request and answers it. */
export function converse(socket: Socket, token: Token, conversation: Conversation): void {
  let greeted: Buffer | undefined = Buffer.alloc(0);
  let isThere = true;
  const reader = new RequestReader();
  const wanted = greeting(token.client);
  const impatience = setTimeout(() => socket.destroy(), GREETING_MS);
  const gone = () => {
    isThere = false;
    clearTimeout(impatience);
  };
  socket.on("error", () => socket.destroy());
  socket.on("end", gone);
  socket.on("close", gone);
  socket.on("data", (piece: Buffer) => {
    if (greeted === undefined) return hear(piece);
    greeted = Buffer.concat([greeted, piece]);
    if (greeted.length < GREETING_BYTES) return;
    const said = greeted.toString("latin1", 0, GREETING_BYTES);
    const rest = greeted.subarray(GREETING_BYTES);
    greeted = undefined;
    clearTimeout(impatience);
    if (!isSame(said, wanted)) return void socket.destroy();
    socket.write(greeting(token.engine));
    if (rest.length > 0) hear(rest);
  });

  let isAnswered = false;
  function hear(piece: Buffer): void {
    if (isAnswered) return;
    const reading = reader.add(piece);
    if (reading.state === "unfinished") return;
    isAnswered = true;
    if (reading.state === "refused") say({ kind: "cold", usesNetwork: true });
    // A turn of the loop comes first: it tells whether the client is still there.
    else setImmediate(() => void respond(reading.request));
  }

  async function respond(request: Request): Promise<void> {
    const [word] = request.words.slice(-1);
    if (word === STATUS_WORD) return say(told(`${JSON.stringify(conversation.status())}\n`));
    if (word === STOP_WORD) {
      say(told(""));
      return conversation.stop();
    }
    const answer = await conversation.serve(request, socket, () => isThere);
    if (answer === "taken") return;
    if (answer !== undefined) say(answer);
    else socket.destroy();
  }

  function say(answer: Answer): void {
    socket.end(answerBytes(answer));
  }
}

function told(stdout: string): Answer {
  return { kind: "done", stdout, stderr: "", exitCode: 0 };
}

const GREETING_MS = 5000;
