import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine } from "../../src/config/examine.ts";
import { loadLayers } from "../../src/config/load.ts";
import { approve, isSettingApproved, settingPrint } from "../../src/trust/ledger.ts";
import { CANARY, type Clone, clone, GUARD } from "./clone.ts";

const gate = (name: string, command: string, more: object = {}) => ({
  name,
  event: "tool:pre_execute",
  command,
  ...more,
});

/** A project with these hooks, and some files that none of them runs. */
function project(...hooks: readonly object[]): Clone {
  const made = clone();
  made.write(".sluice/hooks.json", { hooks });
  made.write("package.json", '{ "version": "1.0.0", "scripts": { "test": "true", "lint": "true" } }');
  made.write("src/main.py", "print(1)\n");
  made.write("scripts/check.sh", "#!/bin/sh\nexit 0\n", 0o755);
  made.write("config.json", "{}");
  return made;
}

const statesOf = ({ root, home }: Clone) =>
  Object.fromEntries(
    examine(loadLayers(root), root, { env: { XDG_STATE_HOME: join(home, ".state") } }).items.map(({ print, state }) => [
      print.key,
      state,
    ]),
  );

const BASH = (command: string) => ({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } });
const STOP = { hook_event_name: "Stop" };

describe("a hook stays approved while files change that it does not run", () => {
  test.each<[string, string]>([
    ["code with signs of a pattern", 'python3 -c "print(2 * 3)"'],
    ["a pattern of grep", "grep -qE '[a-z]*(/|$)' config.json; exit 0"],
    ["a script of a package", "npm test"],
    ["a script with arguments", "sh scripts/check.sh src/main.py config.json"],
    ["a loop over names", 'for f in *; do [ -f "$f" ] || true; done'],
    ["a linter that is given a file", "pylint src/main.py || true"],
    ["a case of shell patterns", "case x in *.py | src/*) exit 0 ;; esac"],
  ])("%s", (_, command) => {
    const made = project(gate("gate", command));
    made.trust();
    made.write("new-file.txt", "new");
    made.write("scripts/other.sh", "true\n", 0o755);
    made.write("src/main.py", "print(2)\n");
    made.write("config.json", '{"changed":true}');
    made.write("package.json", '{ "version": "2.0.0", "scripts": { "test": "true", "lint": "false" } }');
    expect(statesOf(made)).toEqual({ gate: "trusted" });
  });

  test("also while other hooks come, go, move and change", () => {
    const made = project(gate("one", "sh scripts/check.sh"), gate("two", "true"));
    made.trust();
    made.write(".sluice/hooks.json", {
      guards: "strict",
      hooks: [gate("three", "true"), GUARD, gate("one", "sh scripts/check.sh")],
    });
    expect(statesOf(made)).toEqual({ one: "trusted", three: "modified" });
    made.write(".sluice/hooks.json", {
      hooks: [gate("two", "true"), gate("three", "true"), gate("one", "sh scripts/check.sh")],
    });
    expect(statesOf(made)).toEqual({ one: "trusted", two: "trusted", three: "untrusted" });
    made.write(".sluice/hooks.json", {
      hooks: [gate("two", "false"), gate("one", "sh scripts/check.sh", { enabled: false })],
    });
    expect(statesOf(made)).toEqual({ one: "trusted", two: "modified" });
  });
});

test("trust and fire say which hooks have nothing to run, and which did not run", () => {
  const made = project(gate("gate", "./none.sh"), gate("open", "sh scripts/check.sh"));
  expect(made.sluice(["trust", "open", "--yes"]).code).toBe(0);
  const { out } = made.sluice(["trust", "--status"]);
  expect(out).toMatch(/ {2}1 of 2 approved {2}1 hook waits for an approval/);
  expect(out).toContain("./none.sh is not there: when it appears, the hook has to be approved again");
  const fired = made.sluice(["fire", "ls"]).out;
  expect(fired).toMatch(/– skipped +gate +not approved yet/);
  expect(fired).toMatch(/continue {2}\(1 hook ran, 1 skipped\)/);
});

