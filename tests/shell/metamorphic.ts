import { type Next, pick, randomNumbers } from "./random.ts";
import { TEXT_CHANGES } from "./text-changes.ts";
import { WORD_CHANGES, type Words } from "./word-changes.ts";

/** A command that does what another one does, written otherwise. */
export interface Variant {
  readonly command: string;
  /** What was done to it, in order. */
  readonly changes: readonly string[];
}

/** Commands that still remove the folder `victim`, most of them; the same ones for the same seed. */
export function variants(seeds: readonly string[], count: number, seed: number): Variant[] {
  const next = randomNumbers(seed);
  return Array.from({ length: count }, () => variant(pick(next, next(3) === 0 ? seeds : PLAIN), next));
}

/** Commands that words can be told apart in by their blanks. */
const PLAIN = ["rm -rf victim", "rm -r victim", "rm -fr -- victim", "find victim -delete", "rm -r -f victim"];

function variant(start: string, next: Next): Variant {
  const changes: string[] = [];
  const most = 1 + next(4);
  let words: Words | undefined = PLAIN.includes(start) ? { before: "", words: start.split(" ") } : undefined;
  while (words !== undefined && changes.length < most && next(3) > 0) {
    const [name, change] = pick(next, Object.entries(WORD_CHANGES));
    const made = change(words, next);
    if (made === undefined) continue;
    changes.push(name);
    words = made;
  }
  let command = words === undefined ? start : words.before + words.words.join(" ");
  while (changes.length < most) {
    const [name, change] = pick(next, Object.entries(TEXT_CHANGES));
    changes.push(name);
    command = change(command, next);
  }
  return { command, changes };
}
