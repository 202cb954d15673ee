import { GAP, type Word } from "./command.ts";

/** A text as far as it is known; not sure when it may be another one in the end. */
export interface Value {
  readonly text: string;
  readonly isSure: boolean;
  /** It represents one of the files that the text matches as a pattern, or any of many if the text is unknown. */
  readonly isPattern?: boolean;
  /** The pattern of the shell whose files it represents, one after the other. */
  readonly files?: string | undefined;
}

/** What the shell makes of one word: a word of a command, and its pattern when it is matched against files. */
export interface Field extends Word {
  /** As a glob in which quoted signs are escaped. */
  readonly pattern?: string;
  /** A variable in it represents files that fit a pattern. */
  readonly isListed?: boolean;
}

/** A literal text. */
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

/** A literal field. */
export function fieldOf(text: string): Field {
  return { text, isKnown: !text.includes(GAP), isGlob: false };
}

/** The field with this value. */
export function fieldFrom({ text, isSure, isPattern = false }: Value): Field {
  return { text, isKnown: isSure && !text.includes(GAP), isGlob: isPattern };
}

/** The value of a word, as far as it is known. */
export function valueFrom({ text, isKnown, isGlob, files }: Word): Value {
  if (!isGlob) return { text, isSure: isKnown };
  return { text, isSure: isKnown, isPattern: true, ...(files === undefined ? {} : { files }) };
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

/** The meaning of a line of the input whose gaps are names of files: those files, with the text around them. */
export function namesOver(line: Field, listed: readonly Field[]): readonly Field[] {
  if (line.text === GAP) return listed;
  if (line.text.includes(GAP)) return listed.map(({ text }) => patternOf(line.text.replaceAll(GAP, text)));
  return [/[*?[]/.test(line.text) ? patternOf(line.text) : fieldOf(line.text)];
}

/** A word that represents the files whose names match it. */
export function patternOf(text: string): Field {
  return { text, isKnown: false, isGlob: true, pattern: text };
}
