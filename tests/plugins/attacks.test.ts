import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { BEST, type DaemonHome, type Ended, sharedHome, shellCall } from "../daemon/daemon-home.ts";
import { ended } from "../daemon/ended.ts";
import { attackModule, ENDS, KILLS, PATCHES } from "./attacks.ts";

/** What changes only the plugin's own process is tried some at a time: `npm run campaign plugins` tries each alone. */
const MODULES = [
  ...chunked(Object.values(PATCHES), 11).map((codes) => ({ text: attackModule(...codes), timeout: 4 })),
  ...Object.values(ENDS).map((code) => ({ text: attackModule(code), timeout: 1 })),
];
/** All of them run at once, each in the process of its own plugin, and beside them hooks of every kind that deny. */
const HOOKS = `guards: standard
hooks:
${MODULES.map(({ timeout }, at) => `  - { name: hostile-${at}, event: tool:pre_execute, module: ./hostile-${at}.mjs, timeout: ${timeout}, priority: 1, parallel: true, on_error: continue }\n`).join("")}
  - { name: honest, event: tool:pre_execute, module: ./honest.mjs, priority: 2, timeout: 60 }
  - { name: program, event: tool:pre_execute, command: "echo no from a program; exit 1", priority: 3, timeout: 60 }
  - { name: rule, event: tool:pre_execute, rules: 'args.command contains "rmm" -> deny("no from a rule")' }
`;

const shared = sharedHome(BEST);

describe("whatever plugins try, in a process of the call and in the daemon", () => {
  let at: DaemonHome;
  beforeAll(async () => {
    at = shared(HOOKS);
    const write = (name: string, text: string) => writeFileSync(join(at.home, ".config/sluice", name), text);
    for (const [index, { text }] of MODULES.entries()) write(`hostile-${index}.mjs`, text);
    write("honest.mjs", "export default { preToolUse: () => ['block', 'no from a plugin'] };\n");
    for (const [index, code] of Object.values(KILLS).entries()) write(`kill-${index}.mjs`, attackModule(code));
    await at.warm();
  }, 60_000);

  /** Both ways at once, because most of the time they wait for plugins that hang. */
  const calls = (payload: object) =>
    Promise.all(
      [["claude-code", "--cold"], ["claude-code"]].map((args) =>
        ended(at, JSON.stringify({ ...payload, session_id: `${args.length} ${++sessions}` }), { args }),
      ),
    );
  let sessions = 0;

  it("every hook that denies a call still denies it, with its reason", async () => {
    for (const reason of (await calls(shellCall(at.root, "rmm x; rm -rf ~"))).map(denialIn))
      for (const one of ["no from a plugin", "no from a program", "no from a rule", "guard:files"])
        expect(reason).toContain(one);
  });

  it("the next call cannot change the configuration of Sluice", async () => {
    const path = join(at.home, ".config/sluice/hooks.yaml");
    const payload = { ...shellCall(at.root, ""), tool_name: "Write", tool_input: { file_path: path, content: "" } };
    for (const reason of (await calls(payload)).map(denialIn)) expect(reason).toContain("Sluice protects itself");
  });

  it.each(Object.keys(KILLS))("%s blocks the call", async (name) => {
    const module = `./kill-${Object.keys(KILLS).indexOf(name)}.mjs`;
    shared(
      `hooks:\n  - { name: killer, event: tool:pre_execute, module: ${module}, timeout: 30, on_error: continue }\n`,
    );
    // The line that is installed ends with 2 for every code but 0.
    for (const { exitCode, stdout } of await calls(shellCall(at.root, "ls")))
      expect([exitCode, stdout]).not.toEqual([0, expect.not.stringContaining('"deny"')]);
  });
});

function chunked<T>(all: readonly T[], size: number): T[][] {
  return all.flatMap((_, at) => (at % size === 0 ? [all.slice(at, at + size)] : []));
}

/** The reason of a denial that is the only text on standard output. */
function denialIn({ exitCode, stdout, stderr }: Ended): string {
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain("Debugger");
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
  expect(permissionDecision).toBe("deny");
  return permissionDecisionReason;
}
