import { diffArrays } from "diff";
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

interface LineComparison {
  /** For every line of the new text whether it was added. */
  readonly added: boolean[];
  readonly removed: number;
}

/** Texts with too many differences count as new between the first and the last difference. */
function compared(old: readonly string[], young: readonly string[]): LineComparison {
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail++;
  const [oldMiddle, youngMiddle] = [old.slice(head, old.length - tail), young.slice(head, young.length - tail)];
  const parts = diffArrays(oldMiddle, youngMiddle, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, count: oldMiddle.length },
    { removed: false, added: true, count: youngMiddle.length },
  ];
  const added = parts.flatMap((part) => (part.removed ? [] : new Array<boolean>(part.count).fill(part.added)));
  return {
    added: [...new Array<boolean>(head).fill(false), ...added],
    removed: parts.reduce((sum, part) => sum + (part.removed ? part.count : 0), 0),
  };
}

/** Texts that differ in more lines than this are not compared line by line. */
const MAX_EDITS = 1000;
