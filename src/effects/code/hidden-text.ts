import { decodeBase64, decodeHex } from "../output/decode.ts";

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

const DECODES = /base64|atob|decode|fromhex|hex|unpack|pack/i;

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
];
