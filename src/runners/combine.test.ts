import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cases } from "../../tests/cases.ts";
import type { Decision } from "../decision/decision.ts";
import { type Action, type HookResult, STRICTNESS } from "../decision/result.ts";
import { type ExecuteOptions, HookExecutor } from "../engine/executor.ts";
import { HookEvent } from "../event/event.ts";
import { Hook } from "../hook/hook.ts";
import { HookRegistry } from "../registry/registry.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-combine-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BASH: HookEvent = HookEvent.toolPreExecute("bash", { command: "ls" });
const PASS = { command: "true" };
const DENY = { command: "echo no; exit 1" };
const ASK = { command: `echo '{"action":"ask","reason":"sure?"}'` };
const KILLED = { command: "kill -9 $$" };
const says = (answer: object) => ({ command: `echo '${JSON.stringify(answer)}'` });
const when = (condition: object, ...branches: object[]) => ({
  when: Object.assign(
    { ...condition },
    ...branches.map((branch, index) => ({ [index === 0 ? "then" : "else"]: branch })),
  ),
});
const patch = (fields: object) => says({ action: "modify", modified_data: { patch: fields } });

function decide(spec: object, event = BASH, options: ExecuteOptions = {}): Promise<Decision> {
  const registry = new HookRegistry();
  registry.register(new Hook({ name: "whole", event: "*", ...spec }, { isChecked: true }));
  return new HookExecutor({ registry, workingDir: folder }).decide(event, options);
}

/** A command that leaves a line in a file each time it runs. */
const counted = (command: string) => ({ command: `echo run >> runs; ${command}` });
const runs = () =>
  existsSync(join(folder, "runs")) ? readFileSync(join(folder, "runs"), "utf8").split("\n").length - 1 : 0;

describe("all", () => {
  it("lets pass what every member lets pass", async () => {
    expect(await decide({ all: [PASS, PASS] })).toMatchObject({ action: "continue", reasons: [] });
  });

  it("takes the strictest verdict, with every reason for it and every context", async () => {
    const noted = says({ action: "continue", context: "a note" });
    const { action, reasons, contexts } = await decide({ all: [noted, ASK, DENY, { command: "echo never; exit 1" }] });
    expect({ action, reasons, contexts }).toEqual({ action: "deny", reasons: ["no; never"], contexts: ["a note"] });
  });

  it("runs every member, also behind a denial", async () => {
    await decide({ all: [counted("exit 1"), counted("true"), counted("exit 1")] });
    expect(runs()).toBe(3);
  });

  it("puts changes of different fields together, and denies different changes of one", async () => {
    expect((await decide({ all: [patch({ a: 1 }), patch({ b: 2 })] })).input).toEqual({ command: "ls", a: 1, b: 2 });
    const { action, results } = await decide({ all: [patch({ a: 1 }), patch({ a: 2 })] });
    expect(action).toBe("deny");
    expect(results[0]?.code).toBe("MODIFY_CONFLICT");
  });

  it("shows the failure of a member, and what it means is the member's own word", async () => {
    const fatal = await decide({ all: [PASS, KILLED] });
    expect(fatal.action).toBe("deny");
    expect(fatal.results[0]).toMatchObject({ success: false, failure: { why: "signal" }, code: "HOOK_ERROR" });
    const harmless = await decide({ all: [PASS, { ...KILLED, on_error: "continue" }] });
    expect(harmless.action).toBe("continue");
    expect(harmless.results[0]).toMatchObject({ success: false, notes: [expect.stringContaining("SIGKILL")] });
  });
});

