import type { Socket } from "node:net";
import { milliseconds } from "../event/clock.ts";
import { ConfirmationReader, type Handshake, HandshakeReader } from "./handshake.ts";
import { answerText, type DaemonAnswer, type Request } from "./protocol.ts";
import { isWholePayload } from "./whole-payload.ts";

/** How one daemon answers calls, whichever listener they come through. */
export interface CallHandler {
  /** Answers a call; undefined when its caller is gone. The signal, which is made where hooks run, ends them when the caller goes. */
  readonly answer: (
    request: Request,
    isThere: () => boolean,
    signal?: () => AbortSignal,
  ) => Promise<DaemonAnswer | undefined>;
  /**
   * Answers the call of a client on a socket: without its confirmation the call has no effect but an answer. Where hooks
   * run, the worker that runs them may take the socket and answer there.
   */
  readonly serve: (
    request: Request,
    client: Socket,
    isThere: () => boolean,
    consent: ClientConsent,
  ) => Promise<DaemonAnswer | "taken" | undefined>;
  readonly status: () => DaemonStatus;
  readonly stop: () => void;
}

/** Accepts calls beside the daemon's own transport, as the HTTP listener does. */
export interface Listener {
  /** Accepts no new calls; resolves when those that have begun are answered. */
  close(): Promise<void>;
}

/** Opens a listener of a daemon that is about to answer. */
export type OpenListener = (handler: CallHandler) => Promise<Listener>;

/** A call of which nothing was done, because its client has not confirmed yet. */
export interface Unconfirmed {
  readonly kind: "unconfirmed";
}

/** The only value of its type. */
export const UNCONFIRMED: Unconfirmed = { kind: "unconfirmed" };

/** What a client confirms about its own call. */
export interface ClientConsent {
  /** Writes what was held back to go out together with the answer, before a worker takes the socket. */
  flush?(): void;
  /** Asks whether the call may be decided here for good; from then on the client waits. False when it is gone. */
  ask(): Promise<boolean>;
  /** Whether the client has confirmed that it has the answer, or that the daemon may go on. */
  readonly given: Promise<boolean>;
  /** Runs an act if the client never confirms; left out where nothing may be done before it has. */
  unlessGiven?(act: () => void): void;
  /** Runs those acts now: the call is decided once more, or elsewhere. */
  takeBack?(): void;
}

/** The status of a running daemon. */
export interface DaemonStatus {
  readonly pid: number;
  readonly calls: number;
  /** Bytes of memory. */
  readonly rss: number;
  readonly upSeconds: number;
  /** How many workers run hooks for it. */
  readonly workers: number;
}

/** Asks a daemon about itself instead of about a call. */
export const STATUS_REQUEST = "--status";
/** Asks a daemon to stop. */
export const STOP_REQUEST = "--stop";

/** Serves one client: the handshake, the request, the answer. */
export function handleConnection(socket: Socket, handshake: Handshake, handler: CallHandler): void {
  let handshakeReader: HandshakeReader | undefined = new HandshakeReader(handshake);
  let isThere = true;
  let confirmation: ConfirmationReader | undefined;
  let heldBack = "";
  let isAnswered = false;
  const requestReader = new RequestReader();
  closeAfter(socket, GREETING_MS);
  const gone = () => {
    isThere = false;
    confirmation?.close();
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
    if (confirmation !== undefined) return confirmation.read(piece);
    if (handshakeReader === undefined) return read(piece);
    const step = handshakeReader.read(piece);
    if (step.state === "refused") return void socket.destroy();
    // A client that sent everything in one piece gets an answer that takes no time together with the greeting.
    heldBack = step.reply;
    if (step.state === "proven") {
      handshakeReader = undefined;
      DEADLINES.delete(socket);
      if (step.rest.length > 0) read(step.rest);
    }
    if (isAnswered && piece.length < SMALL_REQUEST) setImmediate(flush);
    else flush();
  });

  function flush(): void {
    if (heldBack !== "" && !socket.destroyed) socket.write(heldBack);
    heldBack = "";
  }

  function read(piece: Buffer): void {
    if (isAnswered) return;
    const reading = requestReader.add(piece);
    if (reading.state === "unfinished") return;
    isAnswered = true;
    if (reading.state === "refused") send({ kind: "cold", usesNetwork: true });
    else void respond(reading.request);
  }

  async function respond(request: Request): Promise<void> {
    const [word] = request.words.slice(-1);
    if (word === STATUS_REQUEST) return send(printed(`${JSON.stringify(handler.status())}\n`));
    if (word === STOP_REQUEST) {
      send(printed(""));
      return handler.stop();
    }
    confirmation = new ConfirmationReader(socket);
    const answer = await handler.serve(request, socket, () => isThere, consentOf(confirmation, flush));
    if (answer === "taken") return;
    if (answer !== undefined) send(answer);
    else socket.destroy();
  }

  function send(answer: DaemonAnswer): void {
    const text = heldBack + answerText(answer);
    heldBack = "";
    socket.end(text);
    // A client that keeps its side open would keep a descriptor of the daemon.
    closeAfter(socket, CLOSING_MS);
  }
}

