import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WorkBudget } from "../event/work-budget.ts";
import { fireEvent, Hook, HookEvent, HookExecutor, HookRegistry, type Trace } from "../index.ts";

const bash = HookEvent.toolPreExecute("bash", { command: "ls" });
const done = HookEvent.toolPostExecute("bash", { command: "ls" }, "ok");
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-executor-")));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  HookRegistry.resetInstance();
  delete process.env.SLUICE_DEPTH;
});

type Given = string | (Record<string, unknown> & { command?: string });
const hooksOf = (...all: Given[]) =>
  all.map((given) => Hook.fromJSON({ event: "*", ...(typeof given === "string" ? { command: given } : given) }));

function executor(hooks: Hook[], options: ConstructorParameters<typeof HookExecutor>[0] = {}): HookExecutor {
  const registry = new HookRegistry();
  registry.loadHooks(hooks);
  return new HookExecutor({ registry, workingDir: folder, ...options });
}

describe("hooks run in order, and each gives a result", () => {
  test("a success", async () => {
    const [result] = await executor(hooksOf("echo 'hello'")).executeHooks(bash);
    expect(result).toMatchObject({ exitCode: 0, success: true, shouldContinue: true, timedOut: false, stderr: "" });
    expect(result?.stdout).toContain("hello");
    expect(result?.duration).toBeCloseTo((result?.durationMs ?? 0) / 1000);
  });

  test("a failure", async () => {
    const [result] = await executor(hooksOf("exit 1")).executeHooks(bash);
    expect(result).toMatchObject({ exitCode: 1, success: false, shouldContinue: false, action: "deny" });
  });

  const three = ["echo ok >> ran", "exit 1", "echo after >> ran"];
  test("stopOnFailure ends the chain, and what follows does not run", async () => {
    const results = await executor(hooksOf(...three)).executeHooks(bash, { stopOnFailure: true });
    expect(results).toHaveLength(2);
    expect(readFileSync(join(folder, "ran"), "utf8")).toBe("ok\n");
  });

  test("without it all run", async () => {
    expect(await executor(hooksOf(...three)).executeHooks(bash)).toHaveLength(3);
    expect(readFileSync(join(folder, "ran"), "utf8")).toBe("ok\nafter\n");
  });

  test("a hook that does not finish counts as a failure and ends the chain too", async () => {
    const hooks = hooksOf({ command: "sleep 30", timeout: 0.1 }, "echo after >> ran");
    const results = await executor(hooks).executeHooks(bash, { stopOnFailure: true });
    expect(results).toMatchObject([{ timedOut: true, success: false, shouldContinue: false, exitCode: null }]);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("no hook listens: an empty list, and an open gate", async () => {
    expect(await executor([]).executeHooks(bash)).toEqual([]);
    expect(await executor([]).decide(bash)).toMatchObject({ action: "continue", results: [], contexts: [] });
  });

  test("after a gate should_continue stays a plain reading of the result", async () => {
    const decision = await executor(hooksOf("echo lint failed; exit 1")).decide(done);
    expect(decision.results[0]).toMatchObject({ action: "deny", shouldContinue: false });
    expect(decision).toMatchObject({ action: "continue", contexts: ["lint failed"] });
  });

  test("each sees what earlier ones made of the input", async () => {
    const rewrite = `echo '{"action":"modify","modified_data":{"patch":{"cwd":"/p"}}}'`;
    const { results, input } = await executor(hooksOf(rewrite, 'printf %s "$SLUICE_TOOL_ARGS"')).decide(bash);
    expect(input).toEqual({ command: "ls", cwd: "/p" });
    expect(bash.data.tool_args).toEqual({ command: "ls" });
    expect(results[1]).toMatchObject({ failure: undefined, stdout: '{"command":"ls","cwd":"/p"}' });
  });
});

describe("an input that another hook has changed", () => {
  const rewriter = {
    event: "tool:pre_execute:@shell",
    command: `case "$(cat)" in *'"ls"'*) echo '{"action":"modify","modified_data":{"patch":{"command":"rm -rf build"}}}';; esac`,
  };
  const guard = { event: undefined, matcher: { events: ["PreToolUse"], command_patterns: ["rm *"] } };
  const noRm = { ...guard, name: "no-rm", command: "echo no rm; exit 1" };

  test.each([
    ["behind", [rewriter, noRm]],
    ["before", [noRm, rewriter]],
  ])("meets a guard whose matcher it fits only now, %s its author", async (_, hooks) => {
    const decision = await executor(hooksOf(...hooks)).decide(bash);
    expect(decision).toMatchObject({ action: "deny", reasons: ["no rm"] });
    expect(decision.results).toHaveLength(2);
  });

  test("meets everybody in order", async () => {
    const late = { ...guard, command: "echo late >> ran", priority: 300 };
    const early = { ...guard, command: "echo early >> ran", priority: 1 };
    const hooks = hooksOf(rewriter, { command: "echo always >> ran", priority: 200 }, late, early);
    expect(await executor(hooks).decide(bash)).toMatchObject({ action: "modify", input: { command: "rm -rf build" } });
    expect(readFileSync(join(folder, "ran"), "utf8")).toBe("early\nalways\nlate\n");
  });

  test("reaches no hook before its listener was told", async () => {
    const onNewcomers = () => Promise.reject(new Error("elsewhere"));
    const hooks = hooksOf(rewriter, { ...guard, command: "echo x >> ran" });
    await expect(executor(hooks, { onNewcomers }).decide(bash)).rejects.toThrow("elsewhere");
    expect(existsSync(join(folder, "ran"))).toBe(false);
    expect((await executor(hooksOf(rewriter), { onNewcomers }).decide(bash)).action).toBe("modify");
  });
});

test.each([
  [{ type: "PreToolUse", data: {} }, "an object"],
  ["PreToolUse", "PreToolUse"],
  [undefined, "undefined"],
  [null, "null"],
])("what is no event is refused, not passed: %j", async (given, named) => {
  const deciding = executor(hooksOf("exit 1"));
  const refusal = {
    code: "engine/no-event",
    message: expect.stringContaining(`The value to decide is ${named}, and no HookEvent.`),
    fix: expect.stringContaining("new HookEvent({ type:"),
  };
  await expect(deciding.decide(given as never)).rejects.toMatchObject(refusal);
  await expect(deciding.executeHooks(given as never)).rejects.toMatchObject(refusal);
});

describe("who listens", () => {
  test("an empty registry is a registry, not the shared one", async () => {
    HookRegistry.getInstance().register(hooksOf("exit 1")[0]!);
    expect(await new HookExecutor({ registry: new HookRegistry() }).executeHooks(bash)).toEqual([]);
    expect(await new HookExecutor().executeHooks(bash)).toHaveLength(1);
  });

  test("fireEvent runs the shared registry, or the executor that is given", async () => {
    HookRegistry.getInstance().register(hooksOf("echo shared")[0]!);
    const own = executor(hooksOf("echo own", "exit 1", "echo after"));
    expect((await fireEvent(bash)).map(({ stdout }) => stdout)).toEqual(["shared\n"]);
    expect((await fireEvent(bash, { executor: own })).map(({ stdout }) => stdout)).toEqual(["own\n", "", "after\n"]);
    expect(await fireEvent(bash, { executor: own, stopOnFailure: true })).toHaveLength(2);
  });
});

describe("a hook's deadline", () => {
  test("is the executor's own default where the hook states none", async () => {
    const hooks = [...hooksOf("sleep 30"), Hook.fromJSON({ matcher: {}, command: "sleep 30" })];
    const results = await executor(hooks, { defaultTimeout: 0.1 }).executeHooks(bash);
    expect(results).toMatchObject([{ timedOut: true }, { timedOut: true }]);
    expect(results[0]?.error).toBe("did not finish within 0.1 s");
  });

  test("is its own where it states one", async () => {
    const [result] = await executor(hooksOf({ command: "sleep 0.3", timeout: 20 }), {
      defaultTimeout: 0.1,
    }).executeHooks(bash);
    expect(result).toMatchObject({ timedOut: false, success: true });
    const two = hooksOf({ command: "true", timeout: 20 }, { command: "sleep 20", timeout: 0.1 });
    expect(await executor(two).executeHooks(bash)).toMatchObject([{ timedOut: false }, { timedOut: true }]);
  });

  test("shows 10 s where nothing is stated", () => {
    expect(new HookExecutor().defaultTimeout).toBe(10);
    expect(new HookExecutor({ defaultTimeout: 3 }).defaultTimeout).toBe(3);
  });

  test.each([0, -1, Number.NaN, "soon"])("is no number of seconds above 0, and is refused: %s", (given) => {
    expect(() => new HookExecutor({ defaultTimeout: given as number })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`\`defaultTimeout\` is ${given}; it has to be a number of seconds above 0.`),
        fix: expect.stringContaining("write 10"),
      }),
    );
  });
});

