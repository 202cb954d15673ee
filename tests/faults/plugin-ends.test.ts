import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ended } from "../daemon/ended.ts";
import { BEST, type Ended, type DaemonHome, sharedHome, shellCall } from "../daemon/daemon-home.ts";

/** How a plugin may end, or try to end, the process that runs it; what is said about it where that was noticed. */
const WAYS: Readonly<Record<string, readonly [code: string, says?: RegExp]>> = {
  "process.exit(0)": ["process.exit(0);", /ended the process with process\.exit\(0\)/],
  "process.exit(1)": ["process.exit(1);", /ended the process with process\.exit\(1\)/],
  "process.exit()": ["process.exit();", /ended the process with process\.exit\(\)/],
  "process.exit that it catches": [
    "try { process.exit(0); } catch {} return null;",
    /ended the process with process\.exit\(0\)/,
  ],
  "process.exit from a timer": [
    "setTimeout(() => process.exit(0)); return new Promise(() => {});",
    /ended the process with process\.exit\(0\)/,
  ],
  "process.exit by its imported name": ["exit(0);", /ended the process with process\.exit\(0\)/],
  "process.exitCode = 0": ["process.exitCode = 0; return null;"],
  "process.reallyExit(0)": ["process.reallyExit(0);", /ended the process with process\.reallyExit\(0\)/],
  "SIGKILL for itself": [
    "process.kill(process.pid, 'SIGKILL');",
    /ended the process with process\.kill\(\d+, SIGKILL\)/,
  ],
  "process.abort()": ["process.abort();", /ended the process with process\.abort\(\)/],
  "a throw from a timer": [
    "setTimeout(() => { throw new Error('thrown late'); }); return new Promise(() => {});",
    /thrown late/,
  ],
  "a throw of nothing from a timer": [
    "setTimeout(() => { throw undefined; }); return new Promise(() => {});",
    /undefined/,
  ],
  "an unhandled rejection": [
    "Promise.reject(new Error('rejected late')); return new Promise(() => {});",
    /rejected late/,
  ],
  "no listeners, then exit": [
    "process.removeAllListeners(); process.removeAllListeners('exit'); process.exit(0);",
    /ended the process with process\.exit\(0\)/,
  ],
  "a probe of itself": ["process.kill(process.pid, 0); return null;"],
};

/** Ways around what a plugin is kept from: the process ends, and that is a denial too. */
const PAST_IT: Readonly<Record<string, string>> = {
  "no listeners and nothing to catch a throw":
    "for (const name of process.eventNames()) for (const one of process.listeners(name)) process.off(name, one); process.setUncaughtExceptionCaptureCallback(null); setTimeout(() => { throw new Error('x'); }); return new Promise(() => {});",
};
/** Where the process that answers runs no plugin, not even these take a denial away. */
const PAST_ALL: Readonly<Record<string, string>> = {
  "node's own way to exit": "process.binding('process_methods').reallyExit(0);",
  "SIGKILL by another program": "execFileSync('kill', ['-9', String(process.pid)]);",
};

/** A way that is none: the plugin blocks the call. */
const BLOCKS = "a block";

/**
 * Those that end in another turn, or take listeners away, could hide behind others, so a worker has a call for each of them.
 * The command runs plugins as a worker does, and starts anew for each call: there only what takes listeners away is alone.
 */
const ALONE = { cold: /listeners/, daemon: /timer|rejection|listeners/ } as const;
const TOGETHER = {
  cold: Object.keys(WAYS).filter((name) => !ALONE.cold.test(name)),
  daemon: Object.keys(WAYS).filter((name) => !ALONE.daemon.test(name)),
};

/** Plugins that may break, and behind them a rule that denies: whatever the plugins do, the rule is heard. */
const HOOKS = `hooks:
  - { name: ender, event: tool:pre_execute, module: ./ender.mjs, priority: 1, timeout: 60, on_error: continue }
${TOGETHER.cold.map((way, index) => `  - ${JSON.stringify({ name: `ender-${index}`, event: "tool:pre_execute", module: "./ender.mjs", priority: 2, timeout: 60, on_error: "continue", options: { way } })}\n`).join("")}
  - name: no-rmm
    event: tool:pre_execute:@shell
    priority: 100
    rules: |
      args.command contains "rmm" -> deny("no rmm here")
`;

