/** How far a text can be parsed in time; its length, unless it opens more than any real line. */
export function readableEnd(text: string): number {
  if (text.length < MOST_OPENED) return text.length;
  let opened = 0;
  let brackets = 0;
  let documents = 0;
  let ticks = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_ROUND:
      case OPEN_CURLY:
        if (++opened > MOST_OPENED) return at;
        break;
      case CLOSE_ROUND:
      case CLOSE_CURLY:
        if (opened > 0) opened--;
        break;
      case TICK:
        if (++ticks > MOST_TICKS) return at;
        break;
      case OPEN_SQUARE:
        if (text.charCodeAt(at - 1) === DOLLAR && ++brackets > MOST_OPENED) return at - 1;
        break;
      case LESS:
        if (text.charCodeAt(at - 1) === LESS && ++documents > MOST_DOCUMENTS) return at - 1;
        break;
    }
  }
  return text.length;
}

/** Parsing takes longer with each substitution inside of another. */
const MOST_OPENED = 200;
/** Each document is looked for in all that follows. */
const MOST_DOCUMENTS = 1_000;
const MOST_TICKS = 4_000;
const OPEN_ROUND = 0x28;
const CLOSE_ROUND = 0x29;
const OPEN_CURLY = 0x7b;
const CLOSE_CURLY = 0x7d;
const OPEN_SQUARE = 0x5b;
const DOLLAR = 0x24;
const LESS = 0x3c;
const TICK = 0x60;
