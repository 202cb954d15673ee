import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HookEvent } from "../event/event.ts";
import { discoverHooks } from "./discover.ts";
import { loadLayers } from "./load.ts";
import { saveLayer } from "./save.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-discover-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, content = "", mode = 0o644): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
  return path;
}

/** The hooks of this one file, and what was said about it. */
function discover(file: string, mode?: number) {
  write(`hooks/${file}`, "", mode);
  return discoverHooks(join(folder, "hooks"), "project");
}

describe("a script's name says what it matches", () => {
  test.each([
    ["pre-bash.sh", ["PreToolUse"], "bash", "Bash"],
    ["Pre-Bash.sh", ["PreToolUse"], "bash", "Bash"],
    ["post-write.ts", ["PostToolUse"], "write", "Write"],
    ["pre-multi-edit.py", ["PreToolUse"], "multi_edit", "MultiEdit"],
    ["pre-web-fetch.mjs", ["PreToolUse"], "web_fetch", "WebFetch"],
    ["pre-deploy.sh", ["PreToolUse"], "deploy", "Deploy"],
    ["pre-@shell.sh", ["PreToolUse"], "run_shell_command", "Bash"],
    ["pre-mcp__github__create_issue.rb", ["PreToolUse"], "mcp__github__create_issue", "mcp__github__create_issue"],
  ])("%s matches %j of the tool %s, and of %s", (file, events, ...tools) => {
    const { hooks, warnings } = discover(file);
    expect(warnings).toEqual([]);
    expect(hooks[0]?.matcher?.events).toEqual(events);
    const type = events[0] === "PreToolUse" ? "tool:pre_execute" : "tool:post_execute";
    for (const toolName of tools) expect(hooks[0]?.matches(new HookEvent({ type, toolName })), toolName).toBe(true);
    expect(hooks[0]?.matches(new HookEvent({ type, toolName: "glob" }))).toBe(false);
  });

  test.each([
    ["on-session-start.py", "session:start"],
    ["on-session_start.py", "session:start"],
    ["on-sessionstart.py", "session:start"],
    ["on-stop.sh", "session:stop"],
    ["on-pre-tool-use.sh", "tool:pre_execute"],
    ["on-tool-pre-execute.sh", "tool:pre_execute"],
    ["on-user-prompt-submit.sh", "user:prompt_submit"],
    ["on-post-tool-use.sh", "tool:error"],
    ["pre-compact.sh", "session:pre_compact"],
    ["pre-tool-use.sh", "tool:pre_execute"],
  ] as const)("%s matches %s", (file, type) => {
    const { hooks, warnings } = discover(file);
    expect(warnings).toEqual([]);
    expect(hooks[0]?.matches(new HookEvent({ type, toolName: "anything" }))).toBe(true);
  });
});

describe("a discovered hook", () => {
  test("is called like its file, runs it, and stands in its first line", () => {
    const [hook] = discover("pre-bash.sh").hooks;
    const script = join(folder, "hooks/pre-bash.sh");
    expect(hook).toMatchObject({ name: "pre-bash", type: "command", script, timeout: 30, exitCodes: "amplifier" });
    expect(hook?.origin).toEqual({ layer: "project", place: { file: script, line: 1 }, index: 0 });
  });

  test("needs a suffix or the right to be executed", () => {
    expect(discover("on-stop", 0o755).hooks).toHaveLength(1);
    chmodSync(join(folder, "hooks/on-stop"), 0o644);
    const { hooks, warnings } = discoverHooks(join(folder, "hooks"), "user");
    expect(hooks).toEqual([]);
    expect(warnings[0]?.message).toBe(
      'This file is never run: it is unknown what runs "on-stop", or it is a link to a missing file.',
    );
  });

  test("may be a link, and a link that leads nowhere is told", () => {
    const script = write("elsewhere.sh");
    mkdirSync(join(folder, "hooks"));
    symlinkSync(script, join(folder, "hooks/pre-bash.sh"));
    symlinkSync(join(folder, "gone.sh"), join(folder, "hooks/pre-edit.sh"));
    const { hooks, warnings } = discoverHooks(join(folder, "hooks"), "project");
    expect(hooks.map(({ name }) => name)).toEqual(["pre-bash"]);
    expect(warnings.map(({ code }) => code)).toEqual(["config/no-script"]);
  });

  test("comes in the order of the file names", () => {
    for (const file of ["pre-edit.sh", "on-stop.sh", "pre-bash.sh"]) discover(file);
    const { hooks } = discoverHooks(join(folder, "hooks"), "project");
    expect(hooks.map(({ name }) => name)).toEqual(["on-stop", "pre-bash", "pre-edit"]);
  });
});

