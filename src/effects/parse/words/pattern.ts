type Piece =
  | { readonly is: "sign"; readonly sign: string }
  | { readonly is: "one" }
  | { readonly is: "many" }
  | {
      readonly is: "class";
      readonly members: readonly (readonly [from: string, to: string])[];
      readonly isNot: boolean;
      /** Letters of other alphabets that belong to it. */
      readonly letters: readonly RegExp[];
    };

/** Says whether a whole text fits. */
export type PatternTest = (text: string) => boolean;

/** A shell pattern as a test of whole texts; undefined if it uses syntax that is not supported here. */
export function patternTest(pattern: string): PatternTest | undefined {
  const pieces = piecesOf(pattern, false);
  return pieces && ((text) => fits(pieces, Array.from(text)));
}

/**
 * A pattern as bash compares it with the names of files, where ranges follow the order of ASCII; undefined if it uses what is
 * not read here. A dot at the beginning of a name is compared like any other character.
 */
export function nameTest(pattern: string): PatternTest | undefined {
  const pieces = piecesOf(pattern, true);
  return pieces && ((name) => fits(pieces, Array.from(name)));
}

/** Whether a part of a path is compared with names, and is not a name itself. */
export function hasWildcard(pattern: string): boolean {
  return piecesOf(pattern, true)?.every(({ is }) => is === "sign") !== true;
}

/** A text as a pattern that means only itself. */
export function literalPattern(text: string): string {
  return /[*?[\]\\]/.test(text) ? text.replaceAll(/[*?[\]\\]/g, "\\$&") : text;
}

function piecesOf(pattern: string, isName: boolean): Piece[] | undefined {
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
        const piece = classOf(signs.slice(at + 1, end), isName);
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
  while (end < signs.length && signs[end] !== "]") {
    const named = signs[end] === "[" && signs[end + 1] === ":" ? signs.indexOf("]", end + 1) : -1;
    if (named > 0 && signs[named - 1] === ":") end = named + 1;
    else end += signs[end] === "\\" ? 2 : 1;
  }
  return end < signs.length ? end : undefined;
}

function classOf(signs: readonly string[], isName: boolean): Piece | undefined {
  if (signs.includes("[") && !isName) return undefined;
  const isNot = signs[0] === "!" || signs[0] === "^";
  const plain: string[] = [];
  const members: [string, string][] = [];
  const letters: RegExp[] = [];
  const ranges = new Set<number>();
  for (let at = isNot ? 1 : 0; at < signs.length; at++) {
    const next = signs[at + 1] ?? "";
    if (signs[at] === "\\") plain.push(signs[++at] ?? "\\");
    else if (signs[at] === "[" && /[:.=]/.test(next)) {
      const end = signs.indexOf("]", at + 2);
      const name = signs.slice(at + 2, end - 1).join("");
      const known = next === ":" ? CLASSES[name] : undefined;
      if (known === undefined) return undefined;
      members.push(...known);
      const letter = LETTERS[name];
      if (letter !== undefined) letters.push(letter);
      at = end;
    } else {
      if (signs[at] === "-") ranges.add(plain.length);
      plain.push(signs[at] ?? "");
    }
  }
  for (let at = 0; at < plain.length; at++) {
    const from = plain[at] ?? "";
    if (ranges.has(at + 1) && at + 2 < plain.length) {
      const to = plain[at + 2] ?? "";
      // Ranges of letters follow the language of the user; in names of files bash takes the order of ASCII.
      if (isName ? !ASCII.test(from + to) : !/^[0-9]$/.test(from) && !/^[a-z]{2}$/.test(from + to)) return undefined;
      members.push([from, plain[at + 2] ?? from]);
      at += 2;
    } else members.push([from, from]);
  }
  return { is: "class", members, isNot, letters };
}

const ASCII = /^[ -~]+$/;

/** The named classes of characters, as far as they are the same in every language. */
const CLASSES: Readonly<Record<string, readonly [from: string, to: string][]>> = {
  alpha: [
    ["a", "z"],
    ["A", "Z"],
  ],
  lower: [["a", "z"]],
  upper: [["A", "Z"]],
  digit: [["0", "9"]],
  alnum: [
    ["a", "z"],
    ["A", "Z"],
    ["0", "9"],
  ],
  xdigit: [
    ["a", "f"],
    ["A", "F"],
    ["0", "9"],
  ],
};

/** Letters of every alphabet, as bash takes them in a UTF-8 locale. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  alpha: /^\p{Alphabetic}$/u,
  alnum: /^[\p{Alphabetic}\p{Nd}]$/u,
  lower: /^\p{Lowercase}$/u,
  upper: /^\p{Uppercase}$/u,
};

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
      return (
        (piece.members.some(([from, to]) => sign >= from && sign <= to) ||
          piece.letters.some((one) => one.test(sign))) !== piece.isNot
      );
  }
}
