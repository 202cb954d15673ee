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