describe("a hook that was approved and has changed", () => {
  const changed = () => {
    const made = project(gate("gate", "sh scripts/check.sh"));
    made.trust();
    made.write("scripts/check.sh", CANARY, 0o755);
    return made;
  };

  test("keeps its gate shut: the agent's user is asked, and the agent is told why", () => {
    const made = changed();
    const { out } = made.run("claude-code", BASH("ls"));
    const { permissionDecision, permissionDecisionReason } = JSON.parse(out).hookSpecificOutput;
    expect(permissionDecision).toBe("ask");
    expect(permissionDecisionReason).toMatch(
      /gate.*scripts\/check\.sh changed since the user approved it.*sluice trust/s,
    );
    expect(made.hasRun()).toBe(false);
  });

  test("denies where no user can be asked", () => {
    const made = changed();
    const { out, err, code } = made.run("codex", BASH("ls"));
    expect(`${out}${err}`).toContain("changed since the user approved it");
    expect(code === 2 || JSON.stringify(JSON.parse(out)).includes("deny")).toBe(true);
    expect(made.hasRun()).toBe(false);
  });

  test("opens again when its bytes are the approved ones, or are approved", () => {
    const made = changed();
    made.write("scripts/check.sh", "#!/bin/sh\nexit 0\n", 0o755);
    expect(made.run("claude-code", BASH("ls"))).toMatchObject({ code: 0, out: "" });
    made.write("scripts/check.sh", CANARY, 0o755);
    const { out, code } = made.sluice(["trust", "gate", "--yes"]);
    expect(code).toBe(0);
    expect(out).toMatch(/gate\s+changed[\s\S]*changed: scripts\/check\.sh[\s\S]*- exit 0[\s\S]*\+ touch/);
    expect(made.run("claude-code", BASH("ls"))).toMatchObject({ code: 0, out: "" });
    expect(made.hasRun()).toBe(true);
  });

  test("asks at the end of a session once, so that the session can end", () => {
    const made = project({ ...gate("done", "sh scripts/check.sh"), event: "session:stop" });
    made.trust();
    made.write("scripts/check.sh", CANARY, 0o755);
    expect(made.run("claude-code", { ...STOP, stop_hook_active: false }).out).toContain(
      "changed since the user approved it",
    );
    expect(
      JSON.parse(made.run("claude-code", { ...STOP, stop_hook_active: true }).out || "{}").decision,
    ).toBeUndefined();
  });

  test.each<[string, object]>([
    ["another name", gate("door", "sh scripts/check.sh")],
    ["another name and another command", gate("door", "exit 0")],
    ["another name and another event", { ...gate("door", "sh scripts/check.sh"), event: "tool:pre_execute:@write" }],
    ["no name any more", { event: "tool:pre_execute", command: "sh scripts/check.sh" }],
  ])("keeps its gate shut with %s, until `sluice trust` has shown what it takes the place of", (_, hook) => {
    const made = project(gate("gate", "sh scripts/check.sh"));
    made.trust();
    made.write(".sluice/hooks.json", { hooks: [hook] });
    const { out } = made.run("claude-code", BASH("ls"));
    expect(JSON.parse(out).hookSpecificOutput).toMatchObject({ permissionDecision: "ask" });
    expect(JSON.parse(made.run("codex", BASH("ls")).out).hookSpecificOutput).toMatchObject({
      permissionDecision: "deny",
    });
    expect(made.sluice(["trust", "--yes"]).out).toContain(
      "takes the place of gate, which you approved and which is gone",
    );
    expect(made.run("claude-code", BASH("ls"))).toMatchObject({ code: 0, out: "" });
    // What was replaced is forgotten: one more hook is a new one.
    made.write(".sluice/hooks.json", { hooks: [hook, gate("late", "false")] });
    expect(made.run("claude-code", BASH("ls")).out).not.toContain("permissionDecision");
  });

  test("is skipped where it can stop nothing, and the agent is told", () => {
    const made = project({ ...gate("format", "sh scripts/check.sh"), event: "tool:post_execute" });
    made.trust();
    made.write("scripts/check.sh", CANARY, 0o755);
    const payload = { ...BASH("ls"), hook_event_name: "PostToolUse", tool_response: { stdout: "" } };
    const { out, code } = made.run("claude-code", payload);
    expect(code).toBe(0);
    expect(JSON.parse(out).decision).toBeUndefined();
    expect(JSON.parse(out).hookSpecificOutput.additionalContext).toContain("format (scripts/check.sh changed since");
    expect(made.hasRun()).toBe(false);
  });
});