describe("any", () => {
  it.each<[string, object[], Action]>([
    ["one passes", [DENY, PASS], "continue"],
    ["all deny", [DENY, DENY], "deny"],
    ["one asks and the others deny", [DENY, ASK], "ask"],
    ["one failed and the other passes", [KILLED, PASS], "continue"],
    ["one failed and the other denies", [{ ...KILLED, on_error: "continue" }, DENY], "deny"],
    ["all failed, which means what failures mean", [KILLED, KILLED], "deny"],
    ["all failed, and failures mean nothing", [{ ...KILLED, on_error: "continue" }], "continue"],
  ])("when %s", async (_, members, action) => {
    expect((await decide({ any: members })).action).toBe(action);
  });

  it("stops at the first that passes, and keeps its change", async () => {
    const { input } = await decide({ any: [DENY, patch({ dry: true }), counted("true")] });
    expect(input).toEqual({ command: "ls", dry: true });
    expect(runs()).toBe(0);
  });

  it("tells every reason when none passes, and what failed", async () => {
    const { reasons, results } = await decide({ any: [DENY, KILLED, { command: "echo never; exit 1" }] });
    expect(reasons).toEqual(["no; never"]);
    expect(results[0]?.notes).toEqual([expect.stringContaining("SIGKILL")]);
  });

  it("takes no pass from a member that does not apply", async () => {
    const elsewhere = when({ tool: "write" }, PASS);
    expect((await decide({ any: [elsewhere, DENY] })).action).toBe("deny");
  });
});

describe("pipe", () => {
  it("shows each member what the former made of the call", async () => {
    const seen = { command: "cat > seen" };
    const { input } = await decide({ pipe: [patch({ a: 1 }), seen] });
    expect(input).toEqual({ command: "ls", a: 1 });
    expect(JSON.parse(readFileSync(join(folder, "seen"), "utf8")).data.tool_args).toEqual({ command: "ls", a: 1 });
  });

  it("stops at the first denial", async () => {
    expect(await decide({ pipe: [patch({ a: 1 }), DENY, counted("true")] })).toMatchObject({ action: "deny" });
    expect(runs()).toBe(0);
  });

  it("lets no approval outlive the input it approved", async () => {
    const guard = { rules: 'args.command contains "rm" -> deny("no rm")' };
    const { action, reasons } = await decide({ pipe: [guard, patch({ command: "rm -rf /" })] });
    expect({ action, reasons }).toEqual({ action: "deny", reasons: ["no rm"] });
  });

  it("changes prompts and results too", async () => {
    const prompt = await decide(
      { pipe: [says({ action: "modify", modified_data: { prompt: "new" } })] },
      HookEvent.userPromptSubmit("old"),
    );
    expect(prompt.input).toBe("new");
    const result = says({ action: "modify", modified_data: { result: "cleaned" } });
    expect((await decide({ pipe: [result] }, HookEvent.toolPostExecute("bash", {}, "raw"))).output).toBe("cleaned");
  });
});

describe("retry", () => {
  const claude = { exit_codes: "claude" };

  it("repeats a member that failed, until it works", async () => {
    const flaky = { ...counted("test $(wc -l < runs) -ge 3"), ...claude };
    const { action, results } = await decide({ retry: { times: 5, delay: "1ms", of: flaky } });
    expect(action).toBe("continue");
    expect(results[0]).toMatchObject({ success: true, notes: [expect.stringContaining("was run 3 times")] });
    expect(runs()).toBe(3);
  });

  it("gives up after so many repetitions, and then it is a failure like any other", async () => {
    const { action, results } = await decide({ retry: { times: 2, of: { ...counted("exit 1"), ...claude } } });
    expect(action).toBe("deny");
    expect(results[0]).toMatchObject({ success: false, failure: { why: "exited", exitCode: 1 }, code: "HOOK_ERROR" });
    expect(runs()).toBe(3);
  });

  it.each([
    ["denied", counted("exit 2")],
    ["denied beside one that failed", { all: [counted("exit 2"), { ...KILLED, on_error: "deny" }] }],
    ["passed", counted("true")],
    ["is not there", counted("exit 127")],
  ])("never repeats a member that %s", async (_, member) => {
    await decide({ ...claude, retry: { times: 3, of: member } });
    expect(runs()).toBe(1);
  });

  it("ends with the whole", async () => {
    const slow = { ...counted("sleep 20"), timeout: "50ms" };
    const { results } = await decide({ timeout: "400ms", retry: { times: 100, of: slow } });
    expect(results[0]).toMatchObject({ timedOut: true, action: "deny" });
    expect(runs()).toBeLessThan(12);
  });

  it("does not go on when the caller gave up", async () => {
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 100);
    const options = { signal: caller.signal };
    const { action } = await decide({ retry: { times: 5, delay: "10s", of: KILLED } }, BASH, options);
    expect(action).toBe("deny");
  });
});

