import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { givePermit } from "../../src/policies/protect/permit.ts";
import { within } from "../intent/project.ts";
import { ROWS, type Row } from "./calls.ts";
import { EXPLAIN, FRONTS, type Front } from "./fronts.ts";
import type { Verdict } from "./verdict.ts";
import { type World, world } from "./worlds.ts";

// The untrusted project is named whenever it is loaded.
beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterAll(() => void vi.restoreAllMocks());

describe("the same call has the same verdict in every front", () => {
  it("is tried with enough calls", () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ROWS.map(({ name, world: where }) => `${where} ${name}`)).size).toBe(ROWS.length);
  });

  it.each(Object.entries(FRONTS))("%s", async (name, front) => {
    const wrong: string[] = [];
    for (const [index, row] of ROWS.entries()) {
      const said = await made(row, front, `${name.replaceAll(/\W/g, "-")}-${index}`);
      if (!isRight(said, row, name)) wrong.push(`${row.name}: ${JSON.stringify(said)}`);
    }
    expect(wrong).toEqual([]);
  });

  it("sluice explain, where rules decide", async () => {
    const wrong: string[] = [];
    const { "sluice fire": fire } = FRONTS;
    for (const [index, row] of ROWS.entries()) {
      if (row.needsRun || fire === undefined) continue;
      const said = await made(row, EXPLAIN, `explain-${index}`, fire);
      if (!isRight(said, row, "sluice explain")) wrong.push(`${row.name}: ${JSON.stringify(said)}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("a call that a person allowed once passes once in every front, and its record names it", () => {
  it.each(Object.entries(FRONTS))("%s", async (name, front) => {
    const at = world("rules");
    const session = `permit-${name.replaceAll(/\W/g, "-")}`;
    await within(at.env, async () => {
      expect((await front(DEPLOY, at, session)).action).toBe("deny");
      const { call = "", id = "" } = lastRecord(at, session);
      expect(givePermit(call, id, { env: at.env, home: at.home, root: at.root })).toBe(true);
      expect((await front(DEPLOY, at, session)).action).toBe("continue");
      expect((await front(DEPLOY, at, session)).action).toBe("deny");
    });
  });
});

/** The verdict about a row, after the calls that come before it. */
async function made(row: Row, front: Front, session: string, first = front): Promise<Verdict> {
  const at = world(row.world);
  return within(at.env, async () => {
    for (const call of row.before ?? []) await first(call, at, session);
    return front(row, at, session);
  });
}

/** Results of single hooks hold no input; everything else does. */
function isRight({ action, reason, input }: Verdict, row: Row, front: string): boolean {
  if (action !== row.verdict || !reason.includes(row.reason ?? "")) return false;
  if (row.input === undefined || ["HooksManager.emit", "sluice explain"].includes(front)) return true;
  return JSON.stringify(input) === JSON.stringify(row.input);
}

/** What the journal says about the last call of a session. */
function lastRecord({ env }: World, session: string): { call?: string; id?: string } {
  const folder = join(env.XDG_STATE_HOME ?? "", "sluice/decisions");
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
  const named = lines.filter((line) => line.includes(JSON.stringify(session)));
  return named.map((line) => JSON.parse(line)).findLast(({ session_id }) => session_id === session);
}

const DEPLOY = { tool: "Bash", args: { command: "npm run deploy" } };
