/** Is this a text a plain reader may try: not too long, and without characters that editors and parsers disagree about? */
export function isOrdinary(text: string): boolean {
  if (text.length > LARGEST) return false;
  // A regular expression would have to be compiled first; that takes longer than a small file.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > LAST_ASCII || (code < SPACE && code !== TAB && code !== LF && code !== CR)) return !ODD().test(text);
  }
  return true;
}

/** The number in a text, if it is written in the one way that every notation reads alike. */
export function decimalOf(source: string): number | undefined {
  const value = Number(source);
  return Number.isFinite(value) && String(value) === source && !source.includes("e") ? value : undefined;
}

/** Longer texts are left to the libraries; no file of hooks is that long. */
const LARGEST = 1024 * 1024;
const [TAB, LF, CR, SPACE, LAST_ASCII] = [0x09, 0x0a, 0x0d, 0x20, 0x7e];
/** Control characters, blanks other than spaces, zero-width characters, and lone surrogates. */
const ODD = () =>
  /[^\t\n\r -~\u00a1-\u00ac\u00ae-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\ue000-\ufefe\uff00-\uffef\u{10000}-\u{10ffff}]/u;
