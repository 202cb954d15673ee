import { describe, expect, test } from "vitest";
import { everyNth } from "../cases.ts";
import { ATTACKS } from "./attacks.ts";
import { clone, WAYS } from "./clone.ts";

describe.each(Object.entries(WAYS))("a project that is opened by %s", (way, open) => {
  // The command decides as the library does, and takes longer for it: some attacks in a test run, all in `npm run fuzz`.
  const tried = everyNth(way === "the command" ? 4 : 1, Object.entries(ATTACKS));
  test.each(tried)("starts nothing by %s; its denials hold, and it is told", async (_, attack) => {
    const made = clone();
    attack.act(made);
    const where = attack.opens?.(made) ?? made.root;
    expect(made.hasRun()).toBe(false);
    const opened = await open(made, where, attack.env?.(made));
    expect(made.hasRun()).toBe(false);
    expect(opened.ran.filter((name) => name !== "other")).toEqual(["guard"]);
    expect(opened.asked).toHaveLength(attack.isChanged ? 1 : 0);
    expect(opened.action).toBe("deny");
    expect(opened.said).toMatch(/canary|pre-bash/);
    if (attack.runsOnceTrusted === false) return;
    made.trust(where);
    expect((await open(made, where)).action).toBe("deny");
    expect(made.hasRun()).toBe(true);
  });
});
