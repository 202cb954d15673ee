import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HookEvent } from "../../src/index.ts";
import { judgedEvent } from "./judged.ts";

/** The lists are written for this user. */
const HOME = "/home/dev";
const ownHome = process.env.HOME;
beforeAll(() => {
  process.env.HOME = HOME;
});
afterAll(() => {
  process.env.HOME = ownHome;
});

/** Hundreds of calls, on any machine. */
const LONG = 300_000;

interface Row {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly class: string;
  readonly reads_only?: boolean;
  readonly undoable?: boolean;
}

function rows(name: string): readonly Row[] {
  const text = readFileSync(new URL(`../../fixtures/corpora/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The rows that the standard preset stops, in the project that the lists are written for. */
async function stopped(all: readonly Row[]): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const row of all) {
    const event = HookEvent.toolPreExecute(row.tool, row.input, { cwd: `${HOME}/project` });
    if ((await judgedEvent("standard", event)).action !== "continue") found.push(row);
  }
  return found;
}

const share = (part: readonly Row[], all: readonly Row[]) => part.length / all.length;

const LISTS = [["the first"], ["the third", "third/"]];

test.each(LISTS)(
  "of dangerous calls of tools that are no shells, %s list, the standard preset stops nearly all",
  async (_, folder = "") => {
    const all = rows(`${folder}dangerous-tools`);
    expect(share(await stopped(all), all)).toBeGreaterThanOrEqual(0.96);
  },
  LONG,
);

test.each(LISTS)(
  "of everyday calls of such tools, %s list, it stops hardly any",
  async (_, folder = "") => {
    const all = rows(`${folder}everyday-tools`);
    const found = await stopped(all);
    expect(share(found, all)).toBeLessThanOrEqual(0.003);
  },
  LONG,
);
