import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { givePermit } from "../../src/policies/protect/permit.ts";
import { within } from "../intent/project.ts";
import { FRONTS } from "./fronts.ts";
import { type World, world } from "./worlds.ts";

const CALL = { tool: "Bash", args: { command: "npm run deploy" } };

describe("a call that a person allowed once passes once in every front, and its record names it", () => {
  it.each(Object.entries(FRONTS))("%s", async (name, front) => {
    const at = world("rules");
    const session = `permit-${name.replaceAll(/\W/g, "-")}`;
    await within(at.env, async () => {
      expect((await front(CALL, at, session)).action).toBe("deny");
      const { call = "", id = "" } = lastRecord(at, session);
      expect(givePermit(call, id, { env: at.env, home: at.home, root: at.root })).toBe(true);
      expect((await front(CALL, at, session)).action).toBe("continue");
      expect((await front(CALL, at, session)).action).toBe("deny");
    });
  });
});

/** What the journal says about the last call of a session. */
function lastRecord({ env }: World, session: string): { call?: string; id?: string } {
  const folder = join(env.XDG_STATE_HOME ?? "", "sluice/decisions");
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"));
  return lines.map((line) => JSON.parse(line)).findLast(({ session_id }) => session_id === session);
}
