import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Project, project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";
import { HOOKS, RULE, VANISHES, write } from "./vanishes.ts";

describe("a call asks while something is missing that was enforced before", () => {
  it.each(Object.entries(VANISHES))("%s", (_, vanish) => {
    const made = guarded();
    vanish(made);
    // A lost file of the user keeps its last good hooks for two seconds.
    if (!made.sluice("check").out.includes("no-alpha")) old(made);
    const said = call(made);
    expect(said).toContain('"ask"');
    expect(said).toMatch(/missing|changed|lower|set to|inventory/);
    expect(made.sluice("trust", "--status").code).toBe(1);
    expect(call(made)).toContain('"ask"');
    expect(made.sluice("trust", "--yes").code).toBe(0);
    expect(call(made)).not.toContain('"ask"');
  });

  it("an approved hook is asked about when it is deleted, and when its approval is", () => {
    for (const vanish of [
      ({ root }: Project) => rmSync(join(root, ".sluice/hooks.yaml")),
      ({ home }: Project) => rmSync(join(home, ".state/sluice/trust"), { recursive: true }),
    ]) {
      const made = project({
        ".sluice/hooks.yaml": "hooks:\n  - { name: gate, event: tool:pre_execute, command: 'true' }\n",
      });
      expect(made.sluice("trust", "--yes").code).toBe(0);
      expect(call(made)).not.toContain('"ask"');
      vanish(made);
      expect(call(made)).toContain('the hook \\"gate\\"');
    }
  });

  it("a pack that is gone from node_modules is asked about by name", () => {
    const made = project({
      ".sluice/hooks.yaml": 'extends: ["some-pack"]\n',
      "node_modules/some-pack/package.json": '{ "name": "some-pack", "version": "1.0.0" }',
      "node_modules/some-pack/hooks.yaml": HOOKS,
    });
    expect(call(made, "alpha")).toContain('"deny"');
    rmSync(join(made.root, "node_modules"), { recursive: true });
    expect(call(made)).toContain("of the pack some-pack is missing");
  });
});

describe("a person confirms a change once", () => {
  it("a call that was asked about and has run confirms it; one that was not run does not", () => {
    const made = guarded();
    write(made.root, ".sluice/hooks.yaml", "hooks: []\n");
    expect(call(made, "ls", "one")).toContain('"ask"');
    expect(call(made, "ls", "two")).toContain('"ask"');
    ended(made, "ls", "other");
    expect(call(made, "ls", "three")).toContain('"ask"');
    ended(made, "ls", "two");
    expect(call(made, "ls", "four")).not.toContain('"ask"');
  });

  it("branches with and without hooks ask once for each state", () => {
    const made = guarded();
    const branches = { with: HOOKS, without: "hooks: []\n", some: `hooks:\n  ${RULE("no-beta", "beta")}` };
    const checkout = (name: keyof typeof branches) => write(made.root, ".sluice/hooks.yaml", branches[name]);
    checkout("without");
    expect(call(made, "ls", "a")).toContain('"ask"');
    ended(made, "ls", "a");
    for (const name of ["with", "without", "with", "without"] as const) {
      checkout(name);
      expect(call(made), name).not.toContain('"ask"');
    }
    checkout("with");
    expect(call(made)).not.toContain('"ask"');
    checkout("some");
    expect(call(made)).toContain('"ask"');
  });

  it("where no person can be asked, the call is denied until `sluice trust` accepts the change", () => {
    const made = guarded();
    write(made.root, ".sluice/hooks.yaml", "hooks: []\n");
    expect(call(made, "ls", "a", { permission_mode: "dontAsk" })).toContain('"deny"');
    ended(made, "ls", "a");
    expect(call(made, "ls", "b", { permission_mode: "dontAsk" })).toContain('"deny"');
    made.sluice("trust", "--yes");
    expect(call(made, "ls", "c", { permission_mode: "dontAsk" })).not.toContain('"deny"');
  });
});

describe("what is no loss is not asked about", () => {
  const HARMLESS: Readonly<Record<string, (made: Project) => void>> = {
    "a hook is added": ({ root }) => write(root, ".sluice/hooks.yaml", `${HOOKS}  ${RULE("no-gamma", "gamma")}`),
    "comments, order of keys and descriptions change": ({ root }) =>
      write(
        root,
        ".sluice/hooks.yaml",
        `# more\n${HOOKS.replace("event: tool:pre_execute,", "description: words, event: tool:pre_execute,")}`,
      ),
    "the guards are raised": ({ home }) => write(home, ".config/sluice/hooks.yaml", `guards: strict\n${HOOKS}`),
    "a hook that cannot stop a call goes": ({ root }) => write(root, ".sluice/hooks.yaml", HOOKS),
    "a person disables a hook with the command": (made) =>
      void made.sluice("disable", "no-alpha", "--scope", "project"),
    "another project has no hooks": (made) => {
      rmSync(join(made.root, ".sluice"), { recursive: true });
      cpSync(made.root, `${made.root}-two`, { recursive: true });
      write(made.root, ".sluice/hooks.yaml", HOOKS);
    },
  };
  it.each(Object.entries(HARMLESS))("%s", (_, change) => {
    const made = guarded("  - { name: note, event: tool:post_execute, command: 'true' }\n");
    change(made);
    expect(call(made)).not.toContain('"ask"');
    expect(call({ ...made, root: `${made.root}-two` })).not.toContain('"ask"');
  });

  it("the inventory is private, and written once", () => {
    const made = guarded();
    for (const folder of ["sluice/enforced", "sluice-enforced"]) {
      const path = join(made.home, ".state", folder);
      expect(statSync(path).mode & 0o777).toBe(0o700);
      const files = readdirSync(path).map((name) => join(path, name));
      expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
      const before = files.map((file) => readFileSync(file, "utf8") + statSync(file).mtimeMs);
      call(made);
      expect(files.map((file) => readFileSync(file, "utf8") + statSync(file).mtimeMs)).toEqual(before);
    }
  });
});

/** A project and a user with hooks that were enforced once. */
function guarded(more = ""): Project {
  const made = project({ ".sluice/hooks.yaml": `${HOOKS}${more}` });
  write(made.home, ".config/sluice/hooks.yaml", `guards: standard\n${HOOKS}`);
  expect(call(made, "alpha")).toContain('"deny"');
  expect(call(made)).not.toContain('"ask"');
  return made;
}

/** The user's configuration was last changed long ago. */
function old({ home }: Project): void {
  rmSync(join(home, ".state/sluice/last-good"), { recursive: true, force: true });
}

function call(made: Pick<Project, "root" | "home">, command = "ls", id = "id", more: object = {}): string {
  return sent(made, "PreToolUse", { tool_input: { command }, tool_use_id: id, ...more });
}

function ended(made: Pick<Project, "root" | "home">, command: string, id: string): void {
  sent(made, "PostToolUse", { tool_input: { command }, tool_use_id: id, tool_response: {} });
}

function sent({ root, home }: Pick<Project, "root" | "home">, hook_event_name: string, more: object): string {
  const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
  const env = {
    ...own,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_STATE_HOME: join(home, ".state"),
    SLUICE_RESIDENT: "0",
  };
  const payload = {
    session_id: "s",
    cwd: root,
    transcript_path: "/dev/null",
    tool_name: "Bash",
    hook_event_name,
    ...more,
  };
  mkdirSync(root, { recursive: true });
  return runCommand(["run", "claude-code", "--cold"], { cwd: root, env, input: JSON.stringify(payload) }).out;
}
