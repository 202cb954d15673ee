import type { Socket } from "node:net";
import { GO_ON, type Question, questionLine } from "./protocol.ts";

/** Waits for what a client says after its request: yes, or that it is gone. */
export class GoAhead {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #isGone = false;
  #settle: (isYes: boolean) => void = () => {};

  /** Whether the client has said yes; it may be gone since. */
  readonly said = new Promise<boolean>((resolve) => {
    this.#settle = resolve;
  });

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** The same for whoever does not listen himself. */
  static listening(socket: Socket): GoAhead {
    const goAhead = new GoAhead(socket);
    socket.on("data", (piece: Buffer) => goAhead.hear(piece));
    for (const end of ["end", "close", "error"]) socket.on(end, () => goAhead.leave());
    return goAhead;
  }

  /** Told when the client is gone. */
  leave(): void {
    this.#isGone = true;
    this.#settle(false);
  }

  /** Asks the client, who waits that long if it says yes; false when nobody is there any more. */
  async ask(question: Question, seconds: number): Promise<boolean> {
    this.#socket.write(questionLine(question, seconds));
    if (!(await this.said)) return false;
    // A turn of the loop comes first: it tells whether the client has gone in the meantime.
    await new Promise((resolve) => setImmediate(resolve));
    return !this.#isGone;
  }

  /** Told what the client says. What an agent wrote behind its payload comes first; it is of no interest. */
  hear(piece: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? piece : Buffer.concat([this.#bytes, piece]);
    while (this.#bytes.length >= LENGTH_BYTES) {
      const length = this.#bytes.readUInt32BE(0);
      if (length === GO_ON) this.#settle(true);
      else if (length > LARGEST) this.#settle(false);
      if (length > LARGEST || this.#bytes.length < LENGTH_BYTES + length) return;
      this.#bytes = this.#bytes.subarray(LENGTH_BYTES + length);
    }
  }
}

const LENGTH_BYTES = 4;
const LARGEST = 1024 * 1024;
