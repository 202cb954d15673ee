/** The comments of a source text, and its string literals that have a blank in them, in the order in which they are written. */
export function sentencesOfSource(text: string): string[] {
  return [...text.matchAll(PARTS)].flatMap(([whole, block, line, template, double, single]) => {
    if (block !== undefined) return [block.replaceAll(/\s*\n\s*\*?\s*/g, " ").trim()];
    if (line !== undefined) return [line.trim()];
    if (template !== undefined) return isSentence(template) ? [template.replaceAll(PLACEHOLDER, "${}")] : [];
    const quoted = double ?? single;
    return quoted !== undefined && isSentence(quoted) && !whole.startsWith("/") ? [quoted] : [];
  });
}

/** The paragraphs of a page, without blocks of code and what is written as code inside a line. */
export function sentencesOfPage(text: string): string[] {
  return text
    .replaceAll(/^```[\s\S]*?^```$/gm, "\n")
    .replaceAll(/`[^`\n]+`/g, "``")
    .split(/\n\s*\n|(?<=\|)\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "");
}

function isSentence(text: string): boolean {
  return /\w \w/.test(text);
}

/** A block comment, a line comment, a template, a string in double or single quotes; regular expressions are passed over. */
const PARTS =
  /\/\*\*?([\s\S]*?)\*\/|(?<=^|[\s;{}])\/\/(.*)|`((?:[^`\\]|\\[\s\S])*)`|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|(?<=[=(,:?&|!]\s*)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/gm;
const PLACEHOLDER = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;
