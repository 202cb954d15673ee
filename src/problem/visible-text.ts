/** A text from outside, safe to show: nothing in it can move the cursor or hide the text beside it. */
export function visible(text: string): string {
  // V8 looks classes of characters up when it makes the expression: here, where the first text is shown.
  const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;
  return text.replace(hidden, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

/**
 * A text for an agent, which shows it in a terminal: what moves the cursor, colours or turns the direction of writing is
 * spelled out; everything else stays as it is, for the model that reads it.
 */
export function withoutControls(text: string): string {
  return text.replace(MOVING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Control characters but for tabs and line ends, and those that turn the direction; a class of Unicode would cost V8 a lookup at each start. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const MOVING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069](?<!\r(?=\n))/g;
