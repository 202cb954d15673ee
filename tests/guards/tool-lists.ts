import { readFileSync } from "node:fs";
import { afterAll, beforeAll } from "vitest";
import { HookEvent } from "../../src/index.ts";
import { type Judged, judgedEvent } from "./judged.ts";

/** Hundreds of calls, on any machine. */
export const LONG = 300_000;

/** A call of a list of fixtures. */
export interface ToolRow {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The rows of `fixtures/<name>.jsonl`. */
export function toolRows<Row extends ToolRow>(name: string): readonly Row[] {
  const text = readFileSync(new URL(`../../fixtures/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** What the standard preset says about a call, in the project that the lists are written for. */
export function standard(tool: string, input: ToolRow["input"]): Promise<Judged> {
  return judgedEvent("standard", HookEvent.toolPreExecute(tool, input, { cwd: `${HOME}/project` }));
}

/** The lists are written for this user. */
export function inHomeOfLists(): void {
  const ownHome = process.env.HOME;
  beforeAll(() => {
    process.env.HOME = HOME;
  });
  afterAll(() => {
    process.env.HOME = ownHome;
  });
}

const HOME = "/home/dev";
