import { StringDecoder } from "node:string_decoder";

/** Collects what a process prints, up to a limit, and counts the rest. */
export class KeptOutput {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    const room = this.#limit - this.#kept;
    if (room <= 0) return;
    const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(part);
    this.#kept += part.length;
  }

  /** Decoded as a whole, so that no character is split; a character cut by the limit is dropped. */
  text(): string {
    const decoder = new StringDecoder("utf8");
    const text = decoder.write(Buffer.concat(this.#chunks));
    return this.dropped > 0 ? text : text + decoder.end();
  }

  get dropped(): number {
    return this.total - this.#kept;
  }
}
