import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Project, project, trustedProject } from "./sluice.ts";

const HOOKS = `# Hooks of the team.
hooks:
  # No sudo, as agreed in March.
  - name: no-sudo   # keep the name
    event: tool:pre_execute:@shell
    rules: |
      # first
      args.command contains "sudo" -> deny("no sudo here")

  # Runs a script.
  - name: lint
    event: PostToolUse
    enabled: false # until the server is back
    command: echo lint
`;

const FILE = ".sluice/hooks.yaml";
const read = (at: Project, file = FILE) => readFileSync(join(at.root, file), "utf8");
const active = (at: Project, name: string) =>
  JSON.parse(at.sluice("list", "--json").out).hooks.find((hook: { name: string }) => hook.name === name)?.active;

function withUser(text: string, files: Readonly<Record<string, string>> = {}): Project {
  const at = project(files);
  const file = join(at.home, ".config/sluice/hooks.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return at;
}

describe("sluice disable and enable", () => {
  it("change one line of the file in which the hook stands, and keep all comments", () => {
    const at = trustedProject({ [FILE]: HOOKS });
    const { code, out } = at.sluice("disable", "no-sudo");
    expect([code, out]).toEqual([0, "no-sudo is off: .sluice/hooks.yaml:4.\n"]);
    const off = HOOKS.replace('here")\n', 'here")\n    enabled: false\n');
    expect(read(at)).toBe(off);
    expect(active(at, "no-sudo")).toBe(false);
    expect(at.sluice("disable", "no-sudo").out).toContain("is off already");
    expect(read(at)).toBe(off);
    expect(at.sluice("enable", "no-sudo", "lint").out).toMatch(/no-sudo is on: .*\nlint is on: /);
    // What `disable` wrote is gone; what the author wrote stays, with its comment.
    expect(read(at)).toBe(HOOKS.replace("false # until", "true # until"));
    // What was approved is still approved.
    expect([active(at, "no-sudo"), active(at, "lint")]).toEqual([true, true]);
  });

  it("take a name out of `disabled` where that keeps the hook off", () => {
    const text = `hooks:\n  disabled: [lint, other] # flaky\n  definitions:\n    - name: lint\n      event: Stop\n      rules: prompt contains "x" -> deny("x")\n`;
    const at = trustedProject({ [FILE]: text });
    expect(active(at, "lint")).toBe(false);
    expect(at.sluice("enable", "lint").code).toBe(0);
    expect(read(at)).toBe(text.replace("[lint, other]", "[other]"));
    expect(active(at, "lint")).toBe(true);
  });

  it("do the same in JSON, with its indentation", () => {
    const text = `{\n\t"hooks": [\n\t\t{ "name": "a", "event": "Stop", "command": "x" },\n\t\t{\n\t\t\t"name": "b",\n\t\t\t"event": "Stop",\n\t\t\t"command": "y"\n\t\t}\n\t]\n}`;
    const at = trustedProject({ ".sluice/hooks.json": text });
    expect(at.sluice("disable", "a", "b", "--json").code).toBe(0);
    expect(read(at, ".sluice/hooks.json")).toBe(
      text.replace('"x" }', '"x", "enabled": false }').replace('"y"\n', '"y",\n\t\t\t"enabled": false\n'),
    );
    expect(at.sluice("enable", "a", "b").code).toBe(0);
    expect(read(at, ".sluice/hooks.json")).toBe(text);
  });

  it("keep a byte order mark and a last line without an end", () => {
    const text = "\uFEFFhooks:\r\n  - name: a\r\n    event: Stop\r\n    command: x";
    const at = trustedProject({ [FILE]: text });
    expect(at.sluice("disable", "a").code).toBe(0);
    expect(read(at)).toBe(`${text}\r\n    enabled: false`);
  });

  it("change a user's own hook everywhere, and say so; a project cannot", () => {
    const at = withUser(HOOKS, { [FILE]: "hooks: []\n" });
    const refused = at.sluice("disable", "no-sudo", "--scope", "project");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("a project cannot disable it")]);
    expect(refused.err).toContain("`sluice disable no-sudo --scope user` does so in every project");
    const { out } = at.sluice("disable", "no-sudo");
    expect(out).toContain(
      "no-sudo is off: ~/.config/sluice/hooks.yaml:4. It is your own hook, so this applies in every project.",
    );
    expect(active(at, "no-sudo")).toBe(false);
  });

  it("ask which one is meant where both have one", () => {
    const at = withUser(HOOKS, { [FILE]: HOOKS });
    const { code, err } = at.sluice("disable", "no-sudo");
    expect([code, err]).toEqual([1, expect.stringContaining("--scope project")]);
    expect(at.sluice("disable", "no-sudo", "--scope", "project").out).toContain(".sluice/hooks.yaml:4");
    expect(readFileSync(join(at.home, ".config/sluice/hooks.yaml"), "utf8")).toBe(HOOKS);
  });

  it("say where else a hook is kept off", () => {
    const at = withUser("hooks:\n  disabled: [no-sudo]\n  definitions: []\n", { [FILE]: HOOKS });
    const { code, err } = at.sluice("enable", "no-sudo");
    expect([code, err]).toEqual([1, expect.stringContaining("stays off: ~/.config/sluice/hooks.yaml:2")]);
  });

  it.each([
    [["disable"], 64, "needs the name of a hook"],
    [["disable", "no-sud"], 1, 'Did you mean "no-sudo"?'],
    [["disable", "guard:git"], 1, "is a built-in guard"],
    [["enable", "lint", "--scope", "team"], 64, "neither user nor project"],
  ])("%j: tell the next step, and change nothing", (args, exit, words) => {
    const at = project({ [FILE]: HOOKS });
    const { code, err } = at.sluice(...args);
    expect([code, err]).toEqual([exit, expect.stringContaining(words)]);
    expect(read(at)).toBe(HOOKS);
  });

  it("change a script in a folder of hooks in no file, and say how", () => {
    const at = project({ ".sluice/hooks/PreToolUse-check.sh": "#!/bin/sh\ntrue\n" });
    const [name] = JSON.parse(at.sluice("completion", "--words", "hooks", "--json").out);
    if (name === undefined) return;
    expect(at.sluice("disable", name).err).toContain("is a hook by its name");
  });
});

describe("completion", () => {
  it("knows agents, templates, hooks and intents of the project", () => {
    const intents = "active_intents:\n  - id: INT-007\n    name: x\n    status: IN_PROGRESS\n";
    const at = project({ [FILE]: HOOKS, ".orchestration/active_intents.yaml": intents });
    const words = (source: string) => at.sluice("completion", "--words", source).out.trim().split("\n");
    expect(words("hooks")).toEqual(["no-sudo", "lint"]);
    expect(words("intents")).toEqual(["INT-007"]);
    expect(words("agents")).toEqual(expect.arrayContaining(["claude-code", "codex", "json"]));
    expect(words("templates")).toContain("block_sudo");
    expect(at.sluice("completion", "--words", "hoks")).toMatchObject({
      code: 64,
      err: expect.stringContaining('"hooks"'),
    });
  });
});
