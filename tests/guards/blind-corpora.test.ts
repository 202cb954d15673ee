import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { everyNth } from "../cases.ts";
import { judged } from "./judged.ts";

/** Thousands of commands, on any machine. */
const LONG = 120_000;

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Row {
  readonly command: string;
  readonly tool?: string;
  readonly input?: object;
  readonly class: string;
  readonly reads_only?: boolean;
}

/** Lists that were written by hand, without reading the guards; fixtures/corpora/README.md says how. A test run reads every nth. */
function rows(name: string, step: number): readonly Row[] {
  const text = readFileSync(new URL(`../../fixtures/corpora/${name}.jsonl`, import.meta.url), "utf8");
  return everyNth(step, text.trim().split("\n")).map((line) => JSON.parse(line));
}

/** Which rows the standard guards stop, by a denial or a question, and which pass. */
async function sorted(
  list: readonly Row[],
  { home, project }: Place,
): Promise<{ readonly stopped: Row[]; readonly passed: Row[] }> {
  vi.stubEnv("HOME", home);
  const [stopped, passed]: [Row[], Row[]] = [[], []];
  for (const row of list) {
    const call = row.tool === undefined ? row.command : { tool: row.tool, args: { ...row.input } };
    const { action } = await judged("standard", call, project);
    (action === "continue" ? passed : stopped).push(row);
  }
  return { stopped, passed };
}

function shown(list: readonly Row[]): string {
  return list.map((row) => `${row.class}: ${row.command ?? `${row.tool} ${JSON.stringify(row.input)}`}`).join("\n");
}

/** The folder of a list, and where its calls happen. */
interface Place {
  readonly name: string;
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  /** A run reads every nth of its dangerous commands. */
  readonly step: number;
}

const LISTS: readonly Place[] = [
  { name: "the first", folder: "", home: "/home/dev", project: "/home/dev/project", step: 1 },
  { name: "the third", folder: "third/", home: "/home/dev", project: "/home/dev/project", step: 1 },
  { name: "the fourth", folder: "fourth/", home: "/home/dev", project: "/home/dev/src/etl-pipeline", step: 2 },
  { name: "the fifth", folder: "fifth/", home: "/Users/mia", project: "/Users/mia/code/shop", step: 2 },
  { name: "the sixth", folder: "sixth/", home: "/home/dev", project: "/home/dev/src/app", step: 2 },
];

test.each(LISTS)(
  "of dangerous commands in a list that no guard has seen, $name, at least 95 of 100 are stopped",
  async (place) => {
    const list = rows(`${place.folder}dangerous-commands`, place.step);
    const { stopped, passed } = await sorted(list, place);
    expect(stopped.length / list.length, shown(passed)).toBeGreaterThanOrEqual(0.95);
  },
  LONG,
);

test.each(LISTS)(
  "of dangerous calls of other tools in such a list, $name, at least 94 of 100 are stopped",
  async (place) => {
    const list = rows(`${place.folder}dangerous-tools`, 1);
    const { stopped, passed } = await sorted(list, place);
    expect(stopped.length / list.length, shown(passed)).toBeGreaterThanOrEqual(0.94);
  },
  LONG,
);

test.each(LISTS)(
  "of everyday commands in such a list, $name, at most 2 of 100 are stopped, and at most 3 of 1000 that only read",
  async (place) => {
    const list = rows(`${place.folder}everyday-commands`, 6);
    const { stopped } = await sorted(list, place);
    expect(stopped.length / list.length, shown(stopped)).toBeLessThanOrEqual(0.02);
    const reading = stopped.filter((row) => row.reads_only === true);
    const all = list.filter((row) => row.reads_only === true);
    expect(reading.length / all.length, shown(reading)).toBeLessThanOrEqual(0.003);
  },
  LONG,
);

test.each(LISTS)(
  "of everyday calls of other tools in such a list, $name, at most 1 of 100 is stopped",
  async (place) => {
    const list = rows(`${place.folder}everyday-tools`, 1);
    const { stopped } = await sorted(list, place);
    expect(stopped.length / list.length, shown(stopped)).toBeLessThanOrEqual(0.01);
  },
  LONG,
);
