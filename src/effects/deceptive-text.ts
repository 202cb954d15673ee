/** What in a text deceives its reader, each with its name: `U+202E (right-to-left override)`, `an address that looks like github.com`. */
export function deceptiveParts(text: string): readonly string[] {
  const isPlain = !OTHER_THAN_ASCII.test(text);
  if (isPlain && !(text.includes("@") && USER_IN_ADDRESS.test(text))) return NONE;
  const found = new Set<string>();
  if (!isPlain) for (const [letter] of text.matchAll(UNSEEN())) found.add(letterName(letter));
  if (!isPlain) {
    for (const [, host = ""] of text.matchAll(HOST))
      if (isMixed(host)) found.add(`letters of several scripts in ${host}`);
    for (const [word] of text.matchAll(MIXED_WORD())) found.add(`letters of several scripts in ${word}`);
    for (const [, word = ""] of text.matchAll(LOOKALIKE())) found.add(`a letter that looks like another in ${word}`);
  }
  for (const [, shown = ""] of text.matchAll(BEFORE_HOST()))
    found.add(`an address that looks like ${shown} and is not`);
  return [...found];
}

const NONE: readonly string[] = [];
const USER_IN_ADDRESS = /:\/\/[^/\s]*@/;
const OTHER_THAN_ASCII = /[^\0-\x7f]/;
/** Marks that turn the direction, take no room, or tag; a flag of a region is an emoji followed by tags. */
const UNSEEN = () =>
  /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060-\u2064\u00ad\u115f\u1160\u3164\uffa0]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,8})[\u{e0000}-\u{e007f}]|(?<=.)\ufeff/gu;
const HOST = /(?:[a-z][a-z0-9+.-]*:\/\/|@)([^\s/:@"'`]+)/giu;
const BEFORE_HOST = () =>
  /[a-z]+:\/\/(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|app|co|edu|gov|me))(?::[^/@\s]*)?@/gi;

/** Latin letters and Cyrillic or Armenian ones, or the Greek ones that look like Latin, side by side; made where it is used, because a class of all letters takes V8 long. */
const MIXED_WORD = () =>
  /(?=[\p{L}]*[A-Za-z])(?=[\p{L}]*[\u0400-\u052f\u0531-\u0587\u13a0-\u13ff\u039f\u03bf\u0391\u0395\u0399\u039a\u039c\u039d\u03a1\u03a4\u03a5\u03a7])[\p{L}]{2,}/gu;
/** A word of the command itself, not of a quoted text. */
const LOOKALIKE = () =>
  /(?:^|\s)((?:[\x21-\x7e]*[\u0131\u0251\u0261\u0269\u026a\u0274\u0280\u029f\u1d00-\u1d22\uff01-\uff5e\u2044\u2215\u29f8])+[\x21-\x7e\uff01-\uff5e]*)(?=\s|$)/gu;

/** Letters of the Latin script beside Cyrillic or Greek ones, in one name. */
function isMixed(host: string): boolean {
  return host
    .split(".")
    .some(
      (name) =>
        /[a-z]/i.test(name) &&
        /[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u13a0-\u13ff\uff00-\uffef\u0131\u0261\u0251\u2044\u2215]/.test(name),
    );
}

function letterName(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const name = NAMES.get(code) ?? (code >= 0xe0000 ? "tag character" : "letter that is not seen");
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")} (${name})`;
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0xad, "soft hyphen"],
  [0x200b, "zero width space"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "pop directional formatting"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "pop directional isolate"],
  [0xfeff, "byte order mark"],
]);
