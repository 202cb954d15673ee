import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { readCall } from "../../src/adapters/read-call.ts";
import { requestAnswerer } from "../../src/server/answer-request.ts";
import { NO_CLIENT, warmUpCalls } from "../../src/server/warm-up.ts";
import { COLD, daemonHome } from "./daemon-home.ts";
import { journalNames } from "./once.ts";

/** Hooks of every sort that would leave a mark if a made-up call reached them. */
const MARKING = `guards: standard
trace: on
hooks:
  - { name: command, event: tool:pre_execute, command: echo command >> "$HOME/marks" }
  - { name: behind, event: tool:pre_execute, async: true, command: echo behind >> "$HOME/marks" }
  - { name: memory, event: memory:update, command: echo memory >> "$HOME/marks" }
`;

it.each(ADAPTERS.filter(({ canary }) => canary !== undefined))(
  "the calls that a daemon makes up are such as $id makes, before a command runs and after it",
  ({ id }) => {
    const calls = warmUpCalls({ words: [...COLD, "run", id], env: {}, cwd: "/", payload: "" });
    const types = calls.map(({ payload, words }) => {
      const [agent, , hookEvent] = words.slice(3);
      const read = readCall({ text: payload, agent, hookEvent });
      return read.kind === "event" ? read.event.type : read.kind;
    });
    const others = types.filter((type) => type !== "tool:pre_execute");
    expect(others.filter((type) => type !== "tool:post_execute")).toEqual([]);
    if (id === "claude-code") expect(others.length).toBe(calls.length / 2);
    expect(types.filter((type) => type === "tool:pre_execute").length).toBeGreaterThan(3);
  },
);

it.each([
  ["rules alone", "guards: standard\n"],
  ["hooks that would leave a mark", MARKING],
])(
  "nothing comes of the calls that a daemon makes up: no hook runs and nothing is remembered, with %s",
  async (_, hooks) => {
    const at = daemonHome(hooks);
    for (const [name, value] of Object.entries(at.env)) vi.stubEnv(name, value);
    const folder = process.cwd();
    onTestFinished(() => {
      process.chdir(folder);
      vi.unstubAllEnvs();
    });
    const answer = requestAnswerer(COLD);
    const first = { words: [...COLD, "run", "claude-code"], env: at.env, cwd: at.root, payload: "" };
    const said = [];
    for (const call of warmUpCalls(first)) said.push((await answer(call, NO_CLIENT)).kind);
    expect(new Set(said.map((kind) => kind === "done"))).toEqual(new Set([hooks !== MARKING]));
    // What would be done behind an answer has had the time for it.
    await pause(100);
    expect([journalNames(at), readdirSync(at.home).includes("marks")]).toEqual([[], false]);
  },
);
