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

const NEWLINE = 10;
const MAX_LINE = 256;
