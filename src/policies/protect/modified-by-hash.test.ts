import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { isModified } from "./modified-by-hash.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-modified-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "a.txt");
const named = (content: string, kind: string) =>
  createHash(kind)
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest("hex");

it.each(["sha1", "sha256"])("a file is unmodified with either kind of line ends: %s", (kind) => {
  for (const content of ["a\nb\n", "a\r\nb\r\n", "a\r\nb\n"]) {
    writeFileSync(path, content);
    expect(isModified({ path, hash: named("a\nb\n", kind) })).toBe(false);
  }
  writeFileSync(path, "caf\u00e9\r\n");
  expect(isModified({ path, hash: named("caf\u00e9\n", kind) })).toBe(false);
  writeFileSync(path, "a\r\nb\r\n");
  expect(isModified({ path, hash: named("a\r\nb\r\n", kind) })).toBe(false);
});

it.each(["sha1", "sha256"])(
  "another content, another end of lines in git, and a file that is gone count as changed: %s",
  (kind) => {
    writeFileSync(path, "a\nc\n");
    expect(isModified({ path, hash: named("a\nb\n", kind) })).toBe(true);
    expect(isModified({ path, hash: named("a\r\nc\r\n", kind) })).toBe(true);
    writeFileSync(path, "a\rb\n");
    expect(isModified({ path, hash: named("ab\n", kind) })).toBe(true);
    expect(isModified({ path: join(folder, "gone"), hash: named("", kind) })).toBe(true);
  },
);
