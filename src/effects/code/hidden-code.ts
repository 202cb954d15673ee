/** Whether code runs what it has decoded itself: `exec(b64decode(…))`, `text = atob(…); eval(text)`. */
export function runsDecoded(code: string): boolean {
  if (!DECODER.test(code)) return false;
  const names = [...code.matchAll(TAKES_DECODED)].slice(0, MOST).map(([, name = ""]) => name);
  for (const { index, 0: call } of [...code.matchAll(EVALUATOR)].slice(0, MOST)) {
    const given = code.slice(index + call.length, endOfCall(code, index + call.length));
    if (DECODER.test(given) || names.some((name) => new RegExp(`(?<![\\w.])${name}\\b`).test(given))) return true;
  }
  return false;
}

const MOST = 16;

/** Where what an evaluator is given ends: at the parenthesis that closes it, or with the statement. */
function endOfCall(code: string, from: number): number {
  let depth = 0;
  const last = Math.min(code.length, from + LONGEST_CALL);
  for (let at = from; at < last; at++) {
    const sign = code[at];
    if (sign === "(") depth++;
    else if (sign === ")" && --depth < 0) return at;
    else if ((sign === ";" || sign === "\n") && depth <= 0) return at;
  }
  return last;
}

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

const LONGEST_CALL = 4_000;

/** Functions that make plain text of an encoded, packed or encrypted one. */
const DECODER =
  /\b(?:\w*b64decode|a85decode|b32decode|b16decode|decodebytes|unhexlify|fromhex|decompress\w*|atob|unb64|decode64|base64_decode|decode_base64|hex2bin|gz(?:inflate|uncompress|decode)|convert_uudecode|str_rot13|unpack1?|inflate\w*|gunzip\w*|marshal\.loads|codecs\.decode|decrypt|fromCharCode|FromBase64String|base64decode|unescape)\b|\bpack\s*\(?\s*["'](?:H|u|m)|\bfrom\s*\([^()]{1,4000},\s*["'`](?:base64|base64url|hex|latin1)["'`]|(?:\bchr\s*\(\s*\d+\s*\)[\s.+]*){2}/;

/** Functions that run a text as code or as a command line, up to what they are given. */
const EVALUATOR =
  /(?<![\w.$])(?:eval|exec|assert|load|loadstring|instance_eval|class_eval|system|popen|passthru|shell_exec|execSync|spawnSync|create_function|Function|Invoke-Expression|iex)\s*[({]?|\b(?:os\.(?:system|popen|execute)|subprocess\.\w+|child_process['"]?\)?\.\w+|cp\.exec\w*|vm['"]?\)?\.\w+|runIn\w*Context|builtins\.\w+|Kernel\.\w+)\s*\(/g;

const TAKES_DECODED = new RegExp(
  String.raw`(?:^|[;\n{,]|\b(?:my|const|let|var|local))\s*\$?(\w{1,60})\s*:?=(?!=)[^;\n]{0,400}?(?:${DECODER.source})`,
  "g",
);
