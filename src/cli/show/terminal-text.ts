import type { Problem } from "../../problem/problem.ts";
import { visible } from "../../problem/visible-text.ts";
import type { Io } from "../io.ts";

export { visible } from "../../problem/visible-text.ts";

/** Colours a text, where colours are wanted. */
export type Paint = Readonly<Record<Colour, (text: string) => string>>;

/** The few colours there are, by what they mean. */
const COLOURS = { good: 32, bad: 31, warn: 33, name: 36, dim: 2, strong: 1 } as const;
type Colour = keyof typeof COLOURS;

/** Colours for a terminal, and none where none are wanted. */
export function paintFor(io: Pick<Io, "hasColour">): Paint {
  const { hasColour } = io;
  const painted = Object.entries(COLOURS).map(([name, code]) => [
    name,
    (text: string) => (hasColour && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text),
  ]);
  return Object.fromEntries(painted) as Paint;
}

/** The same on one line of at most so many columns. */
export function oneLine(text: string, most: number): string {
  return cut(visible(text.trim().replaceAll(/\s+/g, " ")), most);
}

/**
 * Sets rows as columns: every column as wide as its widest cell, the last one as it comes. Where a line would be wider than
 * `width`, the widest columns are cut.
 */
export function columns(rows: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, textWidth(cell));
  }
  narrow(widths, width - GAP.length * (widths.length - 1));
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const most = widths[index] ?? 0;
        const fitting = cut(cell, most);
        return index === row.length - 1 ? fitting : fitting + " ".repeat(Math.max(0, most - textWidth(fitting)));
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** Takes from the widest columns until all of them fit, or none is wide. */
function narrow(widths: number[], most: number): void {
  for (let over = widths.reduce((sum, one) => sum + one, 0) - most; over > 0; over--) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) return;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}

const GAP = "  ";
const NARROWEST = 12;

/** A text of at most so many columns; a colour around all of it stays. */
function cut(text: string, most: number): string {
  if (text.length * 2 <= most || textWidth(text) <= most) return text;
  const [, before = "", inner = text.replaceAll(COLOUR, ""), after = ""] = PAINTED.exec(text) ?? [];
  let left = Math.max(1, most) - 1;
  let kept = "";
  for (const char of inner) {
    left -= columnsOf(char);
    if (left < 0) break;
    kept += char;
  }
  return `${before}${kept}…${after}`;
}

/** How many columns a text takes on a terminal, colours not counted. */
export function textWidth(text: string): number {
  const plain = text.replaceAll(COLOUR, "");
  if (ASCII.test(plain)) return plain.length;
  let sum = 0;
  for (const char of plain) sum += columnsOf(char);
  return sum;
}

/** Terminals give two columns to East Asian characters and emoji, and none to marks that are set over another character. */
function columnsOf(char: string): 0 | 1 | 2 {
  if (ASCII.test(char)) return 1;
  return /^\p{M}/u.test(char) ? 0 : WIDE().test(char) ? 2 : 1;
}

const ASCII = /^[\x20-\x7e]*$/;
const WIDE = () =>
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them.
const PAINTED = /^(\u001b\[\d+m)([^\u001b]*)(\u001b\[0m)$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them.
const COLOUR = /\u001b\[\d+m/g;

/** The number of problems of a configuration, in the same form everywhere: `1 problem, 2 warnings`. */
export function countsOf({ errors, warnings }: Counted): string {
  return `${plural(errors.length, "problem")}, ${plural(warnings.length, "warning")}`;
}

interface Counted {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The hint of a command that continues regardless. */
export function countsHint(counted: Counted): string {
  return `${countsOf(counted)} in the configuration; \`sluice check\` shows them.`;
}

/** `1 hook`, `2 hooks`. */
export function plural(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