describe("when", () => {
  it.each<[string, object, boolean]>([
    ["a tool", { tool: "bash" }, true],
    ["another tool", { tool: ["write", "edit"] }, false],
    ["a tool kind", { tool: "@shell" }, true],
    ["an event", { event: "PreToolUse" }, true],
    ["another event", { event: "session:*" }, false],
    ["a matcher", { matcher: { events: ["PreToolUse"], command_patterns: ["l*"] } }, true],
    ["a matcher that does not fit", { matcher: { command_patterns: ["rm*"] } }, false],
    ["a rule", { if: 'args.command starts_with "l" and not tool equals "write"' }, true],
    ["a rule over two lines", { if: 'args.command equals "ls"\n  and tool equals "write"' }, false],
    ["a tool and a rule that does not hold", { tool: "bash", if: 'args.command equals "rm"' }, false],
  ])("asks for %s", async (_, condition, holds) => {
    const branch = { command: "echo then; exit 1" };
    const otherwise = { command: "echo else; exit 1" };
    expect((await decide(when(condition, branch, otherwise))).reasons).toEqual([holds ? "then" : "else"]);
    expect((await decide(when(condition, branch))).action).toBe(holds ? "deny" : "continue");
  });

  it("fails when its rule cannot be read", async () => {
    const { action, results } = await decide(when({ if: "args.command likes" }, PASS));
    expect(action).toBe("deny");
    expect(results[0]?.error).toContain("column 14");
  });
});

describe("the whole", () => {
  it("is over when its timeout is, whatever its members may take", async () => {
    const slow = { command: "sleep 20", timeout: "15s" };
    for (const members of [{ all: [slow, slow] }, { pipe: [slow] }, { any: [slow, slow] }, when({ tool: "*" }, slow)]) {
      const { results } = await decide({ timeout: "150ms", ...members });
      const [result] = results;
      expect(result).toMatchObject({ timedOut: true, failure: { afterMs: 150 }, action: "deny" });
      expect(result?.durationMs).toBeLessThan(10_000);
    }
  });

  it("starts no member any more when its time is over", async () => {
    const late = { command: "sleep 20", on_error: "continue" };
    const { action, results } = await decide({ timeout: "150ms", on_error: "continue", pipe: [late, DENY] });
    expect([action, results[0]?.timedOut]).toEqual(["continue", true]);
  });

  it("says what being late means, but never less than a member said", async () => {
    const late = { command: "sleep 20" };
    const whole = { timeout: "3s", on_error: "continue" };
    const said = [
      { timeout: "300ms", on_error: "continue", all: [late, PASS] },
      { ...whole, all: [late, DENY] },
      { ...whole, all: [late, { ...KILLED, on_error: "deny" }] },
    ].map(async (hook) => (await decide(hook)).action);
    expect(await Promise.all(said)).toEqual(["continue", "deny", "deny"]);
  });

  it("leaves out members that are switched off", async () => {
    expect((await decide({ all: [{ ...DENY, enabled: false }, PASS] })).action).toBe("continue");
    expect((await decide({ any: [DENY, { ...PASS, enabled: false }] })).action).toBe("deny");
  });

  it("may be made of wholes", async () => {
    const inner = { retry: { times: 1, of: { any: [DENY, { all: [PASS, when({ tool: "bash" }, PASS)] }] } } };
    expect((await decide({ pipe: [patch({ a: 1 }), inner] })).input).toEqual({ command: "ls", a: 1 });
  });

  it("in monitor mode says what it would have said", async () => {
    const { action, results } = await decide({ mode: "monitor", all: [DENY] });
    expect({ action, wouldBe: results[0]?.wouldBe }).toEqual({ action: "continue", wouldBe: "deny" });
  });

  it("gives what members print at the start of a session as context, once", async () => {
    const { contexts } = await decide(
      { all: [{ command: "echo one" }, { command: "echo two" }] },
      HookEvent.sessionStart("s"),
    );
    expect(contexts).toEqual(["one\ntwo"]);
  });

  it("is traced with each of its members", async () => {
    const told: string[] = [];
    const registry = new HookRegistry();
    registry.register(
      new Hook({
        name: "whole",
        event: "*",
        all: [
          { ...PASS, name: "one" },
          { ...KILLED, name: "two" },
        ],
      }),
    );
    const trace = { result: (_: HookEvent, { hook, success }: HookResult) => told.push(`${hook.name} ${success}`) };
    await new HookExecutor({ registry, trace }).decide(BASH);
    expect(told.toSorted()).toEqual(["one true", "two false", "whole false"]);
  });
});

