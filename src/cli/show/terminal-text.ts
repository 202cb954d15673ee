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
  const painted = Object.entries(COLOURS).map(([name, code]) => [
    name,
    (text: string) => (io.hasColour && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text),
  ]);
  return Object.fromEntries(painted) as Paint;
}

/** The same on one line of at most so many characters. */
export function oneLine(text: string, most: number): string {
  const line = visible(text.trim().replaceAll(/\s+/g, " "));
  return line.length > most ? `${line.slice(0, Math.max(1, most - 1))}…` : line;
}

/** Sets rows as columns: every column as wide as its widest cell, the last one as it comes. */
export function columns(rows: readonly (readonly string[])[], gap = "  "): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, shown(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell + " ".repeat((widths[index] ?? 0) - shown(cell))))
      .join(gap)
      .trimEnd(),
  );
}

/** How many columns a text takes on a terminal, colours not counted. */
function shown(text: string): number {
  return Array.from(text.replaceAll(COLOUR, "")).length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them.
const COLOUR = /\u001b\[\d+m/g;

/** How much is wrong with a configuration, in the same words everywhere: `1 problem, 2 warnings`. */
export function countsOf({ errors, warnings }: Counted): string {
  return `${plural(errors.length, "problem")}, ${plural(warnings.length, "warning")}`;
}

interface Counted {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The hint of a command that goes on regardless. */
export function countsHint(counted: Counted): string {
  return `${countsOf(counted)} in the configuration; \`sluice check\` shows them.`;
}

/** `1 hook`, `2 hooks`. */
export function plural(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
