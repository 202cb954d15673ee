import type { Socket } from "node:net";
import type { HttpReply } from "./http-reply.ts";
import { headLike, type PlainHead, plainHead } from "./plain-head.ts";

/** Whoever waits for an answer. */
export interface Caller {
  /** Whether the agent still waits. */
  readonly isThere: () => boolean;
  /** A signal that is aborted when the agent goes away. */
  readonly signal: () => AbortSignal;
}

/** Answers a call; nothing where it is none. */
export type AnswerPost = (payload: string, caller: Caller) => Promise<HttpReply | undefined>;

/** What becomes of the calls on a connection. */
export interface PlainHandling {
  /** How to answer a call with this head; nothing where it is refused. */
  readonly take: (head: PlainHead) => AnswerPost | undefined;
  /** Goes on with the connection, from these bytes on. */
  readonly handOver: (connection: PlainConnection, bytes: Buffer) => void;
  /** Whether it may be used again. */
  readonly isOpen: () => boolean;
  readonly onClose: (connection: PlainConnection) => void;
}

/** A connection on which one whole call comes after the other, as agents send them; with anything else it is handed over. */
export class PlainConnection implements Caller {
  readonly socket: Socket;
  readonly #handling: PlainHandling;
  #pieces: Buffer[] = [];
  #size = 0;
  #head: PlainHead | undefined;
  #last: PlainHead | undefined;
  #answer: AnswerPost | undefined;
  #isAnswering = false;
  #limit: NodeJS.Timeout | undefined;
  /** Few calls need a signal, and none is free. */
  #gone: AbortController | undefined;

  constructor(socket: Socket, handling: PlainHandling) {
    this.socket = socket;
    this.#handling = handling;
    this.#waitFor(FIRST_MS);
    socket.on("data", this.#hear).on("end", this.#go).on("error", this.#go).on("close", this.#close);
  }

  readonly isThere = (): boolean => !this.socket.destroyed;

  readonly signal = (): AbortSignal => {
    this.#gone ??= new AbortController();
    if (!this.isThere()) this.#gone.abort();
    return this.#gone.signal;
  };

  /** Whose call has begun gets an answer; nobody else is kept. */
  leave(): void {
    if (!this.#isAnswering && this.#head === undefined) this.socket.destroy();
  }

  readonly #hear = (piece: Buffer): void => {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#isAnswering) this.socket.pause();
    else this.#read(piece);
  };

  #read(piece: Buffer): void {
    this.#head ??= this.#headOf(piece);
    const missing = this.#head === undefined ? -1 : this.#head.size + this.#head.length - this.#size;
    if (this.#head === undefined || this.#answer === undefined || missing < 0) this.#handOver();
    else if (missing === 0) void this.#reply(this.#head, this.#answer);
    else if (this.#pieces.length === 1) this.#waitFor(WHOLE_MS);
  }

  /** What was found out about the last call holds for one whose head says the same. */
  #headOf(piece: Buffer): PlainHead | undefined {
    const same = this.#last && headLike(this.#last, piece);
    if (same !== undefined) return same;
    this.#last = plainHead(piece);
    this.#answer = this.#last && this.#handling.take(this.#last);
    return this.#last;
  }

  async #reply({ size }: PlainHead, answer: AnswerPost): Promise<void> {
    const bytes = this.#taken();
    this.#waitFor(undefined);
    this.#isAnswering = true;
    let reply: HttpReply | undefined;
    try {
      reply = await answer(bytes.toString("utf8", size), this);
    } catch {
      // An agent that blocks when its hook fails blocks now.
      return void this.socket.destroy();
    }
    this.#isAnswering = false;
    this.#gone = undefined;
    if (this.socket.destroyed) return;
    if (reply === undefined) this.#pieces.unshift(bytes);
    else if (this.#handling.isOpen()) this.socket.write(textOf(reply, "keep-alive"));
    else return this.#end(textOf(reply, "close"));
    if (this.#pieces.length > 0) this.#handOver();
  }

  /** All that was heard. */
  #taken(): Buffer {
    const [first = Buffer.alloc(0)] = this.#pieces;
    const bytes = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.#head = undefined;
    return bytes;
  }

  #handOver(): void {
    const { socket } = this;
    this.#waitFor(undefined);
    socket.off("data", this.#hear).off("end", this.#go).off("error", this.#go).off("close", this.#close);
    this.#handling.handOver(this, this.#taken());
  }

  readonly #go = (): void => {
    this.socket.destroy();
  };

  /** Says this last, and waits for nobody. */
  #end(text: string): void {
    this.socket.end(text, this.#go);
  }

  readonly #close = (): void => {
    this.#waitFor(undefined);
    this.#gone?.abort();
    this.#handling.onClose(this);
  };

  /** Who takes longer is shown out. */
  #waitFor(ms: number | undefined): void {
    if (this.#limit !== undefined) clearTimeout(this.#limit);
    this.#limit = ms === undefined ? undefined : setTimeout(() => this.#end(LATE), ms);
  }
}

function textOf({ status, body }: HttpReply, connection: "keep-alive" | "close"): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} ${REASONS[status]}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: ${connection}\r\n\r\n${body}`;
}

const REASONS: Readonly<Record<HttpReply["status"], string>> = { 200: "OK", 503: "Service Unavailable" };
const LATE = "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const FIRST_MS = 5000;
const WHOLE_MS = 20_000;
