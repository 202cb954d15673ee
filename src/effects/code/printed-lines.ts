import { wrappedLines } from "../output/text-tools.ts";
import { GAP } from "../parse/command.ts";

/** What code prints for each line of its input, with gaps for what comes from there; nothing where it says no text. */
export function printedByCode(args: readonly string[]): string | undefined {
  for (const code of args) {
    const edited = wrappedLines([code]);
    if (edited !== undefined) return edited(GAP);
    const [, what = ""] = PRINTS.exec(code) ?? [];
    if (!/["'`][^"'`]*[a-z]/.test(what)) continue;
    const pieces = what.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|,|[$\w.()[\]]+/g) ?? [];
    const texts = pieces.map((piece) => {
      if (piece === ",") return " ";
      return /^["'`]/.test(piece) ? piece.slice(1, -1).replaceAll(FILLED, GAP).replaceAll(/\\(.)/g, "$1") : GAP;
    });
    return `${texts.join("").replaceAll(/\uFFFC{2,}/g, GAP)}\n`;
  }
  return undefined;
}

const PRINTS =
  /\b(?:print\w?|puts|say|log|write)\b\s*\(?\s*f?((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[$\w\s,.+()[\]])+)/;
/** What is filled into a text: `$x`, `#{x}`, `{x}`, `%s`, and the end of its line. */
const FILLED = /[$#]?\{[^{}]*\}|[$@]\w+|%s|\\n/g;