describe("async hooks", () => {
  const waits = {
    command: 'while [ ! -e go ]; do sleep 0.02; done; echo late > done; echo \'{"action":"deny"}\'; exit 1',
    async: true,
    timeout: 15,
  };

  test("never delay and never decide, and idle waits for them", async () => {
    const own = executor(hooksOf(waits, "echo now"));
    const decision = await own.decide(bash);
    expect(decision).toMatchObject({ action: "continue", reasons: [] });
    expect(decision.results.map(({ stdout }) => stdout)).toEqual(["now\n"]);
    expect(existsSync(join(folder, "done"))).toBe(false);
    expect(own.isBusy).toBe(true);
    writeFileSync(join(folder, "go"), "");
    expect(await own.idle()).toMatchObject([{ action: "deny", exitCode: 1 }]);
    expect(own.isBusy).toBe(false);
    expect(readFileSync(join(folder, "done"), "utf8")).toBe("late\n");
    expect(await own.idle()).toEqual([]);
  });

  test("are traced like all others, and outlive the caller's patience", async () => {
    const told: (number | null)[] = [];
    const own = executor(hooksOf(waits), { trace: { result: (_, { exitCode }) => void told.push(exitCode) } });
    const { action } = await own.decide(done, { signal: AbortSignal.abort() });
    expect(action).toBe("continue");
    writeFileSync(join(folder, "go"), "");
    await own.idle();
    expect(told).toEqual([1]);
  });
});

