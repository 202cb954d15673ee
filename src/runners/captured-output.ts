import { StringDecoder } from "node:string_decoder";

/** Collects what a process prints, up to a limit, and counts the rest. */
export class CapturedOutput {
  readonly #limit: number;
  /** Grows by doubling: a process that prints byte by byte costs no more than one that prints it all at once. */
  #buffer: Buffer = NOTHING;
  #kept = 0;
  total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.total += chunk.length;
    const size = Math.min(chunk.length, this.#limit - this.#kept);
    if (size <= 0) return;
    this.#makeRoom(this.#kept + size);
    chunk.copy(this.#buffer, this.#kept, 0, size);
    this.#kept += size;
  }

  /** Decoded as a whole, so that no character is split; a character cut by the limit is dropped. */
  text(): string {
    if (this.#kept === 0) return "";
    const decoder = new StringDecoder("utf8");
    const text = decoder.write(this.#buffer.subarray(0, this.#kept));
    return this.dropped > 0 ? text : text + decoder.end();
  }

  get dropped(): number {
    return this.total - this.#kept;
  }

  #makeRoom(size: number): void {
    if (size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(size, this.#buffer.length * 2)));
    this.#buffer.copy(larger, 0, 0, this.#kept);
    this.#buffer = larger;
  }
}

const NOTHING = Buffer.alloc(0);
