import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { readCall } from "../../src/adapters/read-call.ts";
import { rehearsalCalls } from "../../src/cli/rehearsal-calls.ts";
import { engineStatus } from "../../src/resident/ask-engine.ts";
import { BEST, COLD, engineHome, shellCall } from "./engine-home.ts";
import { journalNames } from "./once.ts";

/** Hooks of every sort that would leave a mark if a made-up call reached them. */
const MARKING = `guards: standard
trace: on
hooks:
  - { name: command, event: tool:pre_execute, command: echo command >> "$HOME/marks" }
  - { name: behind, event: tool:pre_execute, async: true, command: echo behind >> "$HOME/marks" }
  - { name: memory, event: memory:update, command: echo memory >> "$HOME/marks" }
`;

it.each(ADAPTERS.filter(({ canary }) => canary !== undefined).map(({ id }) => id))(
  "the calls that an engine makes up are such as %s makes",
  (id) => {
    const calls = rehearsalCalls({ words: [...COLD, "run", id], env: {}, cwd: "/", payload: "" });
    expect(calls.length).toBeGreaterThan(3);
    for (const { payload, words } of calls) {
      const [agent, , moment] = words.slice(3);
      expect(readCall({ text: payload, agent, moment })).toMatchObject({
        kind: "event",
        event: { type: "tool:pre_execute" },
      });
    }
  },
);

it("nothing comes of the calls that an engine makes up: no hook runs, nothing is remembered, nothing is counted", {
  timeout: 30_000,
}, async () => {
  const check = async (hooks: string) => {
    const at = engineHome(hooks, BEST);
    await at.warm();
    const before = journalNames(at).length;
    at.call(JSON.stringify(shellCall(at.root, "true")));
    const marks = () => (existsSync(join(at.home, "marks")) ? readFileSync(join(at.home, "marks"), "utf8") : "");
    await pause(500);
    const [written, calls] = [marks(), (await engineStatus(at.quarters))?.calls];
    await pause(7000);
    expect(journalNames(at)).toHaveLength(before + 1);
    expect([marks(), (await engineStatus(at.quarters))?.calls]).toEqual([written, calls]);
  };
  await Promise.all(["guards: standard\n", MARKING].map(check));
});