describe("whatever the members say", () => {
  const member = fc.constantFrom<[Action | "broken", object]>(
    ["continue", { rules: 'tool equals "none" -> deny()' }],
    ["modify", { rules: "tool exists -> modify(args.a, 1)" }],
    ["ask", { rules: 'tool exists -> ask("sure?")' }],
    ["deny", { rules: 'tool exists -> deny("no")' }],
    ["broken", { rules: "(", on_error: "continue" }],
    ["broken", { rules: "(", on_error: "deny" }],
  );
  const members = fc.array(member, { minLength: 1, maxLength: 5 });
  const data = (list: readonly (readonly [unknown, object])[]) => list.map(([, spec]) => spec);

  it("all comes to the same in any order, and a denial is a denial", async () => {
    const shuffled = members.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([list, other]) => {
        const { action } = await decide({ all: data(list) });
        expect((await decide({ all: data(other) })).action).toBe(action);
        if (list.some(([said]) => said === "deny")) expect(action).toBe("deny");
      }),
      { numRuns: cases(30, 2_000) },
    );
  });

  it("any is never weaker than the weakest member that spoke", async () => {
    await fc.assert(
      fc.asyncProperty(members, async (list) => {
        const spoken = list.flatMap(([said]) => (said === "broken" ? [] : [STRICTNESS[said]]));
        if (spoken.length === 0) return;
        const { action } = await decide({ any: data(list) });
        expect(STRICTNESS[action]).toBeGreaterThanOrEqual(Math.min(...spoken));
        expect(action === "deny").toBe(spoken.every((strictness) => strictness === STRICTNESS.deny));
      }),
      { numRuns: cases(30, 2_000) },
    );
  });

  it("pipe denies what a member on its own denies", async () => {
    await fc.assert(
      fc.asyncProperty(members, async (list) => {
        const { action } = await decide({ pipe: data(list) });
        if (list.some(([said]) => said === "deny")) expect(action).toBe("deny");
      }),
      { numRuns: cases(30, 2_000) },
    );
  });

  it("retry says what its member says, and never turns a denial into less", async () => {
    await fc.assert(
      fc.asyncProperty(members, fc.constantFrom("all", "any", "pipe"), async (list, way) => {
        const once = await decide({ [way]: data(list) });
        const again = await decide({ retry: { times: 2, of: { [way]: data(list) } } });
        expect(again.action).toBe(once.action);
      }),
      { numRuns: cases(30, 2_000) },
    );
  });
});
