/**
 * Whether these bytes begin like a program for that system and processor. Checked before anything is started: a file that
 * the system does not know as a program may be run as a script.
 */
export function isProgramFor(bytes: Buffer, platform: string, arch: string): boolean {
  const format = FORMATS[platform];
  const machine = format?.machines[arch];
  if (format === undefined || machine === undefined || bytes.length < LONGEST_HEADER) return false;
  return bytes.subarray(0, 4).equals(format.begins) && format.machine(bytes) === machine;
}

interface Format {
  readonly begins: Buffer;
  readonly machine: (bytes: Buffer) => number;
  /** The processors that node knows, by the number that the format has for them. */
  readonly machines: Readonly<Record<string, number>>;
}

const FORMATS: Readonly<Record<string, Format>> = {
  linux: {
    begins: Buffer.from("\x7fELF", "latin1"),
    // Its sixth byte says which end of a number comes first.
    machine: (bytes) => (bytes[5] === 2 ? bytes.readUInt16BE(18) : bytes.readUInt16LE(18)),
    machines: { x64: 62, arm64: 183, arm: 40, ia32: 3, ppc64: 21, s390x: 22, riscv64: 243, loong64: 258 },
  },
  darwin: {
    begins: Buffer.from([0xcf, 0xfa, 0xed, 0xfe]),
    machine: (bytes) => bytes.readUInt32LE(4),
    machines: { x64: 0x01000007, arm64: 0x0100000c },
  },
};

const LONGEST_HEADER = 64;
