import { MAX_VALUES, SHORTEST_SCANNED, scanJson } from "../event/json-scan.ts";

/**
 * Whether an agent has written its whole payload: these pieces end like an object and are one. The last character is
 * looked at first: a large payload arrives in many pieces, and parsing all of them each time would be quadratic.
 */
export function isWholePayload(pieces: readonly Buffer[]): boolean {
  if (!endsLikeObject(pieces.at(-1))) return false;
  const text = Buffer.concat(pieces)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  if (text.length > SHORTEST_SCANNED) return scanJson(text, MAX_VALUES).isWhole;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A chunk of blanks does not change the result for the chunks before it. */
function endsLikeObject(piece: Buffer | undefined): boolean {
  let at = (piece?.length ?? 0) - 1;
  while (at >= 0 && (piece?.[at] ?? 0) <= BLANK) at--;
  return at < 0 || piece?.[at] === CLOSING;
}

const BLANK = 0x20;
const CLOSING = 0x7d;
