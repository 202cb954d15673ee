/** The block before every member of a tar file, as POSIX (ustar) defines it. */
export interface TarHeader {
  readonly name: string;
  readonly size: number;
  readonly type: string;
  readonly isExecutable: boolean;
}

/** Everything in a tar comes in blocks of this many bytes. */
export const BLOCK = 512;

/** What a member is, by the sign in its header. */
export const MEMBER_TYPES = { file: "0", oldFile: "\0", folder: "5", pax: "x", paxForAll: "g" } as const;

/** The block for a member: no owner, no time, and no mode besides the executable bit. A name too long for it is refused. */
export function encodeHeader({ name, size, type, isExecutable }: TarHeader): Buffer | undefined {
  const parts = splitName(name);
  if (parts === undefined) return undefined;
  const block = Buffer.alloc(BLOCK);
  block.write(parts.base, FIELDS.name.at);
  block.write(parts.prefix, FIELDS.prefix.at);
  octal(block, FIELDS.mode, isExecutable ? 0o755 : 0o644);
  for (const field of [FIELDS.uid, FIELDS.gid, FIELDS.mtime]) octal(block, field, 0);
  octal(block, FIELDS.size, size);
  block.write(type, FIELDS.type.at);
  block.write("ustar\x0000", FIELDS.magic.at, "latin1");
  octal(block, { at: FIELDS.checksum.at, length: 7 }, checksumOf(block));
  block.write(" ", FIELDS.checksum.at + 7);
  return block;
}

/** A header that was read; one that cuts a long name in the middle of a letter has none. */
export type ReadHeader = Omit<TarHeader, "name"> & { readonly name: string | undefined };

/** Reads a block; undefined if its checksum or one of its numbers is wrong. */
export function decodeHeader(block: Buffer): ReadHeader | undefined {
  if (number(block, FIELDS.checksum) !== checksumOf(block)) return undefined;
  const [size, mode] = [number(block, FIELDS.size), number(block, FIELDS.mode)];
  const [base, prefix] = [text(block, FIELDS.name), isPosix(block) ? text(block, FIELDS.prefix) : ""];
  if (size === undefined || mode === undefined) return undefined;
  const name = base === undefined || prefix === undefined ? undefined : prefix === "" ? base : `${prefix}/${base}`;
  const type = block.toString("latin1", FIELDS.type.at, FIELDS.type.at + 1);
  return { name, size, type, isExecutable: (mode & 0o111) !== 0 };
}

interface Field {
  readonly at: number;
  readonly length: number;
}

const FIELDS = {
  name: { at: 0, length: 100 },
  mode: { at: 100, length: 8 },
  uid: { at: 108, length: 8 },
  gid: { at: 116, length: 8 },
  size: { at: 124, length: 12 },
  mtime: { at: 136, length: 12 },
  checksum: { at: 148, length: 8 },
  type: { at: 156, length: 1 },
  magic: { at: 257, length: 8 },
  prefix: { at: 345, length: 155 },
} as const satisfies Record<string, Field>;

/** The prefix means a folder only in the POSIX layout; GNU tar keeps other things in its place. */
function isPosix(block: Buffer): boolean {
  return block.toString("latin1", FIELDS.magic.at, FIELDS.magic.at + 6) === "ustar\0";
}

/** A long name is split into two fields at a slash. */
function splitName(name: string): { base: string; prefix: string } | undefined {
  if (Buffer.byteLength(name) <= FIELDS.name.length) return { base: name, prefix: "" };
  for (let slash = name.indexOf("/"); slash > 0; slash = name.indexOf("/", slash + 1)) {
    const [prefix, base] = [name.slice(0, slash), name.slice(slash + 1)];
    if (Buffer.byteLength(prefix) > FIELDS.prefix.length) return undefined;
    if (base !== "" && Buffer.byteLength(base) <= FIELDS.name.length) return { base, prefix };
  }
  return undefined;
}

/** The sum of all bytes, with blanks in place of the checksum itself. */
function checksumOf(block: Buffer): number {
  let sum = 0x20 * FIELDS.checksum.length;
  for (const [at, byte] of block.entries())
    if (at < FIELDS.checksum.at || at >= FIELDS.checksum.at + FIELDS.checksum.length) sum += byte;
  return sum;
}

function octal(block: Buffer, { at, length }: Field, value: number): void {
  block.write(value.toString(8).padStart(length - 1, "0"), at);
}

/** Octal digits only: the binary notation for sizes above 8 GiB is refused with everything else. */
function number(block: Buffer, { at, length }: Field): number | undefined {
  const [, digits] = /^ *([0-7]*)[\0 ]*$/.exec(block.toString("latin1", at, at + length)) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits || "0", 8);
}

function text(block: Buffer, { at, length }: Field): string | undefined {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return utf8(end === -1 ? field : field.subarray(0, end));
}

/** The text of bytes; nothing for what is not UTF-8. */
export function utf8(bytes: Buffer): string | undefined {
  const decoded = bytes.toString("utf8");
  return Buffer.from(decoded).equals(bytes) ? decoded : undefined;
}
