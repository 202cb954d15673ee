/** What stands beside a gap between two characters, as far as an assertion can see it. */
export const KIND = { edge: 0, newline: 1, word: 2, other: 3 } as const;

/** Which kind a character is of. */
export function kindOf(code: number): number {
  if (code === 10) return KIND.newline;
  const isWord = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
  return isWord ? KIND.word : KIND.other;
}

/** What holds in the gap between two kinds, in the bits in which re2js asks for it. */
export function factsBetween(before: number, after: number): number {
  const isBoundary = (before === KIND.word) !== (after === KIND.word);
  return (
    (before <= KIND.newline ? FACT.lineBegins : 0) |
    (after <= KIND.newline ? FACT.lineEnds : 0) |
    (before === KIND.edge ? FACT.textBegins : 0) |
    (after === KIND.edge ? FACT.textEnds : 0) |
    (isBoundary ? FACT.boundary : FACT.noBoundary)
  );
}

const FACT = { lineBegins: 1, lineEnds: 2, textBegins: 4, textEnds: 8, boundary: 16, noBoundary: 32 } as const;
