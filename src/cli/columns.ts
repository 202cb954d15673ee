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
