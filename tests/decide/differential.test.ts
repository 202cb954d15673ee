import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aggregate } from "../../src/decision/aggregate.ts";
import { modifiable } from "../../src/decision/modification.ts";
import { runChain } from "../../src/engine/chain.ts";
import { judge } from "../../src/engine/judge.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import type { Ran } from "../../src/runners/runner.ts";
import { cases, seedOr } from "../cases.ts";
import { numbers } from "../trace/secret-places.ts";
import {
  type Field,
  type Input,
  type NaiveAnswer,
  type NaiveEvent,
  type NaiveHook,
  naiveDecision,
} from "./naive-decision.ts";

const START: Input = { a: 0, b: 1 };

/** Events of every sort: gates and others, of which the input, the result or nothing can be changed. */
const EVENTS: readonly { readonly naive: NaiveEvent; readonly make: () => HookEvent }[] = [
  { naive: { isGate: true, changes: "input" }, make: () => HookEvent.toolPreExecute("count", { ...START }) },
  { naive: { isGate: false, changes: "output" }, make: () => HookEvent.toolPostExecute("count", {}, { ...START }) },
  {
    naive: { isGate: true, changes: undefined },
    make: () => new HookEvent({ type: "session:stop", data: { ...START } }),
  },
  {
    naive: { isGate: false, changes: undefined },
    make: () => new HookEvent({ type: "session:end", data: { ...START } }),
  },
];

test("the naive decision function is short enough to be read at once", () => {
  const text = readFileSync(new URL("naive-decision.ts", import.meta.url), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(200);
});

test("the engine decides as the naive function does", { timeout: 1_200_000 }, async () => {
  const random = numbers(seedOr(11));
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const count = cases(300, 1_000_000);
  for (let at = 0; at < count; at++) {
    const { naive, make } = one(EVENTS);
    const hooks = Array.from({ length: Math.floor(random() * 6) }, (_, index) => naiveHook(`h${index}`, random, one));
    const stopOnFailure = random() < 0.2;
    const expected = naiveDecision(hooks, naive, START, stopOnFailure);
    const decided = await decisionOf(hooks, make(), stopOnFailure);
    if (JSON.stringify(decided) !== JSON.stringify(expected))
      expect(decided, `case ${at}: ${JSON.stringify({ naive, stopOnFailure, hooks })}`).toEqual(expected);
  }
});

type Pick = <T>(list: readonly T[]) => T;

function naiveHook(name: string, random: () => number, one: Pick): NaiveHook {
  return {
    name,
    layer: one(["managed", "user", "project", "local"]),
    priority: one([50, 100, 100, 100, 200]),
    enabled: random() < 0.9,
    parallel: random() < 0.4,
    monitor: random() < 0.1,
    onError: one(["deny", "ask", "continue"]),
    exitCodes: one(["any", "claude", "amplifier"]),
    when: random() < 0.5 ? { field: one<Field>(["a", "b"]), is: one([0, 1, 2]) } : undefined,
    says: answer(random, one),
  };
}

function answer(random: () => number, one: Pick): NaiveAnswer {
  const turn = random();
  if (turn < 0.4)
    return { does: "answer", action: one(["continue", "continue", "allow", "deny", "ask"]), context: random() < 0.3 };
  if (turn < 0.75)
    return { does: "change", action: one(["modify", "modify", "ask"]), field: one(["a", "b"]), to: one([0, 1, 2]) };
  if (turn < 0.9) return { does: "exit", code: one([0, 1, 2, 3]), out: random() < 0.5, err: random() < 0.5 };
  return { does: "break", why: one(["timeout", "bad_json", "not_found"]) };
}

async function decisionOf(naive: readonly NaiveHook[], event: HookEvent, stopOnFailure: boolean) {
  const registry = new HookRegistry();
  const byHook = new Map<Hook, NaiveHook>();
  for (const each of naive) {
    const { name, priority, enabled, parallel, onError, exitCodes } = each;
    const hook = Hook.fromJSON(
      {
        name,
        event: "*",
        command: "true",
        priority,
        enabled,
        parallel,
        onError,
        exitCodes,
        mode: each.monitor ? "monitor" : "enforce",
      },
      { layer: each.layer, place: { file: "f" }, index: 0 },
    );
    byHook.set(hook, each);
    registry.register(hook);
  }
  const run = (hook: Hook, now: HookEvent) => judge(hook, now, ranOf(byHook.get(hook) as NaiveHook, now), 0);
  const ran = await runChain(event, registry.getHooks(event), run, { stopOnFailure });
  const changed = ran.isChanged ? { changed: { value: modifiable(ran.event) } } : {};
  const { action, reasons, contexts, approved, input, output, results } = aggregate({
    event,
    results: ran.results,
    ...changed,
  });
  return {
    action,
    reasons: reasons.map(plain),
    contexts: contexts.map(plain),
    approved,
    value: input ?? output,
    actions: results.map((result) => result.action),
  };
}

/** How a failure is told is not compared. */
function plain(reason: string): string {
  return reason.replace(/^hook "(\w+)" (?!says ).*$/, "fails:$1");
}

function ranOf({ name, says, when }: NaiveHook, event: HookEvent): Ran {
  const ran = { exitCode: 0, stdout: "", stderr: "" };
  const input = event.type.startsWith("tool:") ? (modifiable(event) as Input) : START;
  if (when && input[when.field] !== when.is) return ran;
  switch (says.does) {
    case "break":
      return { ...ran, exitCode: null, failure: FAILURES[says.why] };
    case "exit":
      return {
        exitCode: says.code,
        stdout: says.out && says.code > 0 ? `out ${name}` : "",
        stderr: says.err ? `err ${name}` : "",
      };
    case "change":
      return {
        ...ran,
        answer: { action: says.action, reason: `why ${name}`, modifiedData: { patch: { [says.field]: says.to } } },
      };
    case "answer": {
      const context = says.context ? { context: `context of ${name}` } : {};
      const isObjection = says.action === "deny" || says.action === "ask";
      return { ...ran, answer: { action: says.action, ...(isObjection ? { reason: `why ${name}` } : {}), ...context } };
    }
  }
}

const FAILURES = {
  timeout: { why: "timeout", afterMs: 1000 },
  bad_json: { why: "bad_json", message: "torn", got: "{" },
  not_found: { why: "not_found", program: "x" },
} as const;
