import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../command-server/run-command.ts";
import { bundleOf, denying, keyPair, machineWith, startHost } from "./bundle-host.ts";

const ours = keyPair();
const other = keyPair();
const keys = [ours.key];

let host: Awaited<ReturnType<typeof startHost>>;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

type Machine = ReturnType<typeof machineWith>;
const folderOf = (machine: Machine) => join(machine.env.XDG_STATE_HOME, "sluice/managed");
const filesOf = (machine: Machine) =>
  readdirSync(folderOf(machine), { recursive: true, encoding: "utf8" }).map((name) => join(folderOf(machine), name));

/** What takes a bundle away, after two of them were taken one after the other. */
const VANISHES: Readonly<Record<string, (machine: Machine) => void>> = {
  "its hooks are overwritten": (machine) => overwrite(machine, /files\/hooks\.yaml$/, "hooks: []\n"),
  "its hooks are cut": (machine) => overwrite(machine, /files\/hooks\.yaml$/, denying("one")),
  "its packed bytes are overwritten": (machine) => overwrite(machine, /bundle\.tar\.gz$/, "x"),
  "another key has signed it": (machine) => {
    const forged = bundleOf(denying("none"), { keys: [other.key], version: 2 }).packed;
    overwrite(machine, /bundle\.tar\.gz$/, forged);
    overwrite(machine, /files\/hooks\.yaml$/, denying("none"));
  },
  "its files are deleted": (machine) => {
    for (const name of readdirSync(folderOf(machine), { withFileTypes: true }))
      if (name.isDirectory()) rmSync(join(folderOf(machine), name.name), { recursive: true });
  },
  "the file that names it is deleted": (machine) => rmSync(join(folderOf(machine), "current.json")),
  "the folder of bundles is deleted": (machine) => rmSync(folderOf(machine), { recursive: true }),
  "the older bundle is put back": (machine) => {
    rmSync(folderOf(machine), { recursive: true });
    cpSync(`${folderOf(machine)}-old`, folderOf(machine), { recursive: true });
  },
  "the configuration does not name it any more": (machine) =>
    writeFileSync(join(machine.env.XDG_CONFIG_HOME, "sluice/hooks.yaml"), "hooks: []\n"),
  "the user's configuration is deleted": (machine) =>
    rmSync(join(machine.env.XDG_CONFIG_HOME, "sluice"), { recursive: true }),
};

describe("a managed bundle that vanishes closes the gate, and an answer in the agent does not open it", () => {
  it.each(Object.entries(VANISHES))("%s", async (_, vanish) => {
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
    rmSync(folderOf(machine), { recursive: true });
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
    VANISHES["the configuration does not name it any more"]?.(machine);
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

/** A machine that has taken two bundles; the state with the first is kept aside. */
async function managed(): Promise<Machine> {
  const machine = machineWith(host.url, [ours.publicKey]);
  host.answer(bundleOf(denying("one"), { keys, version: 1 }).packed);
  expect(await machine.fetch()).toBe("taken");
  cpSync(folderOf(machine), `${folderOf(machine)}-old`, { recursive: true });
  host.answer(bundleOf(denying("one", "two"), { keys, version: 2 }).packed);
  expect(await machine.fetch()).toBe("taken");
  return machine;
}

function overwrite(machine: Machine, wanted: RegExp, content: string | Buffer): void {
  const found = filesOf(machine).filter((path) => wanted.test(path));
  expect(found.length).toBeGreaterThan(0);
  for (const path of found) if (!readFileSync(path).equals(Buffer.from(content))) writeFileSync(path, content);
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
