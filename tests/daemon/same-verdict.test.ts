import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { payloadsOf } from "../adapters/payloads.ts";
import { cases } from "../cases.ts";
import { coldHere } from "./cold-here.ts";
import {
  BEST,
  COLD,
  callsOf,
  type DaemonHome,
  daemonHome,
  homeOfAllClients,
  plain,
  sharedHome,
  shellCall,
  TIERS,
} from "./daemon-home.ts";
import { generatedCalls } from "./generated-calls.ts";
import { HOOKS } from "./hooks.ts";

const [coldHome, warmHome] = [sharedHome(undefined, daemonHome), homeOfAllClients()];

describe.each(TIERS)("through the %s client the daemon says what the command says alone", (tier) => {
  it("about every recorded payload", { timeout: 180_000 }, async () => {
    const [cold, warm] = [coldHome(HOOKS), warmHome(tier, HOOKS)];
    await warm.warm();
    const before = await callsOf(warm);
    const different = [];
    // Every client passes payloads on as they are: the best has all of them in a test run, the others one of each agent.
    const most = tier === BEST ? Number.POSITIVE_INFINITY : cases(1, Number.POSITIVE_INFINITY);
    const sent = ADAPTERS.flatMap((adapter) =>
      payloadsOf(adapter)
        .filter(({ isRecorded }) => isRecorded)
        .slice(0, most)
        .map((one) => ({ ...one, agent: adapter.id })),
    );
    for (const { name, payload, agent } of sent) {
      const said = (at: typeof cold) => JSON.stringify({ ...payload, cwd: at.root });
      const [alone, together] = [await coldHere(cold, [agent], said(cold)), warm.call(said(warm), [agent])];
      if (JSON.stringify(plain(alone, cold)) !== JSON.stringify(plain(together, warm)))
        different.push({ agent, name, alone: plain(alone, cold), together: plain(together, warm) });
    }
    expect(different).toEqual([]);
    expect((await callsOf(warm)) - before).toBeGreaterThan(sent.length * MOST);
  });

  it("about calls that were made up", { timeout: 3_600_000 }, async () => {
    const [cold, warm] = [coldHome(HOOKS), warmHome(tier, HOOKS)];
    await warm.warm();
    const before = await callsOf(warm);
    const count = cases(tier === BEST ? 16 : 4, 5_000);
    const [alone, together] = [generatedCalls(count, cold.root), generatedCalls(count, warm.root)];
    const different = [];
    for (const [index, call] of together.entries()) {
      const other = alone[index] ?? call;
      const [one, two] = [await coldHere(cold, other.args, other.payload), warm.call(call.payload, call.args)];
      if (JSON.stringify(plain(one, cold)) !== JSON.stringify(plain(two, warm)))
        different.push({ call, alone: plain(one, cold), together: plain(two, warm) });
    }
    expect(different).toEqual([]);
    expect(countIn(warm)).toBe(countIn(cold));
    if (count > FEW) expect(countIn(warm)).toBeGreaterThan(0);
    expect((await callsOf(warm)) - before).toBeGreaterThan(count * MOST);
  });

  it("about a call from another folder, where the payload names none", async () => {
    const warm = warmHome(tier, HOOKS);
    await warm.warm();
    const root = join(warm.root, "deep");
    mkdirSync(root, { recursive: true });
    const { cwd: _, ...call } = shellCall("", "rmm x") as { cwd: string };
    const input = JSON.stringify({ ...call, session_id: `from another folder, ${tier}` });
    const before = await callsOf(warm);
    const [program = "", ...rest] = warm.words;
    const how = { cwd: root, env: { ...warm.env }, input, encoding: "utf8" } as const;
    const { stdout, stderr, status } = spawnSync(program, [...rest, "run", "claude-code"], how);
    expect(await callsOf(warm)).toBe(before + 1);
    expect(plain({ stdout, stderr, exitCode: status }, warm)).toEqual(
      plain(await coldHere({ ...warm, root }, ["claude-code"], input), warm),
    );
  });
});

describe("the command that the tests compare with", () => {
  it("says in this process what it says in its own", async () => {
    const cold = daemonHome(HOOKS);
    const payloads = ["make all", "ls", "rm -rf /"].map((line) => JSON.stringify(shellCall(cold.root, line)));
    for (const payload of payloads)
      expect(plain(await coldHere(cold, ["claude-code"], payload), cold)).toEqual(
        plain(cold.call(payload, ["claude-code", "--cold"]), cold),
      );
    expect(cold.words).toEqual(COLD);
  });
});

/** How often the hook has run that leaves a mark. */
function countIn({ root }: DaemonHome): number {
  const file = join(root, "counted");
  return existsSync(file) ? readFileSync(file, "utf8").length : 0;
}

/** So many calls may well all be about something else. */
const FEW = 200;

/** A busy machine may keep the daemon from answering at once; then the client does not wait for it. */
const MOST = 0.8;