/** One plugin that knows all of these ways: a call names one of them as its description, or which of them end together. */
const PLUGIN = `import { execFileSync } from "node:child_process";
import { exit } from "node:process";
const ways = {
${[
  ...Object.entries(WAYS).map(([name, [code]]) => [name, code] as const),
  ...Object.entries({ ...PAST_IT, ...PAST_ALL, [BLOCKS]: "return ['block', 'heard again'];" }),
]
  .map(([name, code]) => `  ${JSON.stringify(name)}() { ${code} },\n`)
  .join("")}};
export default {
  preToolUse: (request, { way }) => {
    const { description } = request.toolInput;
    const together = ${JSON.stringify(TOGETHER)}[description];
    if (way !== undefined) return together?.includes(way) ? ways[way]() : null;
    return together === undefined ? ways[description]() : null;
  },
};
`;

/** One home for both ways. */
const shared = sharedHome(BEST);

describe.each(["cold", "daemon"] as const)("%s: a plugin that ends the process", (way) => {
  let at: DaemonHome;
  beforeAll(async () => {
    at = shared(HOOKS);
    writeFileSync(join(at.home, ".config/sluice/ender.mjs"), PLUGIN);
    if (way === "daemon") await at.warm();
  }, 60_000);

  const call = (line: string, name: string) =>
    ended(
      at,
      // A denial is remembered for its session.
      JSON.stringify({ ...shellCall(at.root, line, { description: name }), session_id: `${way} ${line} ${name}` }),
      way === "cold" ? { args: ["claude-code", "--cold"] } : {},
    );

  it.each(Object.entries(WAYS).filter(([name]) => ALONE[way].test(name)))(
    "%s takes no denial away, and is written down",
    async (name, [, says]) => {
      expectDenied(await call("rmm x", name));
      expectNoted(resultOf(lastRecord(at), "ender"), says);
    },
  );

  describe("many of them at once take no denial away, and each is written down", () => {
    let record = "";
    beforeAll(async () => {
      expectDenied(await call("rmm x", way));
      record = lastRecord(at);
    });

    it.each(TOGETHER[way])("%s", (name) =>
      expectNoted(resultOf(record, `ender-${TOGETHER.cold.indexOf(name)}`), WAYS[name]?.[1]),
    );
  });

  it.each(Object.entries(way === "daemon" ? { ...PAST_IT, ...PAST_ALL } : PAST_IT))(
    "%s: what ends without an answer is a denial",
    async (name) => {
      expect(isDenied(await call("rmm x", name))).toBe(true);
    },
  );

  // Without a daemon every call has a process of its own.
  const next = way === "daemon" ? ", and the next call is answered" : "";
  it(`a plugin that only fails is judged by its on_error${next}`, async () => {
    const passed = await call("ls", "process.exit(0)");
    expect({ ...passed, stderr: "" }).toMatchObject({ exitCode: 0 });
    expect(passed.stdout).not.toContain("deny");
    if (way === "daemon") expect((await call("ls", BLOCKS)).stdout).toContain("heard again");
  });
});

function expectDenied({ exitCode, stdout }: Ended): void {
  expect(exitCode).toBe(0);
  expect(stdout).toContain("no rmm here");
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
}

/** What was noticed of a plugin is told, and nothing where it did not end the process. */
function expectNoted(result: string, says: RegExp | undefined): void {
  if (says !== undefined) expect(result).toMatch(says);
  else expect(result).not.toContain("ended the process");
}

function isDenied({ stdout, exitCode }: Ended): boolean {
  return exitCode === 2 || (exitCode === 0 && stdout.includes('"permissionDecision":"deny"'));
}

/** What the journal has of one hook; the one that denies is there beside it. */
function resultOf(record: string, name: string): string {
  const { results } = JSON.parse(record) as { results: { hook: string; action: string }[] };
  expect(results).toContainEqual(expect.objectContaining({ hook: "no-rmm", action: "deny" }));
  const found = results.find(({ hook }) => hook === name);
  expect(found).toBeDefined();
  return JSON.stringify(found);
}

function lastRecord({ env }: DaemonHome): string {
  const folder = join(env.XDG_STATE_HOME ?? "", "sluice/decisions");
  const [name = ""] = readdirSync(folder).toSorted().slice(-1);
  return readFileSync(join(folder, name), "utf8").trim().split("\n").at(-1) ?? "";
}
