import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "../fs/late-builtins.ts";

/**
 * The names in an archive of the kinds tar, gzipped tar and zip, as text or with one character for each byte; undefined where
 * it cannot be read or is too large.
 */
export function archiveNames(path: string, as: "utf8" | "latin1" = "utf8"): readonly string[] | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile() || found.size > MAX_BYTES) return undefined;
    const bytes = readFileSync(path);
    if (bytes.readUInt32LE(0) === ZIP_ENTRY) return namesInZip(bytes, as);
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const tar = isZipped ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
    return isTar(tar) ? namesInTar(tar, as) : undefined;
  } catch {
    return undefined;
  }
}

/** The head of the first entry has the sum of its own bytes, with blanks in place of the sum. */
function isTar(bytes: Buffer): boolean {
  if (bytes.length < BLOCK) return false;
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= SUM_AT && at < SUM_AT + 8 ? 0x20 : (bytes[at] ?? 0);
  return Number.parseInt(textIn(bytes, SUM_AT, 8).trim(), 8) === sum;
}

/** Blocks of 512 bytes: a header with name and size, then the content. A long name is stored as content before its header. */
function namesInTar(bytes: Buffer, as: BufferEncoding): string[] {
  const names: string[] = [];
  let long: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length && names.length < MAX_NAMES; ) {
    const head = bytes.subarray(at, at + BLOCK);
    const size = Number.parseInt(textIn(head, 124, 12).trim() || "0", 8);
    if (head[0] === 0 || !Number.isFinite(size)) break;
    const kind = textIn(head, 156, 1);
    const content = () => bytes.toString(as, at + BLOCK, at + BLOCK + size);
    if (kind === "L") long = content().replace(/\0.*$/s, "");
    else if (kind === "x") long = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content())?.[1];
    else {
      const folder = textIn(head, 257, 5) === "ustar" ? textIn(head, 345, 155, as) : "";
      const name = textIn(head, 0, 100, as);
      names.push(long ?? (folder === "" ? name : `${folder}/${name}`));
      long = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return names;
}

/** The list at the end of the archive, by the marks of its entries. */
function namesInZip(bytes: Buffer, as: BufferEncoding): string[] {
  const names: string[] = [];
  for (let at = bytes.indexOf(ZIP_LISTED); at >= 0 && names.length < MAX_NAMES; at = bytes.indexOf(ZIP_LISTED, at + 46))
    if (at + 46 <= bytes.length) names.push(bytes.toString(as, at + 46, at + 46 + bytes.readUInt16LE(at + 28)));
  return names;
}

function textIn(bytes: Buffer, at: number, length: number, as: BufferEncoding = "utf8"): string {
  return bytes.toString(as, at, at + length).replace(/\0.*$/s, "");
}

const BLOCK = 512;
const SUM_AT = 148;
const ZIP_ENTRY = 0x04034b50;
const ZIP_LISTED = Buffer.from("PK\x01\x02", "latin1");
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_NAMES = 20_000;
