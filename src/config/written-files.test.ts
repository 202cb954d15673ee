import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Loaded } from "./load-layers.ts";
import { readWhenWritten } from "./written-files.ts";

test("a file that was finished while the reader was held up is read again, however long ago that was", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-written-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "hooks.yaml");
  writeFileSync(path, "half");
  const texts: string[] = [];
  const files = [{ path, layer: "project", state: "read" }];
  const read = () => {
    texts.push(readFileSync(path, "utf8"));
    if (texts.length === 1) {
      writeFileSync(path, "half and whole");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
    return { files, errors: [] } as unknown as Loaded;
  };
  readWhenWritten(read);
  expect(texts.at(-1)).toBe("half and whole");
});