test("idle tells of async hooks that ended long before the others, once", async () => {
  const deciding = executor(hooksOf({ async: true, args: ["/nope"] }, "sleep 0.2"));
  await deciding.decide(bash);
  expect(await deciding.idle()).toMatchObject([{ success: false, failure: { why: "not_found" } }]);
  expect(await deciding.idle()).toEqual([]);
});

test("idle tells of the latest thousand async hooks", async () => {
  const rules = { async: true, rules: 'tool exists -> warn("seen")' };
  const deciding = executor(hooksOf(rules));
  const seen = async (times: number) => {
    for (let turn = 0; turn < times; turn++) await deciding.decide(bash);
    return (await deciding.idle()).length;
  };
  expect(await seen(1000)).toBe(1000);
  expect(await seen(1001)).toBe(1000);
});

describe("a hook inside a hook inside a hook", () => {
  test("is told how deep it runs", async () => {
    const run = async () => (await executor(hooksOf("echo $SLUICE_DEPTH")).executeHooks(bash))[0]?.stdout;
    expect(await run()).toBe("1\n");
    process.env.SLUICE_DEPTH = "2";
    expect(await run()).toBe("3\n");
    const hooks = hooksOf(
      { rules: 'tool equals "x" -> deny("x")', timeout: 5 },
      { command: "echo $SLUICE_DEPTH", timeout: 5 },
    );
    expect((await executor(hooks).executeHooks(bash))[1]?.stdout).toBe("3\n");
    for (const nonsense of ["nonsense", "-5", "Infinity"]) {
      process.env.SLUICE_DEPTH = nonsense;
      expect(await run()).toBe("1\n");
    }
  });

  test.each([
    { rules: 'tool exists -> deny("never")' },
    { all: [{ rules: 'tool exists -> deny("never")' }] },
    { pipe: [{ rules: 'tool exists -> deny("never")' }, { command: "touch ran" }] },
  ])("starts nothing, and so decides at any depth: %j", async (hook) => {
    process.env.SLUICE_DEPTH = "3";
    expect(await executor(hooksOf(hook)).decide(bash)).toMatchObject({ action: "deny", reasons: ["never"] });
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("is not run at depth 3, and the gate stays shut", async () => {
    process.env.SLUICE_DEPTH = "3";
    const own = executor(hooksOf({ command: "touch ran", onError: "continue" }));
    const decision = await own.decide(bash);
    expect(decision.toHookDecision()).toMatchObject({ allow: false, code: "HOOK_ERROR" });
    expect(decision.results).toMatchObject([{ action: "deny", code: "HOOK_ERROR" }]);
    expect(decision.reasons[0]).toContain("3 deep");
    expect(existsSync(join(folder, "ran"))).toBe(false);
    expect((await own.decide(done)).action).toBe("continue");
  });

  test("a monitor lets it pass even there", async () => {
    process.env.SLUICE_DEPTH = "3";
    const decision = await executor(hooksOf({ command: "exit 1", mode: "monitor" })).decide(bash);
    expect(decision).toMatchObject({ action: "continue", results: [{ wouldBe: "deny", success: false }] });
  });
});

describe("an abort", () => {
  const stays = "echo $$ > pid; exec sleep 30";

  test.each([{}, { onError: "continue" }, { mode: "monitor" }])(
    "ends the hook %j and leaves the gate shut",
    async (more) => {
      const abort = new AbortController();
      const deciding = executor(hooksOf({ command: stays, ...more }, "touch after")).decide(bash, {
        signal: abort.signal,
      });
      await until(() => existsSync(join(folder, "pid")) && readFileSync(join(folder, "pid"), "utf8").endsWith("\n"));
      abort.abort();
      const decision = await deciding;
      expect(decision).toMatchObject({ action: "deny", results: [{ failure: { aborted: true } }, {}] });
      expect(decision.toHookDecision()).toMatchObject({ allow: false, code: "HOOK_ERROR" });
      expect(existsSync(join(folder, "after"))).toBe(false);
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    },
  );

  test("reaches hooks that fail one after the other without a pause, and starts none after it", async () => {
    const judges = Array.from({ length: 3000 }, () => ({ type: "llm", prompt: "Is it safe?", onError: "continue" }));
    const decision = await executor(hooksOf(...judges)).decide(bash, { signal: AbortSignal.timeout(1) });
    expect(decision).toMatchObject({ action: "deny", results: { length: 3000 } });
    expect(decision.results.at(-1)).toMatchObject({ failure: { aborted: true }, durationMs: 0 });
    expect(decision.reasons).toEqual([expect.stringMatching(/^the time for this call was over before .* more$/)]);
  });

  test("before anything began starts nothing", async () => {
    const decision = await executor(hooksOf("touch ran")).decide(bash, { signal: AbortSignal.abort() });
    expect(decision.action).toBe("deny");
    expect(decision.results[0]?.failure).toEqual({ why: "signal", signal: "SIGTERM", aborted: true });
    expect(existsSync(join(folder, "ran"))).toBe(false);
    for (const why of [undefined, null, "no more"]) {
      const { action, reasons } = await executor([]).decide(bash, { signal: AbortSignal.abort(why) });
      expect(action).toBe("deny");
      expect(reasons.join()).not.toContain("the time for this call was over");
    }
    expect((await executor([]).decide(done, { signal: AbortSignal.abort() })).action).toBe("continue");
  });
});

describe("rules that take longer than a call may wait", () => {
  const rules = (count: number) =>
    Array.from({ length: count }, (_, at) => `args.command matches "x*[yz]{${at + 1}}" -> deny("no")`).join("\n");

  /** A processor on which every look at the clock comes 20 ms later. */
  function slowProcessor(): void {
    let looks = 0;
    vi.spyOn(process, "hrtime").mockImplementation(() => [0, ++looks * 20e6]);
    vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: looks * 20_000, system: 0 }));
  }

  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ["of many hooks", Array.from({ length: 500 }, () => ({ rules: rules(1) }))],
    ["of one hook", [{ rules: rules(120) }]],
  ])("%s shut the gate, whatever on_error says", async (_, hooks) => {
    slowProcessor();
    const matched = hooks.map((hook) => ({ type: "inline", timeout: 60, onError: "continue", ...hook }));
    const decision = await executor(hooksOf(...matched)).decide(bash);
    expect(decision.action).toBe("deny");
    expect(decision.toHookDecision()).toMatchObject({ code: "HOOK_ERROR" });
    expect(decision.reasons).toEqual([expect.stringContaining("deciding this call takes more than")]);
    expect(decision.results.at(-1)).toMatchObject({ failure: { aborted: true } });
  });

  test("are those that the processor worked for so long, not those that waited for it", async () => {
    slowProcessor();
    vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: 1000, system: 0 }));
    const decision = await executor(hooksOf({ type: "inline", timeout: 60, rules: rules(120) })).decide(bash);
    expect(decision.action).toBe("continue");
  });
});

