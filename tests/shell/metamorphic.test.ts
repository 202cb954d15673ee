import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cases, seedOr } from "../cases.ts";
import { judged } from "../guards/judged.ts";
import { variants } from "./metamorphic.ts";
import { removesVictim } from "./run-for-real.ts";

const COUNT = cases(40, 20_000);
const SEED = seedOr(20_261_115);

it("a denied command stays denied, however it is written, as long as it works", async () => {
  const written = variants(await deniedCommands(), COUNT, SEED);
  const works = await removesVictim(written.map(({ command }) => command));
  const missed: string[] = [];
  for (const { command, changes } of written.filter((_, index) => works[index])) {
    const { action } = await judged("standard", command);
    if (action !== "deny") missed.push(`${action} after ${changes.join(", ")}:\n${command}`);
  }
  expect(works.filter(Boolean).length).toBeGreaterThan(COUNT / 2);
  expect(missed.length, missed.join("\n\n")).toBe(0);
}, 3_600_000);

async function deniedCommands(): Promise<string[]> {
  const text = readFileSync(new URL("../../fixtures/shell/bypass.jsonl", import.meta.url), "utf8");
  const rows = text.trim().split("\n");
  const denied: string[] = [];
  for (const { command, setup } of rows.map((line): { command: string; setup: string } => JSON.parse(line)))
    if (setup === "" && (await judged("standard", command)).action === "deny") denied.push(command);
  return denied;
}
