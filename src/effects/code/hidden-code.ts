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