describe("by a clock that is moved by hand", () => {
  let now: number;
  beforeEach(() => {
    now = 5000;
    vi.spyOn(process, "hrtime").mockImplementation(() => [0, now * 1e6]);
  });
  afterEach(() => void vi.restoreAllMocks());

  const PASSES = { name: "rules", rules: 'tool equals "x" -> deny("x")' };
  const PROGRAM = { name: "program", command: "true" };

  /** What is told of each hook, and of the whole; between two of them the clock goes on. */
  async function told(whole: Record<string, unknown>, step: number) {
    const all: [name: string, failure: unknown][] = [];
    let isMoved = false;
    const trace: Trace = {
      result: (_, { hook, failure }) => {
        all.push([hook.name, failure]);
        if (isMoved) now += step;
      },
    };
    const own = executor([Hook.fromJSON({ name: "whole", ...whole })], { trace });
    // Rules are compiled when they run for the first time.
    await own.decide(bash);
    all.length = 0;
    isMoved = true;
    await own.decide(bash);
    return all;
  }

  test.each([
    ["rules", PASSES],
    ["program", PROGRAM],
  ])("a member whose time is over is not run: %s", async (name, second) => {
    const over = { why: "timeout", afterMs: 0 };
    const whole = { event: "*", timeout: 60, pipe: [PROGRAM, second] };
    expect(await told(whole, 60_000)).toEqual([
      ["program", undefined],
      [name, over],
      ["whole", { why: "timeout", afterMs: 60_000 }],
    ]);
    expect((await told(whole, 59_000)).map(([, failure]) => failure)).toEqual([undefined, undefined, undefined]);
  });

  test("a hook that states no time has that of its kind", async () => {
    const whole = { matcher: {}, pipe: [PROGRAM, PASSES] };
    expect((await told(whole, 29_000))[1]).toEqual(["rules", undefined]);
    expect((await told(whole, 30_000))[2]).toEqual(["whole", { why: "timeout", afterMs: 30_000 }]);
  });

  test("what comes between a program and the next hook is the time of neither", async () => {
    const asks = { name: "asks", rules: 'tool exists -> ask("sure?")' };
    const trace: Trace = {
      result: () => {
        now += 1000;
      },
    };
    const { results } = await executor(hooksOf(PROGRAM, asks, PROGRAM), { trace }).decide(bash);
    expect(results.map(({ durationMs }) => durationMs)).toEqual([0, 0, 0]);
  });
});

