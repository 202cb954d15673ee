import { closeSync, openSync, readSync } from "node:fs";
import { expect, test } from "vitest";
import { isProgramFor } from "./program-header.ts";

test.each<[string, Buffer, string, string, boolean]>([
  ["the program that runs now", beginOf(process.execPath), process.platform, process.arch, true],
  ["a program for another processor", elf(62), "linux", "arm64", false],
  ["a program for this one", elf(183), "linux", "arm64", true],
  ["one whose numbers begin at the other end", elf(22, "big"), "linux", "s390x", true],
  ["a program of another system", macho(0x0100000c), "linux", "arm64", false],
  ["a program of that system", macho(0x0100000c), "darwin", "arm64", true],
  ["half a header", elf(183).subarray(0, 20), "linux", "arm64", false],
  ["nothing", Buffer.alloc(0), "linux", "x64", false],
  ["a script", Buffer.from(`#!/bin/sh\n${"exit 0\n".repeat(20)}`), "linux", "x64", false],
  ["anything on a system without a client", elf(62), "win32", "x64", false],
])("%s is told by how it begins", (_, bytes, platform, arch, is) => {
  expect(isProgramFor(bytes, platform, arch)).toBe(is);
});

function elf(machine: number, end: "little" | "big" = "little"): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write("\x7fELF", "latin1");
  bytes[5] = end === "big" ? 2 : 1;
  if (end === "big") bytes.writeUInt16BE(machine, 18);
  else bytes.writeUInt16LE(machine, 18);
  return bytes;
}

function macho(machine: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(machine, 4);
  return bytes;
}

function beginOf(path: string): Buffer {
  const [file, bytes] = [openSync(path, "r"), Buffer.alloc(64)];
  readSync(file, bytes);
  closeSync(file);
  return bytes;
}
