/**
 * The SHA-256 digest of a text in hexadecimal (FIPS 180-4), for the few short texts of a call. Loading node:crypto takes
 * longer than the rest of a denial.
 */
export function sha256(text: string): string {
  const message = padded(Buffer.from(text));
  const state = new Uint32Array(INITIAL);
  const words = new Uint32Array(64);
  for (let at = 0; at < message.length; at += 16) compress(state, words, message, at);
  let digest = "";
  // The leading one keeps the zeros of a word.
  for (let i = 0; i < 8; i++) digest += (2 ** 32 + (state[i] as number)).toString(16).slice(1);
  return digest;
}

/** The text as words of four bytes, followed by a one bit, zeros, and its length in bits, up to a multiple of 16 words. */
function padded(bytes: Uint8Array): Uint32Array {
  const { length } = bytes;
  const message = new Uint32Array(((length + 72) >>> 6) << 4);
  for (let i = 0; i < length; i++)
    message[i >>> 2] = (message[i >>> 2] as number) | ((bytes[i] as number) << (24 - (i & 3) * 8));
  message[length >>> 2] = (message[length >>> 2] as number) | (0x80 << (24 - (length & 3) * 8));
  message[message.length - 2] = length / 2 ** 29;
  message[message.length - 1] = length << 3;
  return message;
}

/** Written without lists, destructuring and buffer methods, because it runs too seldom for V8 to optimize it. */
function compress(state: Uint32Array, words: Uint32Array, message: Uint32Array, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = message[at + i] as number;
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] as number;
    const late = words[i - 2] as number;
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[i] = (words[i - 16] as number) + first + (words[i - 7] as number) + second;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
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
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
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