test.each<[what: string, hook: Given, action: string]>([
  ["a program is waited for is hardly counted", "true", "continue"],
  ["rules are compiled counts", { rules: 'tool equals "x" -> deny("x")' }, "deny"],
])("the work of the process while %s", async (_, hook, action) => {
  let worked = 0;
  const budget = new WorkBudget(100, { processor: () => worked, clock: () => worked });
  const deciding = executor(hooksOf(hook)).decide(bash, { budget });
  worked = 10_000;
  expect((await deciding).action).toBe(action);
});

test("the work of the process before a program is waited for counts", async () => {
  let worked = 0;
  const budget = new WorkBudget(100, { processor: () => worked, clock: () => worked });
  const record = () => {
    worked = 10_000;
  };
  const history = { record, count: () => 0 };
  expect((await executor(hooksOf("true"), { history }).decide(bash, { budget })).action).toBe("deny");
});

test.each([new Error("torn"), "torn"])("a hook whose run throws fails alone: %s", async (thrown) => {
  const [torn, denies] = hooksOf({ command: "true", onError: "continue" }, "echo no; exit 1");
  const get = () => {
    throw thrown;
  };
  const { action, reasons, results } = await executor([
    Object.defineProperty(torn!, "command", { get }),
    denies!,
  ]).decide(bash);
  expect(results.map(({ failure }) => failure)).toEqual([{ why: "exception", message: "torn" }, undefined]);
  expect({ action, reasons }).toEqual({ action: "deny", reasons: ["no"] });
});

