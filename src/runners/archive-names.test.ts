import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { archiveNames } from "./archive-names.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-archives-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ZIP =
  "UEsDBBQAAAAAAAAAIQBDvrfoAQAAAAEAAAASAAAALnNsdWljZS9ob29rcy55YW1sYVBLAwQUAAAAAAAAACEA+e++cQEAAAABAAAABAAAAGEudHNiUEsBAhQDFAAAAAAAAAAhAEO+t+gBAAAAAQAAABIAAAAAAAAAAAAAAIABAAAAAC5zbHVpY2UvaG9va3MueWFtbFBLAQIUAxQAAAAAAAAAIQD5775xAQAAAAEAAAAEAAAAAAAAAAAAAACAATEAAABhLnRzUEsFBgAAAAACAAIAcgAAAFQAAAAAAA==";

test("the names in a zip are read from its list", () => {
  writeFileSync(join(folder, "a.zip"), Buffer.from(ZIP, "base64"));
  expect(archiveNames(join(folder, "a.zip"))).toEqual([".sluice/hooks.yaml", "a.ts"]);
});

test("long names in a tar are read whole, packed or not", () => {
  const name = `${"long/".repeat(60)}x.ts`;
  mkdirSync(join(folder, "long/".repeat(60)), { recursive: true });
  writeFileSync(join(folder, name), "x");
  for (const [options, archive] of [
    ["cf", "a.tar"],
    ["czf", "a.tgz"],
  ] as const) {
    execFileSync("tar", [options, archive, "long"], { cwd: folder });
    expect(archiveNames(join(folder, archive))).toContain(name);
  }
});

test("of what is no archive, or not there, the names are not known", () => {
  writeFileSync(join(folder, "a.txt"), "text");
  expect(archiveNames(join(folder, "a.txt"))).toBeUndefined();
  expect(archiveNames(join(folder, "none.tar"))).toBeUndefined();
});
