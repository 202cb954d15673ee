import { expect, test } from "vitest";
import { inHomeOfLists, LONG, standard, type ToolRow, toolRows } from "./tool-lists.ts";

inHomeOfLists();

interface Row extends ToolRow {
  readonly class: string;
  readonly reads_only?: boolean;
  readonly undoable?: boolean;
}

/** The rows that the standard preset stops, in the project that the lists are written for. */
async function stopped(all: readonly Row[]): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const row of all) if ((await standard(row.tool, row.input)).action !== "continue") found.push(row);
  return found;
}

const share = (part: readonly Row[], all: readonly Row[]) => part.length / all.length;

const LISTS = [["the first"], ["the third", "third/"]];

test.each(LISTS)(
  "of dangerous calls of tools that are no shells, %s list, the standard preset stops nearly all",
  async (_, folder = "") => {
    const all = toolRows<Row>(`corpora/${folder}dangerous-tools`);
    expect(share(await stopped(all), all)).toBeGreaterThanOrEqual(0.96);
  },
  LONG,
);

test.each(LISTS)(
  "of everyday calls of such tools, %s list, it stops hardly any",
  async (_, folder = "") => {
    const all = toolRows<Row>(`corpora/${folder}everyday-tools`);
    const found = await stopped(all);
    expect(share(found, all)).toBeLessThanOrEqual(0.003);
  },
  LONG,
);
