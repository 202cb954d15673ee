import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../command-server/run-command.ts";
import { bundleOf, denying, keyPair, machineWith, startHost } from "./bundle-host.ts";
import { BUNDLE_VANISHES, bundlesOf } from "./vanishes.ts";

const ours = keyPair();
const other = keyPair();
const keys = [ours.key];

let host: Awaited<ReturnType<typeof startHost>>;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

describe("a managed bundle that vanishes closes the gate, and an answer in the agent does not open it", () => {
  it.each(Object.entries(BUNDLE_VANISHES))("%s", async (_, vanish) => {
    const machine = await managed();
    expect(called(machine, "two")).toContain('"deny"');
    expect(called(machine, "ls")).not.toContain('"deny"');
    vanish(machine);
    rmSync(join(machine.env.XDG_STATE_HOME, "sluice/last-good"), { recursive: true, force: true });
    for (const id of ["a", "b"]) {
      const said = called(machine, "ls", id);
      expect(said).toContain('"deny"');
      expect(said).toMatch(/managed bundle/);
      ended(machine, "ls", id);
    }
  });

  it("the same bundle is fetched again, and no older one", async () => {
    const machine = await managed();
    rmSync(bundlesOf(machine), { recursive: true });
    host.answer(bundleOf(denying("one"), { keys, version: 1 }).packed);
    expect(await machine.fetch()).toBe("bundle/older");
    expect(called(machine, "ls")).toContain('"deny"');
    host.answer(bundleOf(denying("one", "two"), { keys, version: 2 }).packed);
    expect(await machine.fetch()).toBe("taken");
    expect(called(machine, "two")).toContain('"deny"');
    expect(called(machine, "ls")).not.toContain('"deny"');
  });

  it("a person who has left the organisation ends it with `sluice trust`", async () => {
    const machine = await managed();
    BUNDLE_VANISHES["the configuration does not name it any more"]?.(machine);
    expect(called(machine, "ls")).toContain('"deny"');
    const { root, ...options } = around(machine);
    expect(runCommand(["trust", "--yes"], { cwd: root, ...options }).code).toBe(0);
    expect(called(machine, "ls")).not.toContain('"deny"');
  });
});

describe("managed.required denies until the first bundle has been fetched and verified", () => {
  it.each([
    ["true", true],
    ["false", false],
  ])("required: %s", async (required, isDenied) => {
    const machine = machineWith(host.url, [ours.publicKey], `  required: ${required}\n`);
    expect(called(machine, "ls").includes('"deny"')).toBe(isDenied);
    const { root, ...options } = around(machine);
    const check = runCommand(["check"], { cwd: root, ...options });
    expect(check.out).toContain(isDenied ? "config/bundle-required" : "config/not-fetched");
    host.answer(bundleOf(denying("two"), { keys: [other.key] }).packed);
    expect(await machine.fetch()).toBe("bundle/other-key");
    expect(called(machine, "ls").includes('"deny"')).toBe(isDenied);
    host.answer(bundleOf(denying("two"), { keys }).packed);
    expect(await machine.fetch()).toBe("taken");
    expect(called(machine, "ls")).not.toContain('"deny"');
    expect(called(machine, "two")).toContain('"deny"');
  });
});

type Machine = ReturnType<typeof machineWith>;

/** A machine that has taken two bundles; the state with the first is kept aside. */
async function managed(): Promise<Machine> {
  const machine = machineWith(host.url, [ours.publicKey]);
  host.answer(bundleOf(denying("one"), { keys, version: 1 }).packed);
  expect(await machine.fetch()).toBe("taken");
  cpSync(bundlesOf(machine), `${bundlesOf(machine)}-old`, { recursive: true });
  host.answer(bundleOf(denying("one", "two"), { keys, version: 2 }).packed);
  expect(await machine.fetch()).toBe("taken");
  return machine;
}

function called(machine: Machine, command: string, id = "id"): string {
  return sent(machine, "PreToolUse", { tool_input: { command }, tool_use_id: id });
}

function ended(machine: Machine, command: string, id: string): void {
  sent(machine, "PostToolUse", { tool_input: { command }, tool_use_id: id, tool_response: {} });
}

function sent(machine: Machine, hook_event_name: string, more: object): string {
  const { root, ...options } = around(machine);
  const payload = {
    session_id: "s",
    cwd: root,
    transcript_path: "/dev/null",
    tool_name: "Bash",
    hook_event_name,
    ...more,
  };
  return runCommand(["run", "claude-code", "--cold"], { cwd: root, ...options, input: JSON.stringify(payload) }).out;
}

function around({ home, env }: Machine) {
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  const root = join(home, "project");
  mkdirSync(root, { recursive: true });
  return { root, env: { ...own, ...env, SLUICE_RESIDENT: "0" } };
}
