import fc from "fast-check";
import { expect, test } from "vitest";
import { cases } from "../../tests/cases.ts";
import { aggregate } from "../decision/aggregate.ts";
import type { HookResult } from "../decision/result.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { runChain } from "./chain.ts";

/** A hook over one small number: guards, askers, and rewriters that settle or do not. */
type Part = { readonly parallel: boolean; readonly turns: number } & (
  | { readonly does: "guard" | "ask"; readonly at: number }
  | { readonly does: "move"; readonly from: number; readonly to: number }
  | { readonly does: "add" }
  | { readonly does: "mark"; readonly field: string; readonly value: number }
);

const small = fc.integer({ min: 0, max: 3 });
const how = { parallel: fc.boolean(), turns: fc.integer({ min: 0, max: 3 }) };
const watcher = fc.record({ ...how, does: fc.constantFrom("guard" as const, "ask" as const), at: small });
const part: fc.Arbitrary<Part> = fc.oneof(
  watcher,
  fc.record({ ...how, does: fc.constant("move" as const), from: small, to: small }),
  fc.record({ ...how, does: fc.constant("add" as const) }),
  fc.record({ ...how, does: fc.constant("mark" as const), field: fc.constantFrom("a", "b"), value: small }),
);
const parts = fc.array(part, { maxLength: 6 });

test("the outcome never depends on who finishes first", async () => {
  await fc.assert(
    fc.asyncProperty(parts, fc.array(small, { minLength: 6, maxLength: 6 }), async (list, turns) => {
      const later = list.map((each, index) => ({ ...each, turns: turns[index] ?? 0 }));
      expect(await outcomeOf(later)).toEqual(await outcomeOf(list));
    }),
  );
});

test("what passes was passed by every guard as it is in the end", async () => {
  await fc.assert(
    fc.asyncProperty(parts, fc.boolean(), async (list, stopOnFailure) => {
      const { action, input } = await outcomeOf(list, stopOnFailure);
      if (action === "deny") return;
      for (const each of list) if (each.does === "guard") expect(each.at).not.toBe(input.n);
    }),
    { numRuns: cases(200, 20_000) },
  );
});

test("one more hook that changes nothing never turns a denial into less", async () => {
  await fc.assert(
    fc.asyncProperty(parts, watcher, fc.nat(), fc.boolean(), async (list, more, where, stopOnFailure) => {
      const before = await outcomeOf(list, stopOnFailure);
      fc.pre(before.action === "deny");
      // Marked parallel it joins its neighbours and parts none of them.
      const longer = list.toSpliced(where % (list.length + 1), 0, { ...more, parallel: true });
      expect((await outcomeOf(longer, stopOnFailure)).action).toBe("deny");
    }),
  );
});

test("one more guard at the end denies whatever it objects to", async () => {
  await fc.assert(
    fc.asyncProperty(parts, async (list) => {
      const { input } = await outcomeOf(list);
      const last = { does: "guard", at: input.n, parallel: false, turns: 0 } as const;
      expect((await outcomeOf([...list, last])).action).toBe("deny");
    }),
  );
});

async function outcomeOf(list: readonly Part[], stopOnFailure = false) {
  const event = HookEvent.toolPreExecute("count", Object.freeze({ n: 0 }));
  const byHook = new Map(list.map((each, index) => [hookOf(each, index), each]));
  const ran = await runChain(event, [...byHook.keys()], (hook, now) => answer(hook, now, byHook.get(hook)), {
    stopOnFailure,
  });
  const changed = ran.isChanged ? { changed: { value: ran.event.data.tool_args } } : {};
  const { action, reasons } = aggregate({ event, results: ran.results, ...changed });
  const actions = ran.results.map((result) => result.action);
  return { action, reasons, actions, input: ran.event.data.tool_args as { n: number } };
}

function hookOf({ parallel }: Part, index: number): Hook {
  return Hook.fromJSON({ name: `hook ${index}`, event: "*", command: "true", parallel });
}

async function answer(hook: Hook, event: HookEvent, says: Part | undefined): Promise<HookResult> {
  for (let turn = 0; turn < (says?.turns ?? 0); turn++) await new Promise(setImmediate);
  const said = verdict(says, (event.data.tool_args as { n: number }).n);
  const ran = { success: true, timedOut: false, exitCode: 0, stdout: "", stderr: "", duration: 0, durationMs: 0 };
  return { hook, ...ran, ...said, shouldContinue: said.action !== "deny" };
}

function verdict(says: Part | undefined, n: number): Pick<HookResult, "action" | "reason" | "modifiedData"> {
  const change = (patch: object) => ({ action: "modify", modifiedData: { patch } }) as const;
  switch (says?.does) {
    case "guard":
      return n === says.at ? { action: "deny", reason: `no ${n}` } : { action: "continue" };
    case "ask":
      return n === says.at ? { action: "ask", reason: `${n}?` } : { action: "continue" };
    case "move":
      return n === says.from ? change({ n: says.to }) : { action: "continue" };
    case "add":
      return change({ n: (n + 1) % 4 });
    case "mark":
      return change({ [says.field]: says.value });
    case undefined:
      return { action: "continue" };
  }
}
