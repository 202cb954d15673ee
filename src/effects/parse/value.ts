import { GAP, type Word } from "./command.ts";

/** A text as far as it is known; not sure when it may be another one in the end. */
export interface Value {
  readonly text: string;
  readonly isSure: boolean;
  /** It stands for one of the files that the text fits as a pattern, or for any of many where the text is unknown. */
  readonly isPattern?: boolean;
}

/** What the shell makes of one word: a word of a command, and its pattern when it is matched against files. */
export interface Field extends Word {
  /** As a glob in which quoted signs are escaped. */
  readonly pattern?: string;
  /** A variable in it stands for files that fit a pattern. */
  readonly isListed?: boolean;
}

/** A text that stands written there. */
export function textValue(text: string): Value {
  return { text, isSure: !text.includes(GAP) };
}

/** A text that is likely, but decided elsewhere. */
export function guess(text: string): Value {
  return { text, isSure: false };
}

/** What only the run will know. */
export const UNKNOWN: Value = { text: GAP, isSure: false };

/** One after the other of what only the run will know. */
export const MANY: Value = { text: GAP, isSure: false, isPattern: true };

/** A field that stands written there. */
export function fieldOf(text: string): Field {
  return { text, isKnown: !text.includes(GAP), isGlob: false };
}

/** The field with this value. */
export function fieldFrom({ text, isSure, isPattern = false }: Value): Field {
  return { text, isKnown: isSure && !text.includes(GAP), isGlob: isPattern };
}

/** The value of a word, as far as it is known. */
export function valueFrom({ text, isKnown, isGlob }: Word): Value {
  return isGlob ? { text, isSure: isKnown, isPattern: true } : { text, isSure: isKnown };
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The words of a line without their quotes, as `shellWord` writes them; nothing in them is expanded. */
export function unquotedWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\]|['"\\])+/gs) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, single, double, escaped) => single ?? double ?? escaped,
    ),
  );
}

/** What a line of the input means whose gaps stand for names of files: those files, with the text around them. */
export function namesOver(line: Field, listed: readonly Field[]): readonly Field[] {
  if (line.text === GAP) return listed;
  if (line.text.includes(GAP)) return listed.map(({ text }) => patternOf(line.text.replaceAll(GAP, text)));
  return [/[*?[]/.test(line.text) ? patternOf(line.text) : fieldOf(line.text)];
}

/** A word that stands for the files whose names fit it. */
export function patternOf(text: string): Field {
  return { text, isKnown: false, isGlob: true, pattern: text };
}
