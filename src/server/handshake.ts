/** How one side finds out whether the other one is ours, before anything else is said. */
export interface Handshake {
  /** What this side says unasked. */
  readonly opening: string;
  /** What it answers to each line that it hears; nothing when the other side is a stranger. */
  readonly steps: readonly ((line: string) => string | undefined)[];
}

/** How far a handshake has come, and what is to be said now. */
export type Shaken =
  | { readonly state: "unfinished"; readonly say: string }
  | { readonly state: "refused" }
  /** What is left of what was heard belongs to the conversation. */
  | { readonly state: "proven"; readonly say: string; readonly rest: Buffer };

/** Follows one handshake through the pieces in which it comes. */
export class Shaking {
  readonly #steps: Handshake["steps"];
  #done = 0;
  #heard: Buffer = Buffer.alloc(0);

  constructor({ steps }: Pick<Handshake, "steps">) {
    this.#steps = steps;
  }

  hear(piece: Buffer): Shaken {
    this.#heard = this.#heard.length === 0 ? piece : Buffer.concat([this.#heard, piece]);
    let say = "";
    for (const step of this.#steps.slice(this.#done)) {
      const end = this.#heard.indexOf(NEWLINE);
      if (end === -1 && this.#heard.length < LONGEST_LINE) return { state: "unfinished", say };
      const answer = end === -1 ? undefined : step(this.#heard.toString("latin1", 0, end));
      if (answer === undefined) return { state: "refused" };
      this.#heard = this.#heard.subarray(end + 1);
      this.#done++;
      say += answer;
    }
    return { state: "proven", say, rest: this.#heard };
  }
}

const NEWLINE = 10;
const LONGEST_LINE = 256;
