import { hashOfLines } from "./line-ranges.ts";
import { contentNumber } from "./outline.ts";

/** All stretches of lines around one line of a text, by their hash; each length is worked out once, up to a bound. */
export class LineWindows {
  readonly #lines: readonly string[];
  readonly #line: number;
  readonly #byLength = new Map<number, Windows>();
  readonly #own = new Map<string, string>();
  #left = MOST_HASHED_LINES;
  #leftOfOwn = MOST_HASHED_LINES;

  constructor(lines: readonly string[], line: number) {
    this.#lines = lines;
    this.#line = line;
  }

  /** Where the stretch of this length with this hash begins. */
  startOf(hash: string, length: number): number | undefined {
    return this.#windows(length).starts.get(hash);
  }

  /** Whether there may be one, by the number of the hash alone. */
  mayHold(content: number, length: number): boolean {
    return this.#windows(length).contents.has(content);
  }

  /** The hash of the lines from one to another, as they are now. */
  hashAt(start: number, end: number): string {
    const key = `${start}-${end}`;
    const known = this.#own.get(key);
    if (known !== undefined) return known;
    this.#leftOfOwn -= end - start + 1;
    const hash = this.#leftOfOwn < 0 ? "" : hashOfLines(this.#lines.slice(start - 1, end));
    this.#own.set(key, hash);
    return hash;
  }

  #windows(length: number): Windows {
    const known = this.#byLength.get(length) ?? this.#hashed(length);
    this.#byLength.set(length, known);
    return known;
  }

  #hashed(length: number): Windows {
    const starts = new Map<string, number>();
    const first = Math.max(1, this.#line - length + 1);
    const last = Math.min(this.#line, this.#lines.length - length + 1);
    for (let start = first; start <= last && this.#left > 0; start++) {
      this.#left -= length;
      starts.set(hashOfLines(this.#lines.slice(start - 1, start - 1 + length)), start);
    }
    return { starts, contents: new Set([...starts.keys()].map(contentNumber)) };
  }
}

interface Windows {
  readonly starts: ReadonlyMap<string, number>;
  readonly contents: ReadonlySet<number>;
}

const MOST_HASHED_LINES = 2_000_000;
