import { visible } from "../problem/visible-text.ts";
import type { Io } from "./io.ts";

export { visible } from "../problem/visible-text.ts";

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
