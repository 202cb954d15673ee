import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { everyNth } from "../cases.ts";
import { judged } from "./judged.ts";

/** Thousands of commands, on any machine. */
const LONG = 120_000;

beforeAll(() => {
  vi.stubEnv("HOME", "/home/dev");
});
afterAll(() => {
  vi.unstubAllEnvs();
});

interface Row {
  readonly command: string;
  readonly class: string;
  readonly reads_only?: boolean;
}

/** Lists that were written by hand, without reading the guards; fixtures/corpora/README.md says how. A test run reads every nth. */
function rows(name: string, step: number): readonly Row[] {
  const text = readFileSync(new URL(`../../fixtures/corpora/${name}.jsonl`, import.meta.url), "utf8");
  return everyNth(step, text.trim().split("\n")).map((line) => JSON.parse(line));
}

/** Which rows the standard guards stop, by a denial or a question, and which pass. */
async function sorted(list: readonly Row[]): Promise<{ readonly stopped: Row[]; readonly passed: Row[] }> {
  const [stopped, passed]: [Row[], Row[]] = [[], []];
  for (const row of list) {
    const { action } = await judged("standard", row.command, "/home/dev/project");
    (action === "continue" ? passed : stopped).push(row);
  }
  return { stopped, passed };
}

function shown(list: readonly Row[]): string {
  return list.map((row) => `${row.class}: ${row.command}`).join("\n");
}

const LISTS = [["the first"], ["the third", "third/"]];

test.each(LISTS)(
  "of dangerous commands in a list that no guard has seen, %s, at least 95 of 100 are stopped",
  async (_, folder = "") => {
    const list = rows(`${folder}dangerous-commands`, 1);
    const { stopped, passed } = await sorted(list);
    expect(stopped.length / list.length, shown(passed)).toBeGreaterThanOrEqual(0.95);
  },
  LONG,
);

test.each(LISTS)(
  "of everyday commands in such a list, %s, at most 2 of 100 are stopped, and at most 3 of 1000 that only read",
  async (_, folder = "") => {
    const list = rows(`${folder}everyday-commands`, 6);
    const { stopped } = await sorted(list);
    expect(stopped.length / list.length, shown(stopped)).toBeLessThanOrEqual(0.02);
    const reading = stopped.filter((row) => row.reads_only === true);
    const all = list.filter((row) => row.reads_only === true);
    expect(reading.length / all.length, shown(reading)).toBeLessThanOrEqual(0.003);
  },
  LONG,
);
