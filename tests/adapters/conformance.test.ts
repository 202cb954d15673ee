import { describe, expect, it } from "vitest";
import type { Adapter } from "../../src/adapters/adapter.ts";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { eventSpec } from "../../src/event/catalogue.ts";
import { cases, seedOr } from "../cases.ts";
import { diceFor } from "../readers/dice.ts";
import { agentNamed } from "./agents/index.ts";
import { carriedOut } from "./carried-out.ts";
import { randomSaying, sayingsAbout } from "./decisions.ts";
import { payloadsOf } from "./payloads.ts";
import { weaknesses } from "./weaknesses.ts";

describe.each(ADAPTERS.map((adapter) => [adapter.title, adapter] as const))("%s", (_, adapter) => {
  const sent = payloadsOf(adapter);

  it("has a payload for every hook event of its table", () => {
    const tried = new Set(sent.map((one) => one.hookEvent ?? adapter.hookEventOf(one.payload)));
    expect(Object.keys(adapter.hookEvents).filter((name) => !tried.has(name))).toEqual([]);
  });

  // A plugin starts a process for each answer: in a test run each of its payloads is tried with the next third of them.
  const every = adapter.recipe?.kind === "files" ? cases(3, 1) : 1;

  it.each(sent.map((one, at) => [one.name, one, at] as const))(
    "carries out what hooks say, or something stricter: %s",
    async (_name, one, at) => {
      const { event } = await carriedOut(adapter, one, {});
      const found: string[] = [];
      const sayings = Object.entries(sayingsAbout(event)).filter((_, index) => (index + at) % every === 0);
      for (const [name, saying] of sayings)
        for (const weakness of weaknesses(await carriedOut(adapter, one, saying), saying))
          found.push(`${name}: ${weakness}`);
      expect(found, found.join("\n")).toEqual([]);
    },
  );
});

describe("hooks that break", () => {
  it.each(ADAPTERS.map((adapter) => [adapter.title, adapter] as const))(
    "keep every gate of %s shut",
    async (_, adapter) => {
      const open: string[] = [];
      for (const sent of payloadsOf(adapter)) {
        const { does, hookEvent, printed } = await carriedOut(adapter, sent, new Error("no memory left"));
        const { gate, keepsWorking = false } = eventSpec(hookEvent.as);
        const isShut = gate && !keepsWorking && hookEvent.can.includes("deny");
        if (isShut && !`${does.told}${does.shown}`.includes("no memory left")) open.push(`${sent.name}: without words`);
        if ((does.then === "is stopped") !== isShut) open.push(`${sent.name}: it ${does.then}`);
        if (printed.stdout + printed.stderr === "") open.push(`${sent.name}: not told`);
      }
      expect(open, open.join("\n")).toEqual([]);
    },
  );
});

describe("words for the user", () => {
  const told = ["2 hooks of this project wait for `sluice trust`", 'a second line with "quotes"'];

  it.each(ADAPTERS.map((adapter) => [adapter.title, adapter] as const))(
    "beside an answer do not change what %s does",
    async (_, adapter) => {
      const found: string[] = [];
      for (const sent of payloadsOf(adapter)) {
        const { event } = await carriedOut(adapter, sent, {});
        const sayings = Object.entries(sayingsAbout(event)).filter(([name]) => SOME.test(name));
        for (const [name, saying] of sayings)
          for (const weakness of weaknesses(await carriedOut(adapter, sent, saying, { told }), saying))
            found.push(`${sent.name}, ${name}: ${weakness}`);
      }
      expect(found, found.join("\n")).toEqual([]);
    },
  );
});

describe("an editor that reads another agent's hooks", () => {
  const [copilot, vscode] = [adapterNamed("copilot"), agentNamed("vscode")];
  const shared = payloadsOf(copilot).filter(({ payload }) => typeof payload.hook_event_name === "string");

  it.each(shared.map((sent) => [sent.name, sent] as const))("obeys the same answer: %s", async (_, sent) => {
    const { event } = await carriedOut(copilot, sent, {});
    const found: string[] = [];
    for (const [name, saying] of Object.entries(sayingsAbout(event))) {
      const { does, hookEvent } = await carriedOut(copilot, sent, saying, { agent: vscode });
      if (
        saying.action === "deny" &&
        hookEvent.can.includes("deny") &&
        KNOWN.test(sent.name) &&
        does.then !== "is stopped"
      )
        found.push(`${name}: it ${does.then}`);
      if (does.approved && !saying.approved) found.push(`${name}: approved without an approval`);
    }
    expect(found, found.join("\n")).toEqual([]);
  });
});

describe("random decisions", () => {
  it.each(ADAPTERS.map((adapter) => [adapter.title, adapter] as const))(
    "are never weakened on the way to %s",
    async (_, adapter) => {
      const dice = diceFor(seedOr(20_261_115));
      const sent = payloadsOf(adapter);
      const found: string[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        const one = dice.pick(sent);
        const { event } = await carriedOut(adapter, one, {});
        const saying = randomSaying(dice, event);
        for (const weakness of weaknesses(await carriedOut(adapter, one, saying), saying))
          found.push(`${one.name}, ${JSON.stringify(saying).slice(0, 200)}: ${weakness}`);
      }
      expect(found, found.join("\n")).toEqual([]);
    },
  );
});

const SOME = /^(?:nothing|context|approved|deny: plain|ask: plain|changed: another value|another result)$/;
/** The hook events that the editor has; it has no others of the same name. */
const KNOWN = /PreToolUse|Stop/;
const TURNS = cases(2, 1_000);

function adapterNamed(id: string): Adapter {
  const adapter = ADAPTERS.find((one) => one.id === id);
  if (adapter === undefined) throw new Error(`there is no adapter ${id}`);
  return adapter;
}
