import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sealedCopies } from "./sealed-copies.ts";

it("copies of approved files that were made more than a month ago are removed when others are made", () => {
  const at = realpathSync(mkdtempSync(join(tmpdir(), "sluice-sealed-")));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const [root, folder] = [join(at, "project"), join(at, "sealed")];
  mkdirSync(root);
  const seal = (text: string) => {
    const path = join(root, "hook.sh");
    writeFileSync(path, text);
    const sha256 = createHash("sha256").update(text).digest("hex");
    expect(
      sealedCopies({
        root,
        folder,
        isStill: () => true,
        files: [{ path, real: path, sha256, text, isExecutable: true }],
      }),
    ).toBeDefined();
    return readdirSync(folder);
  };
  const [first = ""] = seal("echo 1\n");
  expect(seal("echo 2\n")).toHaveLength(2);
  const longAgo = Date.now() / 1000 - 31 * 24 * 3600;
  utimesSync(join(folder, first), longAgo, longAgo);
  expect(seal("echo 3\n")).toHaveLength(2);
  expect(readdirSync(folder)).not.toContain(first);
});