test("one broken hook never loses what the others say", async () => {
  const hooks = hooksOf(
    { command: "echo '{ not json'", onError: "continue" },
    { args: ["/no/such/program"], onError: "continue" },
    { command: "true", working_dir: "no/such/folder", onError: "continue" },
    "echo no; exit 1",
  );
  const { action, reasons, results } = await executor(hooks).decide(bash);
  expect(results.map(({ failure }) => failure?.why)).toEqual(["bad_json", "not_found", "spawn_error", undefined]);
  expect({ action, reasons }).toEqual({ action: "deny", reasons: ["no"] });
});

test("a plugin that is not there is a failure of that hook alone", async () => {
  const [result] = await executor(hooksOf({ module: "./plugin.ts", onError: "continue" })).executeHooks(bash);
  expect(result).toMatchObject({ success: false, failure: { why: "not_found" }, action: "continue" });
});

describe("the trace", () => {
  test("is told every result and every decision", async () => {
    const told: unknown[] = [];
    const trace: Trace = {
      result: (event, { action }) => void told.push([event.type, action]),
      decision: ({ action }) => void told.push(action),
    };
    await executor(hooksOf("true", "exit 1"), { trace }).decide(bash);
    expect(told).toEqual([["tool:pre_execute", "continue"], ["tool:pre_execute", "deny"], "deny"]);
  });

  test("that breaks changes nothing", async () => {
    const fail = () => {
      throw new Error("disk full");
    };
    const own = executor(hooksOf("echo no; exit 1"), { trace: { result: fail, decision: fail } });
    expect(await own.decide(bash)).toMatchObject({ action: "deny", reasons: ["no"] });
    expect(await own.executeHooks(bash)).toHaveLength(1);
  });
});

test("notices are said at gates and nowhere else", async () => {
  const own = executor([], { notices: ["hooks.json could not be read"] });
  expect((await own.decide(bash)).contexts).toEqual(["hooks.json could not be read"]);
  expect((await own.decide(done)).contexts).toEqual([]);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test("an executor alone sees paths from the event's folder, else from its own", async () => {
  const registry = new HookRegistry();
  registry.register(Hook.fromJSON({ event: "tool:pre_execute", rules: 'path glob "migrations/**" -> deny("closed")' }));
  registry.register(Hook.fromJSON({ matcher: { path_patterns: ["frozen/*"] }, rules: 'tool exists -> ask("frozen")' }));
  const write = (file_path: string, cwd?: string) => HookEvent.toolPreExecute("Write", { file_path }, { cwd });
  const executor = new HookExecutor({ registry, workingDir: "/p" });
  expect((await executor.decide(write("/q/migrations/1.sql", "/q"))).action).toBe("deny");
  expect((await executor.decide(write("/p/migrations/1.sql", "/q"))).action).toBe("continue");
  expect((await executor.decide(write("/p/migrations/1.sql"))).action).toBe("deny");
  expect((await executor.decide(write("/p/frozen/a"))).action).toBe("ask");
  expect((await new HookExecutor({ registry }).decide(write("migrations/1.sql"))).action).toBe("deny");
});
