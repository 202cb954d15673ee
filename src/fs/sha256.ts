/**
 * The SHA-256 digest of a text in hexadecimal, as FIPS 180-4 computes it: for the few short texts of a call that is
 * answered before Node could have loaded node:crypto, which takes longer than all the rest of a denial.
 */
export function sha256(text: string): string {
  const message = padded(Buffer.from(text));
  const state = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let at = 0; at < message.length; at += 64) compress(state, words, message, at);
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** A one bit, zeros, and the length in bits, up to a multiple of 64 bytes. */
function padded(bytes: Buffer): Buffer {
  const message = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(message);
  message[bytes.length] = 0x80;
  message.writeBigUInt64BE(BigInt(bytes.length) * 8n, message.length - 8);
  return message;
}

/** Written without lists and destructuring: it runs but a few times, long before V8 would make fast code of it. */
function compress(state: Uint32Array, words: Uint32Array, message: Buffer, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = message.readUInt32BE(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] as number;
    const late = words[i - 2] as number;
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[i] = (words[i - 16] as number) + first + (words[i - 7] as number) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const one = (h + high + ((e & f) ^ (~e & g)) + (CONSTANTS[i] as number) + (words[i] as number)) >>> 0;
    const low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const other = (low + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) >>> 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) >>> 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] ?? 0) + word;
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The fractional parts of the square roots of the first eight primes. */
const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
/** The fractional parts of the cube roots of the first 64 primes. */
const CONSTANTS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
];
