/** Loops in the short form of zsh, as other shells write them; nothing for a text that has none. */
export function withoutZshLoops(text: string): string | undefined {
  if (!LOOP.test(text)) return undefined;
  const plain = text.replaceAll(QUALIFIERS, "$1");
  return plain
    .replaceAll(UNTIL_END, "for $1 in $2; do $3; done")
    .replaceAll(SHORT, (_, name, words, block, line) => `for ${name} in ${words}; do ${block ?? line}; done`);
}

const LOOP = /\bfor(?:each)?\s+\w+\s*\(/;
/** `*(.)` are the files among what fits. */
const QUALIFIERS = /([\w*?\]])\([-./@*NDoOnLmM\d^[\],+]{1,40}\)(?=[\s)]|$)/g;
/** `foreach f (a b); rm $f; end` */
const UNTIL_END = /\bforeach\s+(\w+)\s*\(([^()]{0,400})\)\s*;?([^;]{1,400}(?:;[^;]{1,400}){0,8}?)[;\n]\s*end\b/g;
/** `for f (a b) rm $f`, `for f (a b) { rm $f }` */
const SHORT = /\bfor(?:each)?\s+(\w+)\s*\(([^()]{0,400})\)\s*(?:\{([^{}]{0,2000})\}|([^;\n&{}]{1,2000}))/g;
