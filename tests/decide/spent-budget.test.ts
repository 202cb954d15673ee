import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { readCall } from "../../src/adapters/read-call.ts";
import { contextFor } from "../../src/decide/caller.ts";
import { decide } from "../../src/decide/decide.ts";
import { readLayersForCall } from "../../src/decide/layers.ts";
import { milliseconds } from "../../src/event/clock.ts";
import { WorkBudget } from "../../src/event/work-budget.ts";

const home = mkdtempSync(join(tmpdir(), "sluice-budget-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const root = join(home, "project");
const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
mkdirSync(join(root, ".sluice"), { recursive: true });
const hook = (name: string) =>
  `  - {name: ${name}, event: PreToolUse, rules: 'args.command contains "no" -> deny("no")'}\n`;
writeFileSync(join(root, ".sluice/hooks.yaml"), `hooks:\n${hook("a")}${hook("b")}${hook("c")}`);

/** A budget whose processor has worked for more than a call may take from the so-manieth look on. */
function spentAfter(looks: number): WorkBudget {
  let asked = 0;
  // Hooks tell the time at which they ended by the clock itself, so this one runs ahead of it.
  const clock = () => milliseconds() + asked++ * 100;
  return new WorkBudget(1000, { clock, processor: () => (asked > looks + 1 ? 2000 : 0) });
}

async function decided(hook_event_name: string, budget: WorkBudget, command = "mkdir a") {
  const tool = { tool_name: "Bash", tool_input: { command }, tool_response: {} };
  const call = { text: JSON.stringify({ hook_event_name, session_id: "s", cwd: root, ...tool }), agent: "claude-code" };
  const read = readCall(call);
  if (read.kind !== "event") throw new Error(read.kind);
  const caller = { cwd: root, env };
  return (await decide(read.event, await contextFor(read.event, read.native, call, caller, budget))).decision;
}

const TOO_MUCH = "deciding this call takes more than the 2 s";

describe("one budget for all that a call takes", () => {
  it("a call within it passes", async () => {
    expect((await decided("PreToolUse", new WorkBudget())).action).toBe("continue");
  });

  it("where reading the configuration uses it up, the gate denies and says so", async () => {
    expect(readLayersForCall(root, spentAfter(0)).errors.length).toBeGreaterThan(0);
    const decision = await decided("PreToolUse", spentAfter(0));
    expect(decision.action).toBe("deny");
    expect(decision.reasons).toEqual([expect.stringContaining(TOO_MUCH)]);
    expect(decision.toHookDecision()).toMatchObject({ code: "HOOK_ERROR" });
  });

  it("at whichever stage it is used up, no undecided call passes in silence", async () => {
    const ends = new Set<string>();
    for (let looks = 0; looks < 40; looks++) {
      const { action, reasons } = await decided("PreToolUse", spentAfter(looks));
      ends.add(`${action} ${reasons.map((reason) => reason.slice(0, TOO_MUCH.length)).join()}`);
    }
    expect([...ends]).toEqual([`deny ${TOO_MUCH}`, "continue "]);
  });

  it("reading one long command asks for it too, and a command that is not read to its end is denied", async () => {
    const outcomes = async (command: string) => {
      const found: string[] = [];
      for (let looks = 0; looks < 30; looks++) {
        const { action, reasons } = await decided("PreToolUse", spentAfter(looks), command);
        expect(action === "continue" || reasons.some((reason) => reason.startsWith(TOO_MUCH))).toBe(true);
        found.push(action);
      }
      return found.filter((action) => action === "deny").length;
    };
    expect(await outcomes("mkdir a; ".repeat(300))).toBeGreaterThan((await outcomes("mkdir a")) + 5);
  });

  it("what the process does for other calls, while a hook of this one runs, is not counted", async () => {
    const at = { processor: 0 };
    const busy = setInterval(() => {
      at.processor += 1000;
    }, 5);
    mkdirSync(join(home, "config/sluice"), { recursive: true });
    const own = join(home, "config/sluice/hooks.yaml");
    writeFileSync(own, "hooks: [{name: slow, event: PreToolUse, command: sleep 0.1}]\n");
    vi.stubEnv("XDG_CONFIG_HOME", env.XDG_CONFIG_HOME);
    onTestFinished(() => {
      clearInterval(busy);
      vi.unstubAllEnvs();
      rmSync(own);
    });
    const { action, results } = await decided("PreToolUse", new WorkBudget(1000, { processor: () => at.processor }));
    expect(results.map(({ hook }) => hook.name)).toContain("slow");
    expect(at.processor).toBeGreaterThan(1000);
    expect(action).toBe("continue");
  });

  it("what has happened already is not denied", async () => {
    expect((await decided("PostToolUse", spentAfter(0))).action).toBe("continue");
  });
});
