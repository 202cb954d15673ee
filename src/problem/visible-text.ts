/** A text from outside, safe to show: nothing in it can move the cursor or hide what stands beside it. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;