function consentOf(confirmation: ConfirmationReader, flush: () => void): ClientConsent {
  let asked: Promise<boolean> | undefined;
  const acts: (() => void)[] = [];
  const takeBack = () => {
    for (const act of acts.splice(0)) act();
  };
  return {
    flush,
    ask: () => {
      flush();
      asked ??= confirmation.ask("READY", DECIDED_SECONDS);
      return asked;
    },
    given: confirmation.confirmed,
    unlessGiven: (act) => {
      if (acts.push(act) === 1) void confirmation.confirmed.then((isGiven) => isGiven || takeBack());
    },
    takeBack,
  };
}

/** One timer watches all connections that have to get somewhere: a timer for each would cost every call. */
function closeAfter(socket: Socket, ms: number): void {
  DEADLINES.set(socket, milliseconds() + ms);
  watch ??= setInterval(closeOverdue, GREETING_MS / 5).unref();
}

function closeOverdue(): void {
  for (const [socket, deadline] of DEADLINES) if (milliseconds() > deadline) socket.destroy();
  if (DEADLINES.size > 0) return;
  clearInterval(watch);
  watch = undefined;
}

/** The connections on which a greeting or the client's end is still to come, and when they are closed without it. */
const DEADLINES = new Map<Socket, number>();
let watch: NodeJS.Timeout | undefined;

function printed(stdout: string): DaemonAnswer {
  return { kind: "done", stdout, stderr: "", exitCode: 0 };
}

/** How much of a request has arrived. */
type RequestState =
  | { readonly state: "unfinished" }
  | { readonly state: "whole"; readonly request: Request }
  /** Too long, or not something that a client would send. */
  | { readonly state: "refused" };

/** Reads one request piece by piece. The payload is complete at its end, or as soon as it is whole JSON. */
export class RequestReader {
  #bytes: Buffer = Buffer.alloc(0);
  #head: Omit<Request, "payload"> | undefined;
  readonly #payload: Buffer[] = [];
  #length = 0;

  add(piece: Buffer): RequestState {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece]);
    if (this.#head === undefined) {
      const read = this.#readHead();
      if (read !== undefined) return { state: read };
    }
    return this.#readPayload();
  }

  #readHead(): "unfinished" | "refused" | undefined {
    const end = this.#bytes.indexOf(NEWLINE);
    if (end === -1) return this.#bytes.length > MAX_LINE ? "refused" : "unfinished";
    const numbers = HEAD.exec(this.#bytes.toString("latin1", 0, end));
    if (numbers === null) return "refused";
    const folder = end + 1 + Number(numbers[1]);
    const words = folder + Number(numbers[2]);
    const total = words + Number(numbers[3]);
    if (total > MAX_HEAD) return "refused";
    if (this.#bytes.length < total) return "unfinished";
    this.#head = {
      env: environmentIn(this.#bytes.subarray(end + 1, folder)),
      cwd: this.#bytes.toString("utf8", folder, words),
      words: this.#bytes.toString("utf8", words, total).split("\0"),
      umask: Number(numbers[4]),
      caller: numbers[5] === undefined ? undefined : Number(numbers[5]),
    };
    this.#bytes = this.#bytes.subarray(total);
    return undefined;
  }

  #readPayload(): RequestState {
    while (this.#bytes.length >= LENGTH_BYTES) {
      const length = this.#bytes.readUInt32BE(0);
      if (length === 0) return this.#whole();
      if (this.#length + length > MAX_PAYLOAD) return { state: "refused" };
      if (this.#bytes.length < LENGTH_BYTES + length) break;
      this.#payload.push(this.#bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
      this.#bytes = this.#bytes.subarray(LENGTH_BYTES + length);
      this.#length += length;
      // Not every agent closes the pipe; whole JSON ends the payload too.
      if (this.#bytes.length === 0 && isWholePayload(this.#payload)) return this.#whole();
    }
    return { state: "unfinished" };
  }

  #whole(): RequestState {
    if (this.#head === undefined) return { state: "refused" };
    return { state: "whole", request: { ...this.#head, payload: Buffer.concat(this.#payload).toString("utf8") } };
  }
}

/** The calls of a session come with the same environment: the same object shows that nothing has changed. */
function environmentIn(bytes: Buffer): Readonly<Record<string, string>> {
  if (last?.bytes.equals(bytes)) return last.env;
  last = { bytes: Buffer.from(bytes), env: parsedEnvironment(bytes.toString("utf8")) };
  return last.env;
}

let last: { readonly bytes: Buffer; readonly env: Readonly<Record<string, string>> } | undefined;

function parsedEnvironment(text: string): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const line of text.split("\0")) {
    const at = line.indexOf("=", 1);
    if (at > 0) env[line.slice(0, at)] = line.slice(at + 1);
  }
  return env;
}

/** The bytes of environment, folder and arguments, the umask, and the process that called the client. */
const HEAD = /^(\d{1,7}) (\d{1,5}) (\d{1,6}) (\d{1,3})(?: (\d{1,10}))?$/;
const NEWLINE = 10;
const LENGTH_BYTES = 4;
const MAX_LINE = 64;
const MAX_HEAD = 4 * 1024 * 1024;
/** A longer payload is decided cold: reading it costs more than starting a process. */
const MAX_PAYLOAD = 1024 * 1024;

const GREETING_MS = 5000;
/** How long a client that has its answer may keep the connection: one that was stopped reads the answer later. */
const CLOSING_MS = 60_000;
/** Bytes of a request that is certainly decided long before a client gives up waiting for the greeting. */
const SMALL_REQUEST = 16 * 1024;
/** Before any agent times out at a gate. A decision takes milliseconds; a daemon that is stopped in its midst may come back. */
const DECIDED_SECONDS = 20;
