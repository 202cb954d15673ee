import { sha256 } from "../../fs/read-once.ts";

/** A stretch of lines of a file, counted from 1, both ends included; the hash survives moving the lines. */
export interface LineRange {
  readonly start_line: number;
  readonly end_line: number;
  readonly content_hash: string;
}

/** The lines of a text: CRLF reads as LF, and a final line break ends the last line instead of beginning another. */
export function linesOf(text: string): string[] {
  const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  const lines = plain.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The hash of lines, independent of their position. */
export function hashOfLines(lines: readonly string[]): string {
  return `sha256:${sha256(lines.join("\n"))}`;
}

/** What changed between two texts: ranges of the new one, and how many lines of the old one are gone. */
export function changedRanges(before: string, after: string): { ranges: LineRange[]; removed: number } {
  const [old, young] = [linesOf(before), linesOf(after)];
  const { added, removed } = compared(old, young);
  return { ranges: rangesOf(added, young), removed };
}

/** A whole text as one range; an empty text has none. */
export function wholeRange(text: string): LineRange[] {
  const lines = linesOf(text);
  return lines.length === 0 ? [] : [range(0, lines.length, lines)];
}

/** The lines of a part of a text; undefined if it does not occur or is blank. */
export function rangeOfPart(text: string, part: string): LineRange | undefined {
  const [whole, inner] = [text.replaceAll("\r\n", "\n"), part.replaceAll("\r\n", "\n")];
  const at = inner === "" ? -1 : whole.indexOf(inner);
  if (at === -1) return undefined;
  const begin = whole.slice(0, at).split("\n").length - 1;
  return range(begin, begin + linesOf(inner).length, linesOf(whole));
}

function rangesOf(added: readonly boolean[], lines: readonly string[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!added[at]) continue;
    const begin = at;
    while (at < lines.length && added[at]) at++;
    ranges.push(range(begin, at, lines));
  }
  return ranges;
}

function range(begin: number, end: number, lines: readonly string[]): LineRange {
  return { start_line: begin + 1, end_line: end, content_hash: hashOfLines(lines.slice(begin, end)) };
}

interface Compared {
  /** For every new line whether it is not one of the old. */
  readonly added: boolean[];
  readonly removed: number;
}

function compared(old: readonly string[], young: readonly string[]): Compared {
  let head = 0;
  while (head < old.length && head < young.length && old[head] === young[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, young.length) - head;
  while (tail < most && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail++;
  const kept = keptLines(old.slice(head, old.length - tail), young.slice(head, young.length - tail));
  const added = young.map((_, at) => at >= head && at < young.length - tail && !kept.has(at - head));
  return { added, removed: old.length - head - tail - kept.size };
}

/**
 * Which lines of the new text are lines of the old one, by the shortest way from one to the other. When that way is too
 * long to look for, everything between the first and the last difference is taken as new.
 */
function keptLines(old: readonly string[], young: readonly string[]): Set<number> {
  const kept = new Set<number>();
  if (old.length === 0 || young.length === 0) return kept;
  const most = Math.min(old.length + young.length, MAX_STEPS);
  const reached = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  const middle = most + 1;
  for (let steps = 0; steps <= most; steps++) {
    trail.push(reached.slice(middle - steps - 1, middle + steps + 2));
    for (let way = -steps; way <= steps; way += 2) {
      let x = isDown(reached, middle, way, steps) ? at(reached, middle + way + 1) : at(reached, middle + way - 1) + 1;
      while (x < old.length && x - way < young.length && old[x] === young[x - way]) x++;
      reached[middle + way] = x;
      if (x >= old.length && x - way >= young.length) return walkedBack(trail, old.length, young.length, kept);
    }
  }
  return kept;
}

function walkedBack(trail: readonly Int32Array[], width: number, height: number, kept: Set<number>): Set<number> {
  let [x, y] = [width, height];
  for (let steps = trail.length - 1; steps >= 0; steps--) {
    const reached = trail[steps] ?? new Int32Array();
    const middle = steps + 1;
    const way = x - y;
    const from = isDown(reached, middle, way, steps) ? way + 1 : way - 1;
    const [fromX, fromY] = steps === 0 ? [0, 0] : [at(reached, middle + from), at(reached, middle + from) - from];
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x--;
      y--;
      kept.add(y);
    }
    [x, y] = [fromX, fromY];
  }
  return kept;
}

function isDown(reached: Int32Array, middle: number, way: number, steps: number): boolean {
  return way === -steps || (way !== steps && at(reached, middle + way - 1) < at(reached, middle + way + 1));
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}

/** Texts that differ in more lines than this are not compared line by line. */
const MAX_STEPS = 1500;
