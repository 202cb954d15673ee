import { GAP } from "../command.ts";
import { LIMITS } from "../limits.ts";
import type { Field, Value } from "../value.ts";
import { literalPattern } from "./pattern.ts";

/** Puts fields together from the pieces of a word, as the shell splits it. */
export interface FieldBuilder {
  /** Text between quotes, or an escaped sign: it stays as it is. */
  readonly quoted: (value: Value) => void;
  /** Unquoted text, as it is in the source: it is not split. */
  readonly plain: (text: string) => void;
  /** Signs that are matched against files. */
  readonly glob: (text: string) => void;
  /** What an expansion without quotes gives: split, and matched against files. */
  readonly split: (value: Value, ifs: Value | undefined) => void;
  /** What was added so far may be something else. */
  readonly unsure: () => void;
  /** The field ends here. */
  readonly end: () => void;
  /** The fields; an empty one only where something was quoted. */
  readonly fields: () => Field[];
}

/** A builder for the fields of one word, which reports it if there are too many and one is left out. */
export function fieldBuilder(leavesOut: () => void = () => {}): FieldBuilder {
  const done: Field[] = [];
  let text = "";
  let parts: { readonly text: string; readonly isLiteral: boolean }[] = [];
  let isSure = true;
  let isGlob = false;
  let isListed = false;
  let isThere = false;
  let listedFiles: { readonly pattern: string | undefined; readonly length: number } | undefined;
  const add = (more: string, isLiteral: boolean) => {
    if (text.length + more.length > LIMITS.value) isSure = false;
    else {
      text += more;
      parts.push({ text: more, isLiteral });
    }
    isThere ||= more !== "";
  };
  const end = () => {
    if (isThere && done.length >= LIMITS.fields) leavesOut();
    else if (isThere) {
      const isKnown = isSure && !isGlob && !text.includes(GAP);
      const listed = isListed ? { isListed } : undefined;
      const pattern = isGlob ? patternOf(parts) : undefined;
      const files = isListed ? (listedFiles?.length === text.length ? listedFiles.pattern : undefined) : pattern;
      const expanded = files === undefined ? undefined : { files };
      done.push(
        pattern === undefined ? { text, isKnown, isGlob } : { text, isKnown, isGlob, pattern, ...expanded, ...listed },
      );
    }
    text = "";
    parts = [];
    isSure = true;
    isGlob = isListed = isThere = false;
    listedFiles = undefined;
  };
  const addListed = (value: Value) => {
    // With text around it, the word is not the name of such a file.
    if (!isThere) listedFiles = { pattern: value.files, length: value.text.length };
    isThere = isGlob = isListed = true;
    isSure = false;
    add(value.text, false);
  };
  const addSplit = (piece: string, sure: boolean) => {
    if (/[*?[]/.test(piece)) isGlob = true;
    isSure &&= sure;
    add(piece, false);
  };
  return {
    quoted: (value) => {
      if (value.isPattern) return addListed(value);
      isThere = true;
      isSure &&= value.isSure;
      add(value.text, true);
      return undefined;
    },
    plain: (more) => add(more, true),
    glob: (more) => {
      isGlob = true;
      add(more, false);
    },
    split: (value, ifs) => {
      if (value.isPattern) return addListed(value);
      const isSplitSurely = ifs === undefined || ifs.isSure;
      if (!isSplitSurely && ifs.text.includes(GAP)) return addSplit(value.text, false);
      // Separators that may have been set part it as well as those that are always there.
      const signs = ifs === undefined ? " \t\n" : ifs.isSure ? ifs.text : ` \t\n${ifs.text}`;
      for (const [index, piece] of pieces(value.text, signs).entries()) {
        if (index > 0) end();
        if (piece === EMPTY) isThere = true;
        else addSplit(piece, value.isSure && isSplitSurely);
      }
      return undefined;
    },
    unsure: () => {
      isSure = false;
    },
    end,
    fields: () => {
      end();
      return done;
    },
  };
}

/** Only a word that is matched against files needs its pattern. */
function patternOf(parts: readonly { readonly text: string; readonly isLiteral: boolean }[]): string {
  return parts.map(({ text, isLiteral }) => (isLiteral ? literalPattern(text) : text)).join("");
}

/** Represents an empty field between two separators, which does not vanish. */
const EMPTY = "\0";

/** The first and the last piece belong to the text before and after the expansion. */
function pieces(text: string, ifs: string): string[] {
  if (ifs === "" || text === "") return [text];
  const blanks = ifs.replaceAll(/[^ \t\n]/g, "");
  const found: string[] = [];
  let piece = "";
  let at = 0;
  const skipBlanks = () => {
    const from = at;
    while (at < text.length && blanks.includes(text[at] ?? "")) at++;
    return at > from;
  };
  if (skipBlanks()) found.push("");
  while (at < text.length) {
    const sign = text[at] ?? "";
    if (!ifs.includes(sign)) {
      piece += sign;
      at++;
      continue;
    }
    skipBlanks();
    if (at < text.length && ifs.includes(text[at] ?? "")) {
      at++;
      skipBlanks();
      found.push(piece === "" ? EMPTY : piece);
    } else found.push(piece);
    piece = "";
  }
  found.push(piece);
  return found;
}
