/** Base64 as `base64 -d` reads it; nothing when it is none. */
export function decodeBase64(text: string): string | undefined {
  const packed = text.replaceAll(/[\s]/g, "");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) ? Buffer.from(packed, "base64").toString("utf8") : undefined;
}

/** Base32 as `base32 -d` reads it; nothing when it is none. */
export function decodeBase32(text: string): string | undefined {
  const packed = text.replaceAll(/\s|=/g, "");
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const sign of packed) {
    const value = ALPHABET.indexOf(sign);
    if (value < 0) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 255);
      held &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes).toString("utf8");
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Plain hexadecimal as `xxd -r -p` reads it. */
export function decodeHex(text: string): string | undefined {
  const digits = text.replaceAll(/\s/g, "");
  return /^[\da-fA-F]*$/.test(digits) ? Buffer.from(digits, "hex").toString("utf8") : undefined;
}

/** The code with encoded texts opened, where both the text and its decoding stand written there. */
export function withOpenText(code: string): string {
  if (!DECODES.test(code)) return code;
  let opened = code;
  for (const { call, decode } of HIDDEN)
    opened = opened.replaceAll(call, (whole, text: string) => {
      const plain = decode(text);
      return plain === undefined ? whole : JSON.stringify(plain);
    });
  return opened;
}

const DECODES = /base64|atob|decode|fromhex|hex|unpack|pack|chr|CharCode|CodePoint|join/i;

/** Short texts with commas between them. */
const TEXTS = String.raw`\s*(?:'[^'\\]*'|"[^"\\]*")(?:\s*,\s*(?:'[^'\\]*'|"[^"\\]*")){0,400}\s*`;

function joined(list: string): string {
  return [...list.matchAll(/'([^'\\]*)'|"([^"\\]*)"/g)].map(([, one, other]) => one ?? other).join("");
}

function fromNumbers(list: string): string | undefined {
  const numbers = list.split(",").map((number) => Number(number.trim()));
  return numbers.every((number) => Number.isInteger(number) && number < 0x110000)
    ? String.fromCodePoint(...numbers)
    : undefined;
}

const HIDDEN: readonly { readonly call: RegExp; readonly decode: (text: string) => string | undefined }[] = [
  {
    call: /(?:\b(?:\w+|__import__\(\s*['"]\w+['"]\s*\))\.)?(?:b64decode|urlsafe_b64decode|decodebytes)\(\s*b?['"]([\w+/=-]+)['"]\s*\)(?:\.decode\([^()]*\))?/g,
    decode: decodeBase64,
  },
  {
    call: /Buffer\.from\(\s*['"`]([\w+/=-]+)['"`]\s*,\s*['"]base64(?:url)?['"]\s*\)(?:\.toString\([^()]*\))?/g,
    decode: decodeBase64,
  },
  {
    call: /(?:\batob|Base64\.(?:strict_|urlsafe_)?decode64|base64_decode|decode_base64)\(?\s*['"`]([\w+/=-]+)['"`]\s*\)?/g,
    decode: decodeBase64,
  },
  { call: /(?:bytes|bytearray)\.fromhex\(\s*['"]([\da-fA-F\s]+)['"]\s*\)(?:\.decode\([^()]*\))?/g, decode: decodeHex },
  {
    call: /Buffer\.from\(\s*['"`]([\da-fA-F]+)['"`]\s*,\s*['"]hex['"]\s*\)(?:\.toString\([^()]*\))?/g,
    decode: decodeHex,
  },
  { call: /\bString\.from(?:CharCode|CodePoint)\(\s*([\d\s,]{1,2000})\)/g, decode: fromNumbers },
  { call: /(?<![\w.])chr\s*\(\s*(\d{1,6})\s*\)/g, decode: fromNumbers },
  { call: new RegExp(String.raw`\[(${TEXTS})\]\s*\.join\(\s*(?:''|""|\`\`)\s*\)`, "g"), decode: joined },
  { call: new RegExp(String.raw`(?:''|"")\s*\.join\(\s*[[(](${TEXTS})[\])]\s*\)`, "g"), decode: joined },
];
