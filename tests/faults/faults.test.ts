import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it, vi } from "vitest";
import type { Decision } from "../../src/decision/decision.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { cases } from "../cases.ts";
import type { AgentHookEvent, Fault, Shape } from "./fault.ts";
import { FAULTS } from "./faults.ts";
import { processes, survivors } from "./survivors.ts";

vi.setConfig({ maxConcurrency: 8 });

const SHAPES: Readonly<Record<Shape, { keys: (event: string) => object; called: string }>> = {
  event: { keys: (event) => ({ event }), called: "a hook with event" },
  matcher: { keys: (event) => ({ matcher: { events: [event] } }), called: "a hook with matcher" },
};
const HOOK_EVENTS: Readonly<Record<AgentHookEvent, string>> = { gate: "at a gate", after: "after the act" };

/** Seconds that a run may need beyond its deadline on a busy machine: the grace, the drain and the end. What hangs, hangs for a minute. */
const ALLOWANCE = 10;
/** Starting, the deadline, the grace and the end come each as late as this very program is, busy with the other runs. */
const LATE_TIMES = 4;
const DEADLINE = 40;

/**
 * How a process ends is seen the same by hooks of both shapes at both places, and what is made of it is told from that alone.
 * So the first fault of each outcome is tried in all four, and of the others each in one; `npm run fuzz` tries all in all.
 */
function isTried(fault: Fault, place: number): boolean {
  const at = FAULTS.indexOf(fault);
  const outcome = JSON.stringify(fault.expected);
  return (
    at % cases(4, 1) === place % cases(4, 1) ||
    FAULTS.findIndex(({ expected }) => JSON.stringify(expected) === outcome) === at
  );
}

for (const [row, shape] of (Object.keys(SHAPES) as Shape[]).entries()) {
  for (const [column, hookEvent] of (Object.keys(HOOK_EVENTS) as AgentHookEvent[]).entries()) {
    describe.concurrent(`${SHAPES[shape].called} ${HOOK_EVENTS[hookEvent]}`, () => {
      const tried = FAULTS.filter((fault) => isTried(fault, 2 * row + column));
      it.concurrent.each(tried.map((fault) => [fault.name, fault] as const))("%s", async (_, fault) => {
        const outcome = fault.expected[shape][hookEvent];
        const { decision, seconds, limit, left } = await run(fault, shape, hookEvent);
        const [result] = decision.results;
        expect({
          why: result?.failure?.why,
          action: result?.action,
          decision: decision.action,
          shouldContinue: result?.shouldContinue,
          timedOut: result?.timedOut,
        }).toEqual({
          why: outcome.why,
          action: outcome.action,
          decision: outcome.decision,
          shouldContinue: outcome.action !== "deny",
          timedOut: outcome.why === "timeout",
        });
        expect(result?.error === undefined).toBe(outcome.why === undefined);
        if (outcome.why !== undefined) expect(result?.success).toBe(false);
        if (typeof fault.stdout === "string") expect(result?.stdout).toBe(fault.stdout);
        if (fault.stdout instanceof RegExp) expect(result?.stdout).toMatch(fault.stdout);
        if (fault.kept?.stdout) expect(result?.stdout).toHaveLength(fault.kept.stdout);
        if (fault.kept?.stderr) expect(result?.stderr).toHaveLength(fault.kept.stderr);
        if (fault.notes) expect(result?.notes?.join("\n")).toMatch(fault.notes);
        if (fault.says) expect(result?.error).toMatch(fault.says);
        expect(seconds).toBeLessThanOrEqual(limit);
        expect(left).toEqual([]);
      });
    });
  }
}

it("the table holds no fault twice", () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

async function run(fault: Fault, shape: Shape, hookEvent: AgentHookEvent) {
  const folder = mkdtempSync(join(tmpdir(), "fault-"));
  const mark = randomUUID();
  try {
    const event = eventOf(hookEvent, fault.payload ?? 0, folder);
    const own = fault.hook({ folder, file: (...content) => writeFile(folder, ...content) });
    const env = { FAULT_MARK: mark, ...(own.env as object | undefined) };
    const { deadline = DEADLINE } = fault;
    const hook = new Hook({ ...SHAPES[shape].keys(event.type), ...own, env, timeout: deadline });
    const registry = new HookRegistry();
    registry.register(hook);
    const before = processes();
    const began = performance.now();
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const decision: Decision = await new HookExecutor({ registry }).decide(event, signalOf(fault));
    const seconds = (performance.now() - began) / 1000;
    delay.disable();
    const limit = deadline + ALLOWANCE + (LATE_TIMES * delay.max) / 1e9;
    return { decision, seconds, limit, left: await survivors(mark, before) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function eventOf(hookEvent: AgentHookEvent, payload: number, cwd: string): HookEvent {
  const args = { command: "ls", content: "x".repeat(payload) };
  if (hookEvent === "gate") return HookEvent.toolPreExecute("Bash", args, { cwd });
  return HookEvent.toolPostExecute("Bash", args, { text: "done" }, { cwd });
}

function signalOf({ abortAfter }: Fault): { signal?: AbortSignal } {
  if (abortAfter === undefined) return {};
  return { signal: abortAfter === 0 ? AbortSignal.abort() : AbortSignal.timeout(abortAfter) };
}

function writeFile(folder: string, name: string, content: string | Buffer, mode = 0o644): string {
  const file = join(folder, name);
  writeFileSync(file, content, { mode });
  return file;
}