test("a hook that was never approved is skipped, and the agent and its user are told", () => {
  const made = project(gate("gate", "exit 1"), GUARD);
  const { out, err, code } = made.run("claude-code", BASH("ls"));
  expect(code).toBe(0);
  expect(JSON.parse(out).hookSpecificOutput.additionalContext).toMatch(/does not run: gate \(not approved yet\)/);
  expect(JSON.parse(out).hookSpecificOutput.additionalContext).toContain("Only the user can change that");
  expect(err).toContain("Run `sluice trust`");
  expect(made.run("claude-code", BASH("rm x")).out).toContain("no rm");
});

test("a hook that denies without approval is not called one that does not run", () => {
  const rules =
    'args.command contains "rm" -> deny("no rm")\nargs.command contains "ls" -> modify(args.command, "pwd")';
  const made = project({ name: "both", event: "tool:pre_execute:@shell", rules });
  const { out, err } = made.run("claude-code", BASH("ls"));
  const told = "1 hook of this project denies and asks, but changes and approves nothing: both (not approved yet).";
  expect(JSON.parse(out).hookSpecificOutput).toEqual({
    hookEventName: "PreToolUse",
    additionalContext: `${told} Only the user can change that, with \`sluice trust\`.`,
  });
  expect(err).toContain(`${told} Run \`sluice trust\` to look at it.`);
  expect(made.run("claude-code", BASH("rm x")).out).toContain("no rm");
});

describe("sluice trust", () => {
  test("approves one hook by its name, and leaves the others", () => {
    const made = project(gate("one", "true"), gate("two", "sh scripts/check.sh"));
    const { out, code } = made.sluice(["trust", "two", "--yes"]);
    expect(code).toBe(0);
    expect(out).toContain("Approved two.");
    expect(out).not.toMatch(/^one\b/m);
    expect(statesOf(made)).toEqual({ one: "untrusted", two: "trusted" });
    expect(made.sluice(["trust", "--revoke", "two"]).out).toContain("Forgotten");
    expect(statesOf(made)).toEqual({ one: "untrusted", two: "untrusted" });
    expect(made.sluice(["trust", "tow"]).err).toContain('Did you mean "two"?');
  });

  test("says of each hook what it would run, and as JSON the same", () => {
    const made = project(gate("one", "npm test"), gate("two", "sh scripts/check.sh"));
    const { out } = made.sluice(["trust", "--status"]);
    expect(out).toMatch(/one\s+new[\s\S]*would run: sh -c npm test\s+"test" in package\.json\s+script/);
    expect(out).toMatch(/two\s+new[\s\S]*would run: sh -c sh scripts\/check\.sh\s+scripts\/check\.sh\s+program/);
    const { hooks, state } = JSON.parse(made.sluice(["trust", "--yes", "--json"]).out);
    expect(state).toBe("trusted");
    expect(hooks).toMatchObject([
      { name: "one", state: "trusted", files: [{ path: join(made.root, "package.json"), script: "test" }] },
      { name: "two", state: "trusted", files: [{ path: join(made.root, "scripts/check.sh") }] },
    ]);
  });

  test("shows how a definition changed", () => {
    const made = project(gate("one", "true"));
    made.trust();
    made.write(".sluice/hooks.json", { hooks: [gate("one", "false")] });
    expect(made.sluice(["trust", "--status"]).out).toMatch(
      /changed: its definition\s+- command: true\s+\+ command: false/,
    );
  });
});

