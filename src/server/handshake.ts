import type { Socket } from "node:net";
import { CONFIRMED, type Question, questionLine } from "./protocol.ts";

/** How one side finds out whether the other one knows the secret, before anything else is sent. */
export interface Handshake {
  /** What this side sends first. */
  readonly opening: string;
  /** What it replies to each line that it receives; undefined when the line proves that the other side is not known. */
  readonly steps: readonly ((line: string) => string | undefined)[];
}

/** How far a handshake has come, and what is to be sent now. */
export type HandshakeState =
  | { readonly state: "unfinished"; readonly reply: string }
  | { readonly state: "refused" }
  /** The rest of what was received comes after the handshake. */
  | { readonly state: "proven"; readonly reply: string; readonly rest: Buffer };

/** Follows one handshake through the pieces in which it arrives. */
export class HandshakeReader {
  readonly #steps: Handshake["steps"];
  #done = 0;
  #received: Buffer = Buffer.alloc(0);

  constructor({ steps }: Pick<Handshake, "steps">) {
    this.#steps = steps;
  }

  read(piece: Buffer): HandshakeState {
    this.#received = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece]);
    let reply = "";
    for (const step of this.#steps.slice(this.#done)) {
      const end = this.#received.indexOf(NEWLINE);
      if (end === -1 && this.#received.length < MAX_LINE) return { state: "unfinished", reply };
      const answer = end === -1 ? undefined : step(this.#received.toString("latin1", 0, end));
      if (answer === undefined) return { state: "refused" };
      this.#received = this.#received.subarray(end + 1);
      this.#done++;
      reply += answer;
    }
    return { state: "proven", reply, rest: this.#received };
  }
}

/** Waits for what a client sends after its request: a confirmation, or the end of the connection. */
export class ConfirmationReader {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #isGone = false;
  #settle: (isConfirmed: boolean) => void = () => {};

  /** Whether the client has confirmed; it may be gone since. */
  readonly confirmed = new Promise<boolean>((resolve) => {
    this.#settle = resolve;
  });

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A reader that listens to the socket itself. */
  static listening(socket: Socket): ConfirmationReader {
    const reader = new ConfirmationReader(socket);
    socket.on("data", (piece: Buffer) => reader.read(piece));
    for (const end of ["end", "close", "error"]) socket.on(end, () => reader.close());
    return reader;
  }

  /** Called when the client is gone. */
  close(): void {
    this.#isGone = true;
    this.#settle(false);
  }

  /** Asks the client, which waits so many seconds after it has confirmed; false when the client is gone. */
  async ask(question: Question, seconds: number): Promise<boolean> {
    this.#socket.write(questionLine(question, seconds));
    if (!(await this.confirmed)) return false;
    // A whole turn of the event loop shows whether the client has gone in the meantime: the first of these ends the turn in which
    // the confirmation was read, and Node 24 reads the end of a connection no earlier than in the next one.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return !this.#isGone;
  }

  /** Takes what the client sends. What an agent wrote after its payload comes first, and is skipped. */
  read(piece: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece]);
    while (this.#bytes.length >= LENGTH_BYTES) {
      const length = this.#bytes.readUInt32BE(0);
      if (length === CONFIRMED) this.#settle(true);
      else if (length > MAX_LENGTH) this.#settle(false);
      if (length > MAX_LENGTH || this.#bytes.length < LENGTH_BYTES + length) return;
      this.#bytes = this.#bytes.subarray(LENGTH_BYTES + length);
    }
  }
}

const LENGTH_BYTES = 4;
const MAX_LENGTH = 1024 * 1024;

const NEWLINE = 10;
const MAX_LINE = 256;
