import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "labelled-rows-"));
afterAll(() => rmSync(folder, { recursive: true }));

function bench(lines: readonly string[], ...options: string[]) {
  const file = join(folder, "rows.jsonl");
  writeFileSync(file, lines.join("\n"));
  const args = [join(import.meta.dirname, "../../bench/guards/index.js"), file, "--rounds", "1", ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("bench/guards prints what was caught and what raised an alarm, by class, for Sluice and a peer", () => {
  const { status, stdout } = bench(
    [
      '{"command":"rm -rf /","class":"files","expect":"deny"}',
      '{"command":"ls","class":"files","expect":"deny"}',
      '{"command":"git status","class":"files","expect":"pass"}',
      '{"tool":"Read","args":{"file_path":"README.md"},"class":"tools","expect":"pass"}',
      '{"program":"x","tool":"mcp__pg__query","input":{"sql":"DROP TABLE users"},"class":"tools","expect":"ask"}',
    ],
    "--json",
  );
  expect(status).toBe(0);
  const [sluice, peer] = JSON.parse(stdout);
  expect(sluice.classes.files).toMatchObject({ dangerous: 2, caught: 1, everyday: 1, alarms: 0 });
  expect(sluice.classes.tools).toMatchObject({ dangerous: 1, caught: 1, everyday: 1, alarms: 0 });
  expect(sluice.missed).toMatchObject([{ class: "files", what: "passed", call: "ls" }]);
  expect(peer).toMatchObject({ label: "cc-safety-net", classes: { all: { dangerous: 3, caught: 1, alarms: 0 } } });
});

test.each([
  ['{"command":"ls"}', /rows\.jsonl:1 has no `expect`/],
  ['{"command":"ls","expect":"maybe"}', /rows\.jsonl:1 has `expect: maybe`\. Write one of deny/],
  ['{"expect":"deny"}', /rows\.jsonl:1 has neither/],
  ["{", /rows\.jsonl:1 is not JSON/],
])("bench/guards names the place of a row that it cannot use: %s", (line, message) => {
  const { status, stderr } = bench([line]);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});
