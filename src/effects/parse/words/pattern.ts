type Piece =
  | { readonly is: "sign"; readonly sign: string }
  | { readonly is: "one" }
  | { readonly is: "many" }
  | {
      readonly is: "class";
      readonly members: readonly (readonly [from: string, to: string])[];
      readonly isNot: boolean;
    };

/** Says whether a whole text fits. */
export type PatternTest = (text: string) => boolean;

/** A shell pattern as a test of whole texts; nothing when it uses what is not read here. */
export function patternTest(pattern: string): PatternTest | undefined {
  const pieces = piecesOf(pattern);
  return pieces && ((text) => fits(pieces, Array.from(text)));
}

/** A text as a pattern that means only itself. */
export function literalPattern(text: string): string {
  return /[*?[\]\\]/.test(text) ? text.replaceAll(/[*?[\]\\]/g, "\\$&") : text;
}

function piecesOf(pattern: string): Piece[] | undefined {
  if (/[?*+@!]\(/.test(pattern)) return undefined;
  const signs = Array.from(pattern);
  const pieces: Piece[] = [];
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at] ?? "";
    if (sign === "\\") {
      at++;
      pieces.push({ is: "sign", sign: signs[at] ?? "\\" });
    } else if (sign === "?") pieces.push({ is: "one" });
    else if (sign === "*") {
      if (pieces.at(-1)?.is !== "many") pieces.push({ is: "many" });
    } else if (sign === "[") {
      const end = classEnd(signs, at);
      if (end === undefined) pieces.push({ is: "sign", sign });
      else {
        const piece = classOf(signs.slice(at + 1, end));
        if (piece === undefined) return undefined;
        pieces.push(piece);
        at = end;
      }
    } else pieces.push({ is: "sign", sign });
  }
  return pieces;
}

function classEnd(signs: readonly string[], at: number): number | undefined {
  let end = at + 1;
  if (signs[end] === "!" || signs[end] === "^") end++;
  if (signs[end] === "]") end++;
  while (end < signs.length && signs[end] !== "]") end += signs[end] === "\\" ? 2 : 1;
  return end < signs.length ? end : undefined;
}

function classOf(signs: readonly string[]): Piece | undefined {
  if (signs.includes("[")) return undefined;
  const isNot = signs[0] === "!" || signs[0] === "^";
  const plain: string[] = [];
  const ranges = new Set<number>();
  for (let at = isNot ? 1 : 0; at < signs.length; at++) {
    if (signs[at] === "\\") plain.push(signs[++at] ?? "\\");
    else {
      if (signs[at] === "-") ranges.add(plain.length);
      plain.push(signs[at] ?? "");
    }
  }
  const members: [string, string][] = [];
  for (let at = 0; at < plain.length; at++) {
    const from = plain[at] ?? "";
    if (ranges.has(at + 1) && at + 2 < plain.length) {
      // Ranges of letters follow the language of the user.
      if (!/^[0-9]$/.test(from) && !(/^[a-z]$/.test(from) && /^[a-z]$/.test(plain[at + 2] ?? ""))) return undefined;
      members.push([from, plain[at + 2] ?? from]);
      at += 2;
    } else members.push([from, from]);
  }
  return { is: "class", members, isNot };
}

/** One place to come back to is enough: the last `*` can always take more. */
function fits(pieces: readonly Piece[], text: readonly string[]): boolean {
  let piece = 0;
  let at = 0;
  let back = -1;
  let backAt = 0;
  while (at < text.length) {
    const wanted = pieces[piece];
    if (wanted?.is === "many") {
      back = piece++;
      backAt = at;
    } else if (wanted !== undefined && fitsOne(wanted, text[at] ?? "")) {
      piece++;
      at++;
    } else if (back >= 0) {
      piece = back + 1;
      at = ++backAt;
    } else return false;
  }
  while (pieces[piece]?.is === "many") piece++;
  return piece === pieces.length;
}

function fitsOne(piece: Piece, sign: string): boolean {
  switch (piece.is) {
    case "one":
      return true;
    case "many":
      return false;
    case "sign":
      return piece.sign === sign;
    case "class":
      return piece.members.some(([from, to]) => sign >= from && sign <= to) !== piece.isNot;
  }
}