test("an approval of a whole configuration, from an earlier version, does not count and says so", () => {
  const made = project(gate("one", "true"));
  made.trust();
  const folder = join(made.home, ".state/sluice/trust");
  const [file = ""] = readdirSync(folder);
  const { root } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const old = { root, said: "trusted", hash: `sha256:${"0".repeat(64)}`, at: "2026-01-01T00:00:00Z", files: [] };
  writeFileSync(join(folder, file), JSON.stringify(old), { mode: 0o600 });
  const { out, err } = made.sluice(["trust", "--status"]);
  expect(out).toContain("untrusted");
  expect(err).toMatch(/from an earlier version[\s\S]*Run `sluice trust`/);
  expect(made.sluice(["trust", "--yes"]).code).toBe(0);
  expect(statesOf(made)).toEqual({ one: "trusted" });
  writeFileSync(join(folder, file), JSON.stringify({ ...old, said: "denied" }), { mode: 0o600 });
  expect(statesOf(made)).toEqual({ one: "denied" });
});

test("a block of settings is approved by its content, whatever the order of its keys", () => {
  const made = clone();
  mkdirSync(join(made.root, ".sluice"));
  const where = { env: { XDG_STATE_HOME: join(made.home, ".state") } };
  const value = { preset: "standard", rules: { "git-push": "off" } };
  expect(isSettingApproved(made.root, "guards", value, where)).toBe(false);
  approve(made.root, [settingPrint(made.root, "guards", value)], where);
  expect(isSettingApproved(made.root, "guards", { rules: { "git-push": "off" }, preset: "standard" }, where)).toBe(
    true,
  );
  expect(isSettingApproved(made.root, "guards", { preset: "off" }, where)).toBe(false);
  expect(isSettingApproved(made.root, "other", value, where)).toBe(false);
});

test("an agent may edit what a hook only mentions, and not what a gate hook runs", () => {
  // What it runs is the same where it does not come to it: npm takes longer to start than everything else here.
  const line = "sh scripts/check.sh src/main.py; grep -q x config.json; if [ -e release ]; then npm test; fi";
  const made = project(gate("gate", line));
  const { hooks } = JSON.parse(made.sluice(["trust", "--yes", "--json"]).out);
  expect(hooks).toMatchObject([
    {
      files: [{ path: join(made.root, "package.json"), script: "test" }, { path: join(made.root, "scripts/check.sh") }],
    },
  ]);
  const write = (file: string) =>
    made.run("claude-code", {
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: join(made.root, file), content: "x" },
    }).out;
  expect(write("scripts/check.sh")).toContain("deny");
  for (const file of ["src/main.py", "config.json", "package.json", "new.txt"])
    expect(write(file)).not.toContain('"deny"');
});

describe("a call does not look at what hooks would run that were never approved", () => {
  /** Hooks whose scripts each lead to all the others: looking at what all of them run takes minutes. */
  const chained = (made: Clone) => {
    for (let at = 0; at < 150; at++)
      made.write(`scripts/s${at}.sh`, `#!/bin/sh\n. ./scripts/s${(at + 1) % 150}.sh\n`, 0o755);
    return Array.from({ length: 150 }, (_, at) => gate(`strange-${at}`, `./scripts/s${at}.sh`));
  };

  test("in a project of which nothing was approved, and in one that was denied", () => {
    const made = project();
    made.write(".sluice/hooks.json", { hooks: chained(made) });
    expect(made.run("claude-code", BASH("ls")).out).toContain("150 hooks of this project do not run");
    const denied = project(gate("own", "true"));
    // To deny a project looks at everything in it, so it is denied before it has so much.
    denied.sluice(["trust", "--deny"]);
    denied.write(".sluice/hooks.json", { hooks: chained(denied) });
    expect(denied.run("claude-code", BASH("ls")).out).toContain("denied this project");
  });

  test("beside a hook that was approved, which still runs", () => {
    const made = project();
    const own = gate("own", "touch 'MARK'");
    made.write(".sluice/hooks.json", { hooks: [own] });
    made.trust();
    made.write(".sluice/hooks.json", { hooks: [own, ...chained(made)] });
    const { out } = made.run("claude-code", BASH("ls"));
    expect([made.hasRun(), out]).toEqual([true, expect.stringContaining("150 hooks of this project do not run")]);
  });
});
