import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { provenBy } from "../../src/adapters/adapter.ts";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { project } from "../cli/sluice.ts";
import { recordProof, withProof } from "../e2e/proven.mjs";

const ROWS = ["deny stops the shell", "modify reaches the tool"];
const OK = { "deny stops the shell": { wrong: [] }, "modify reaches the tool": { skipped: "it takes no other input" } };
const WHEN = { rows: ROWS, date: "2026-01-02" };
const SOURCE = 'export const some = {\n  id: "some",\n  version: "1.0.0",\n  program: "some",\n};\n';

test("a whole run without a failure writes the version and the day into the agent's own row", () => {
  const { folder, record } = adapterFolder();
  expect(record(OK, "1.2.3")).toBe("some: proven with version 1.2.3 on 2026-01-02");
  expect(folder()).toContain('  version: "1.0.0",\n  proven: { version: "1.2.3", date: "2026-01-02" },\n  program');
  record(OK, "1.2.4");
  expect(folder().match(/proven:/g)).toHaveLength(1);
  expect(folder()).toContain('proven: { version: "1.2.4"');
});

test.each([
  ["a cell failed", { ...OK, "deny stops the shell": { wrong: ["the tool ran"] } }, "1 of 2 cells failed"],
  ["a cell was not run", { "deny stops the shell": { wrong: [] } }, "only 1 of 2 cells were run"],
  [
    "the agent could not be installed",
    Object.fromEntries(ROWS.map((row) => [row, { skipped: "npm: 404", missing: "npm: 404" }])),
    "npm: 404",
  ],
])("no proof is written when %s", (_, cells, why) => {
  const { folder, record } = adapterFolder();
  expect(record(cells, "1.2.3")).toBe(`some: not proven: ${why}`);
  expect(folder()).toBe(SOURCE);
});

test("a source without a version is an error, not a lost proof", () => {
  expect(() => withProof("export const some = {};", "1.2.3", "2026-01-02")).toThrow("has no line");
});

test("an agent without a real run is from documentation, and every date is a day that has been", () => {
  expect(provenBy({})).toBe("from documentation");
  expect(provenBy({ proven: { version: "1.2.3", date: "2026-01-02" } })).toBe("version 1.2.3 on 2026-01-02");
  for (const { id, proven } of ADAPTERS) {
    if (proven === undefined) continue;
    expect(proven.date, id).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
    expect(Date.parse(proven.date), id).toBeLessThanOrEqual(Date.now());
  }
});

test("install reports for each agent which real run has proven it, or that none has", () => {
  const agents = ADAPTERS.filter(({ recipe }) => recipe !== undefined);
  const { err } = project().sluice("install", ...agents.map(({ id }) => id), "--scope", "user", "--yes");
  for (const { title, proven } of agents)
    expect(err).toContain(
      proven === undefined
        ? `${title}: written from documentation; no real run has proven`
        : `${title}: proven in a real run of version ${proven.version} on ${proven.date}.`,
    );
});

function adapterFolder() {
  const root = project({ "some.ts": SOURCE }).root;
  return {
    folder: () => readFileSync(join(root, "some.ts"), "utf8"),
    record: (cells: Parameters<typeof recordProof>[0]["cells"], version: string) =>
      recordProof({ agent: { id: "some", version }, cells }, { ...WHEN, folder: root }),
  };
}
