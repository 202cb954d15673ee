import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { BEST, type DaemonHome, type Ended, sharedHome, shellCall } from "../daemon/daemon-home.ts";
import { ended } from "../daemon/ended.ts";

/** How a plugin may end, or try to end, its process; what is recorded about it. */
const WAYS: Readonly<Record<string, readonly [code: string, recorded?: RegExp]>> = {
  "process.exit(0)": ["process.exit(0);", /its process ended with exit code 0/],
  "process.exit(1)": ["process.exit(1);", /its process ended with exit code 1/],
  "process.exit()": ["process.exit();", /its process ended with exit code 0/],
  "process.exit from a timer": [
    "setTimeout(() => process.exit(0)); return new Promise(() => {});",
    /its process ended with exit code 0/,
  ],
  "process.exit by its imported name": ["exit(0);", /its process ended with exit code 0/],
  "process.exitCode = 0": ["process.exitCode = 0; return null;"],
  "process.reallyExit(0)": ["process.reallyExit(0);", /its process ended with exit code 0/],
  "SIGKILL for itself": ["process.kill(process.pid, 'SIGKILL');", /its process was ended by SIGKILL/],
  "process.abort()": ["process.abort();", /its process was ended by SIGABRT/],
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
    /its process ended with exit code 0/,
  ],
  "no listeners and nothing to catch a throw": [
    "process.removeAllListeners(); process.setUncaughtExceptionCaptureCallback(null); setTimeout(() => { throw new Error('x'); }); return new Promise(() => {});",
    /its process ended with exit code 1/,
  ],
  "SIGKILL by another program": [
    "execFileSync('kill', ['-9', String(process.pid)]);",
    /its process was ended by SIGKILL/,
  ],
  "a probe of itself": ["process.kill(process.pid, 0); return null;"],
};
/** Not an end: the plugin blocks the call. */
const BLOCKS = "a block";
const NAMES = Object.keys(WAYS);

/** Plugins that may break, and after them a rule that denies: whatever the plugins do, the rule decides. */
const HOOKS = `hooks:
${[...NAMES, BLOCKS].map((way, index) => `  - ${JSON.stringify({ name: `ender-${index}`, event: "tool:pre_execute", module: "./ender.mjs", priority: 2, timeout: 60, on_error: "continue", options: { way } })}\n`).join("")}
  - name: no-rmm
    event: tool:pre_execute:@shell
    priority: 100
    rules: |
      args.command contains "rmm" -> deny("no rmm here")
`;

/** One plugin that knows all of these ways: a call names one of them as its description, or all. */
const PLUGIN = `import { execFileSync } from "node:child_process";
import { exit } from "node:process";
const ways = {
${[...Object.entries(WAYS), [BLOCKS, ["return ['block', 'asked again'];"]] as const]
  .map(([name, [code]]) => `  ${JSON.stringify(name)}() { ${code} },\n`)
  .join("")}};
export default {
  preToolUse: ({ toolInput: { description } }, { way }) =>
    description === way || (description === "all" && way !== "${BLOCKS}") ? ways[way]() : null,
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

  describe("all of them take no denial away, and each is recorded", () => {
    let record = "";
    beforeAll(async () => {
      expectDenied(await call("rmm x", "all"));
      record = lastRecord(at);
    });

    it.each(NAMES)("%s", (name) => expectNoted(resultOf(record, `ender-${NAMES.indexOf(name)}`), WAYS[name]?.[1]));
  });

  it("a plugin that only fails is judged by its on_error, and the next call is answered", async () => {
    const passed = await call("ls", "process.exit(0)");
    expect({ ...passed, stderr: "" }).toMatchObject({ exitCode: 0 });
    expect(passed.stdout).not.toContain("deny");
    expect((await call("ls", BLOCKS)).stdout).toContain("asked again");
  });
});

function expectDenied({ exitCode, stdout }: Ended): void {
  expect(exitCode).toBe(0);
  expect(stdout).toContain("no rmm here");
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
}

/** How the process of a plugin ended is recorded, and only if it ended. */
function expectNoted(result: string, recorded: RegExp | undefined): void {
  if (recorded !== undefined) expect(result).toMatch(recorded);
  else expect(result).not.toContain("failure");
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
