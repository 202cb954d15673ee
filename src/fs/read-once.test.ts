import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readOnce, sha256, UNREAD } from "./read-once.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sluice-read-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("the hashed bytes are used even if the file changes later", () => {
  const path = join(folder(), "f");
  writeFileSync(path, "one");
  const read = readOnce();
  expect(read(path)).toMatchObject({ text: "one", sha256: sha256("one"), isExecutable: false });
  writeFileSync(path, "two");
  expect(read(path)?.text).toBe("one");
  expect(readOnce()(path)?.text).toBe("two");
});

it("a symlink is followed, and the result has the path of its target", () => {
  const at = folder();
  writeFileSync(join(at, "f"), "text");
  chmodSync(join(at, "f"), 0o755);
  symlinkSync("f", join(at, "link"));
  expect(readOnce()(join(at, "link"))).toMatchObject({ real: join(at, "f"), text: "text", isExecutable: true });
});

it("bytes that are not text are hashed and not shown; folders and missing files are undefined", () => {
  const at = folder();
  writeFileSync(join(at, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
  const read = readOnce();
  expect(read(join(at, "binary"))).toMatchObject({ sha256: sha256(Buffer.from([0xff, 0xfe, 0x00])), text: undefined });
  expect([read(at), read(join(at, "none")), read(join(at, "binary", "below"))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.skipIf(process.getuid?.() === 0)("an existing file that may not be read has no hash that could be approved", () => {
  const path = join(folder(), "closed");
  writeFileSync(path, "secret");
  chmodSync(path, 0);
  expect(readOnce()(path)).toMatchObject({ sha256: UNREAD, text: undefined });
});
