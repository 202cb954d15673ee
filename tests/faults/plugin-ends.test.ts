import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ended } from "../daemon/ended.ts";
import { BEST, type Ended, type DaemonHome, patientHome, shellCall } from "../daemon/daemon-home.ts";

/** A plugin that may break, and behind it a rule that denies: whatever the plugin does, the rule is heard. */
const HOOKS = `hooks:
  - { name: ender, event: tool:pre_execute, module: ./ender.ts, priority: 1, timeout: 60, on_error: continue }
  - name: no-rmm
    event: tool:pre_execute:@shell
    priority: 100
    rules: |
      args.command contains "rmm" -> deny("no rmm here")
`;

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

/** One plugin that knows all of these ways, so that it is compiled once: a call names the way as its description. */
const PLUGIN = `import { execFileSync } from "node:child_process";
import { exit } from "node:process";
const ways = {
${[
  ...Object.entries(WAYS).map(([name, [code]]) => [name, code] as const),
  ...Object.entries({ ...PAST_IT, ...PAST_ALL, [BLOCKS]: "return ['block', 'heard again'];" }),
]
  .map(([name, code]) => `  ${JSON.stringify(name)}() { ${code} },\n`)
  .join("")}};
export default { preToolUse: (request) => ways[request.toolInput.description]() };
`;

describe.each(["cold", "daemon"] as const)("%s: a plugin that ends the process", (way) => {
  const dones: (() => Promise<void>)[] = [];
  let at: DaemonHome;
  beforeAll(async () => {
    at = patientHome(HOOKS, BEST, (done) => dones.push(done));
    writeFileSync(join(at.home, ".config/sluice/ender.ts"), PLUGIN);
    if (way === "daemon") await at.warm();
  }, 60_000);
  afterAll(async () => {
    for (const done of dones) await done();
  });

  const call = (line: string, name: string) =>
    ended(
      at,
      // A denial is remembered for its session.
      JSON.stringify({ ...shellCall(at.root, line, { description: name }), session_id: `${line} ${name}` }),
      way === "cold" ? { args: ["claude-code", "--cold"] } : {},
    );

  it.each(Object.entries(WAYS))("%s takes no denial away, and is written down", async (name, [, says]) => {
    const denied = await call("rmm x", name);
    expect(denied.exitCode).toBe(0);
    expect(denied.stdout).toContain("no rmm here");
    expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    const record = lastRecord(at);
    expect(record).toContain("no-rmm");
    if (says !== undefined) expect(record).toMatch(says);
    else expect(record).not.toContain("ended the process");
  });

  it.each(Object.entries(way === "daemon" ? { ...PAST_IT, ...PAST_ALL } : PAST_IT))(
    "%s: what ends without an answer is a denial",
    async (name) => {
      expect(isDenied(await call("rmm x", name))).toBe(true);
    },
  );

  it("a plugin that only fails is judged by its on_error, and the next call is answered", async () => {
    const passed = await call("ls", "process.exit(0)");
    expect({ ...passed, stderr: "" }).toMatchObject({ exitCode: 0 });
    expect(passed.stdout).not.toContain("deny");
    expect((await call("ls", BLOCKS)).stdout).toContain("heard again");
  });
});

function isDenied({ stdout, exitCode }: Ended): boolean {
  return exitCode === 2 || (exitCode === 0 && stdout.includes('"permissionDecision":"deny"'));
}

function lastRecord({ env }: DaemonHome): string {
  const folder = join(env.XDG_STATE_HOME ?? "", "sluice/decisions");
  const [name = ""] = readdirSync(folder).toSorted().slice(-1);
  return readFileSync(join(folder, name), "utf8").trim().split("\n").at(-1) ?? "";
}
