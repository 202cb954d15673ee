/** Whether code takes more and more memory, or starts more and more programs, and never rests. */
export function usesUpMachine(code: string): boolean {
  if (FORKS.test(code) || HUGE_VALUE.test(code)) return true;
  return ENDLESS_LOOP.test(code) && GROWS.test(code) && !RESTS.test(code);
}

/** Texts and lists of billions. */
const HUGE_VALUE =
  /(?:["'\])]|\bbytes(?:\(\d*\))?)\s{0,9}\*\s{0,9}(?:\(?\s{0,9}(?:10|1024)\s{0,9}\*\*\s{0,9}(?:9|1\d|[4-9])\b|1e(?:9|1\d)\b|\d{10,})|\bbytearray\(\s{0,9}(?:10\s{0,9}\*\*\s{0,9}(?:9|1\d)|\d{10,})|\blist\(range\(\s{0,9}(?:10\s{0,9}\*\*\s{0,9}(?:9|1\d)|\d{10,})|\.repeat\(\s{0,9}(?:1e(?:9|1\d)|\d{10,})|["')]\s{0,9}x\s{0,9}(?:1e(?:9|1\d)|\d{10,})/;
const ENDLESS_LOOP =
  /\bwhile\s{0,9}\(?\s{0,9}(?:True|true|1|not False|!0)\s{0,9}\)?\s{0,9}[:{;\w]|\bfor\s{0,9}\(\s{0,9};\s{0,9};|\bloop\s{0,9}(?:do|\{)|\biter\(int,\s{0,9}1\)|\bitertools\.(?:count|repeat)\(|\buntil\s{1,9}false\b|\bwhile\s{1,9}1\b/;
const GROWS =
  /\.append\(|\.extend\(|\.push\(|\bpush\s{1,9}@|<<\s{0,9}["'\w]|\b(?:pcntl_)?fork\b|Popen\(|\bspawn\(|\bexec\(|Thread\(|\.concat\(|\w\s{0,9}(?:\+|\*|\.)=\s{0,9}|\ballocUnsafe?\(|\bmalloc\(|\.write\(|setInterval\(/;
const RESTS = /\b(?:sleep|setTimeout|break|return|wait|join|recv|accept|input|readline|exit|select|poll)\b/;

/** New processes without an end. */
const FORKS =
  /\bfork\b(?:\s{0,9}\(\s{0,9}\))?\s{0,9}(?:while|until)\b|\b(?:while|until|for|loop)\b\s{0,9}(?:\(?\s{0,9}(?:1|true|True|;;|0)\s{0,9}\)?)?\s{0,9}[:{]?\s{0,9}(?:do\s{1,9})?(?:\w{1,40}\.|__import__\([^()]{0,40}\)\.){0,4}(?:pcntl_)?(?:fork|Popen)\b|\bwhile\s{0,9}\(\s{0,9}(?:1|true)\s{0,9}\)[^;]{0,80}\b(?:spawn|fork)\(/;
