import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Preset } from "../../src/policies/guards/index.ts";
import { cases, everyNth } from "../cases.ts";
import { judged, judgedOnce } from "./judged.ts";

/** Thousands of commands, on any machine. */
const LONG = 300_000;

/** A test run reads every third command of the long lists. */
const PART = 5;

interface Row {
  readonly command: string;
  readonly guard?: string;
  readonly expect?: string;
  readonly preset?: Preset;
  readonly id?: string;
  readonly setup?: string;
}

function rows(name: string): Row[] {
  const text = readFileSync(new URL(`../../fixtures/shell/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const judgedBy = judgedOnce();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-guards-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test(
  "of 3100 harmless commands, everyday ones and ones that look or sound dangerous, at most 3 are denied",
  async () => {
    const commands = rows("benign");
    expect(commands.length).toBeGreaterThanOrEqual(3100);
    const read = everyNth(PART, commands);
    const denied: string[] = [];
    for (const { command } of read) {
      const { action, by } = await judgedBy("standard", command);
      if (action === "deny") denied.push(`${by.join()}: ${command}`);
    }
    expect(denied.length, denied.join("\n")).toBeLessThanOrEqual(read.length * (3 / 3100));
  },
  LONG,
);

test(
  "of 3700 dangerous commands, at least 99 of 100 are stopped as they should be",
  async () => {
    const commands = rows("dangerous");
    expect(commands.length).toBeGreaterThanOrEqual(3700);
    const read = everyNth(PART, commands);
    const missed: string[] = [];
    for (const { command, expect: wanted, preset = "standard" } of read) {
      const { action, by } = await judgedBy(preset, command);
      if (action !== wanted) missed.push(`${wanted}, and got ${action} ${by.join()}: ${command}`);
    }
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(read.length * 0.01);
  },
  LONG,
);

test(
  "what a preset denies, every higher preset denies, and what it asks about, none lets pass",
  async () => {
    const all = [...rows("dangerous"), ...rows("benign")];
    const step = Math.max(1, Math.floor(all.length / cases(200, all.length)));
    const weaker: [string, number[]][] = [];
    for (const { command } of all.filter((_, index) => index % step === 0)) {
      const weights: number[] = [];
      for (const preset of ["standard", "strict", "paranoid"] as const)
        weights.push(["continue", "ask", "deny"].indexOf((await judgedBy(preset, command)).action));
      if (weights.some((weight, at) => weight < (weights[at - 1] ?? 0))) weaker.push([command, weights]);
    }
    expect(weaker).toEqual([]);
  },
  LONG,
);

test("of 183 ways to destroy a folder, each proven by running it, at least 179 are denied", {
  timeout: LONG,
}, async () => {
  const ways = rows("bypass");
  expect(ways.length).toBeGreaterThanOrEqual(183);
  const missed: string[] = [];
  for (const { command, id = "", setup = "" } of ways) {
    const place = join(folder, id);
    mkdirSync(join(place, "victim"), { recursive: true });
    writeFileSync(join(place, "victim", "f"), "data");
    if (setup !== "") prepare(place, setup);
    const { action } = await judged("standard", command, place);
    if (action !== "deny") missed.push(`${id} ${action}: ${command}`);
  }
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(4);
});

/** Scripts and repositories that a command needs; what is missing on a machine is missing for the command too. */
function prepare(cwd: string, setup: string): void {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("bash", ["-c", `${setup}\ntrue`], { cwd, env, stdio: "ignore" });
}