describe("a script that never runs is told", () => {
  test.each([
    ["on-sesion-start.sh", 'Did you mean "on-session-start.sh"?'],
    ["session-start.sh", 'Did you mean "on-session-start.sh"?'],
    ["prebash.py", 'Did you mean "pre-bash.py"?'],
    ["pre-@shel.sh", 'Did you mean "pre-@shell.sh"?'],
    ["befor-bash.sh", "Hooks are called pre-<tool>"],
    ["pre-bash.test.sh", "Hooks are called pre-<tool>"],
    ["library.sh", "Hooks are called pre-<tool>"],
  ])("%s", (file, fix) => {
    const { hooks, warnings } = discover(file);
    expect(hooks).toEqual([]);
    expect(warnings[0]?.message).toMatch(/^This file is never run/);
    expect(warnings[0]?.fix).toContain(fix);
    expect(warnings[0]?.place).toEqual({ file: join(folder, "hooks", file), line: 1 });
  });

  test.each(["README.md", "notes.txt", ".gitignore", ".pre-bash.sh.swp", "pre-bash.md", "pre-bash.sample", "lib/x.sh"])(
    "and %s is none",
    (file) => {
      expect(discover(file)).toEqual({ hooks: [], shut: [], errors: [], warnings: [] });
    },
  );

  test("and no folder is no problem", () => {
    expect(discoverHooks(join(folder, "nowhere"), "user")).toEqual({ hooks: [], shut: [], errors: [], warnings: [] });
    write("hooks");
    expect(discoverHooks(join(folder, "hooks"), "user")).toEqual({ hooks: [], shut: [], errors: [], warnings: [] });
  });
});

describe("among the layers", () => {
  const load = () =>
    loadLayers(join(folder, "project"), {
      managedDir: join(folder, "managed"),
      managedOwner: process.getuid?.() ?? 0,
      env: { XDG_CONFIG_HOME: join(folder, "config") },
    });
  const configure = (file: string, ...hooks: object[]) => write(file, JSON.stringify({ hooks }));
  const mine = { name: "pre-bash", event: "tool:pre_execute", command: "true" };
  const told = () => load().hooks.map(({ layer, name, script }) => `${layer} ${name}${script ? " script" : ""}`);

  test("scripts of the user and of the project come behind what is configured there", () => {
    write("project/.sluice/hooks/on-stop.sh");
    write("config/sluice/hooks/on-stop.sh");
    configure("config/sluice/hooks.json", { ...mine, name: "a" });
    configure("project/.sluice/hooks.json", { ...mine, name: "b" });
    expect(told()).toEqual(["user a", "user on-stop script", "project b", "project on-stop script"]);
  });

  test.each(["project/.sluice/hooks.json", "config/sluice/hooks.json", "managed/hooks.json"])(
    "a hook of the same name in %s replaces the project's script",
    (file) => {
      write("project/.sluice/hooks/pre-bash.sh");
      configure(file, mine);
      expect(told()).toEqual([expect.stringMatching(/^\w+ pre-bash$/)]);
    },
  );

  test("a project cannot replace or switch off a script of the user", () => {
    write("config/sluice/hooks/pre-bash.sh");
    const hooks = { definitions: [mine], disabled: ["pre-bash"] };
    write("project/.sluice/hooks.json", JSON.stringify({ hooks }));
    expect(told()).toEqual(["user pre-bash script", "project pre-bash"]);
    expect(load().hooks[0]?.enabled).toBe(true);
    expect(load().warnings.map(({ code }) => code)).toContain("config/cannot-disable");
  });

  test("`disabled` switches scripts off by name", () => {
    write("project/.sluice/hooks/pre-bash.sh");
    write("project/.sluice/hooks.json", JSON.stringify({ hooks: { disabled: ["pre-bash"] } }));
    const { hooks, disabledBy, warnings } = load();
    expect(hooks[0]?.enabled).toBe(false);
    expect(disabledBy.get(hooks[0]!)?.file).toBe(join(folder, "project/.sluice/hooks.json"));
    expect(warnings).toEqual([]);
  });

  test("two scripts of one name both run, and are told", () => {
    write("project/.sluice/hooks/pre-bash.py");
    write("project/.sluice/hooks/pre-bash.sh");
    const { hooks, warnings } = load();
    expect(hooks).toHaveLength(2);
    expect(warnings.map(({ code }) => code)).toEqual(["config/same-name"]);
  });

  test("saving what was loaded writes no entry for a script", () => {
    const script = write("project/.sluice/hooks/pre-bash.sh", "#!/bin/sh\n");
    configure("project/.sluice/hooks.json", { ...mine, name: "a" });
    const root = join(folder, "project");
    saveLayer("project", root, load().hooks);
    expect(told()).toEqual(["project a", "project pre-bash script"]);
    expect(script).toBe(load().hooks[1]?.script);
  });
});
