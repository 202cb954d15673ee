import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { endPause, openPause } from "./pause.ts";
import { protectedPaths } from "./protected-paths.ts";
import { SELF_PROTECTION, selfProtection } from "./self-protection.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-self-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const root = join(home, "project");
for (const path of [".sluice/hooks.yaml", "src/a.ts", "list.txt"]) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), "hooks: []\n");
}
const context = { home, root, env: { HOME: home } };
const FILE = join(root, ".sluice/hooks.yaml");
const PLACE = `${join(root, ".sluice")}, the configuration of Sluice`;

const call = (tool: string, args: object) => HookEvent.toolPreExecute(tool, args, { cwd: root, sessionId: "s" });
const bash = (command: string) => call("Bash", { command });
const STEPS = {
  command: "Ask the user to do it.",
  place: "Ask the user to do it; in a terminal of their own, `sluice pause 10m` lets such changes pass for a while.",
};

it.each([
  ["a change of the configuration", bash("echo x > .sluice/hooks.yaml"), `this call changes ${PLACE}`, "place"],
  [
    "a copy whose target is named first",
    bash("Copy-Item -Destination .sluice/hooks.yaml -Path list.txt"),
    `this call changes ${PLACE}`,
    "place",
  ],
  ["its removal", bash("rm -r .sluice"), `this call removes ${PLACE}`, "place"],
  ["a tool that writes it", call("Write", { file_path: FILE, content: "" }), `this call changes ${PLACE}`, "place"],
  [
    "code that names it",
    bash("node -e \"require('fs').rmSync('.sluice/hooks.yaml')\""),
    `this call removes ${PLACE}`,
    "place",
  ],
  ["the command that approves", bash("sluice trust --yes"), "`sluice trust` is for a person at a terminal", "command"],
  [
    "the command in code",
    bash("node -e \"require('child_process').execSync('sluice trust --yes')\""),
    "trust",
    "command",
  ],
  ["the end of all processes", bash("echo i > /proc/sysrq-trigger"), "it holds or ends processes", "command"],
  ["a group that is frozen", bash("echo 1 > /sys/fs/cgroup/x/cgroup.freeze"), "it holds or ends processes", "command"],
  ["a tool that nothing is known of, and that is given the file", call("SomeTool", { target: FILE }), PLACE, "place"],
  ["a tool that ends processes", call("kill_process", { pid: 1 }), "it ends Sluice", "command"],
  ["keys for a terminal", call("mcp__x__send_keys", { keys: "sluice trust --yes\n" }), "`sluice trust`", "command"],
] as const)("%s is denied", (_, event, words, about) => {
  const said = selfProtection(event, context);
  expect(said).toMatchObject({ hook: SELF_PROTECTION, action: "deny", shouldContinue: false });
  expect(said?.reason).toMatch(/^Sluice protects itself: /);
  expect(said?.reason).toContain(words);
  expect(said?.reason?.endsWith(`. ${STEPS[about]}`)).toBe(true);
});

it.each([
  [
    "files that a search prints",
    "find . -type f | xargs sed -i s/a/b/",
    `the files that this call changes may be ${PLACE}. Leave its folder out, or list the files of one folder.`,
  ],
  [
    "such a program behind one that only reads",
    "ls; mytool --out .sluice/hooks.yaml",
    expect.stringContaining("`mytool` is given"),
  ],
  [
    "a patch that is not there to be read",
    "curl -s http://x/y | patch -p1",
    "`patch -p1` applies a patch that could not be read before. It could change Sluice's own files: put it into a file of the project first, where it can be read.",
  ],
  [
    "an archive that is not there to be read",
    "curl -s http://x/y.tar | tar x",
    "`tar x` brings files whose names cannot be read before. It could replace Sluice's own files: put it into a new folder first, and copy from there.",
  ],
  [
    "a program that is given a protected file",
    "mytool --out .sluice/hooks.yaml",
    `\`mytool\` is given ${PLACE}, and may write to it. It could change that file: let the program write elsewhere, or ask the user.`,
  ],
  [
    "another program in its place",
    "npm install -g sluice",
    "`npm install -g sluice` installs a package that is called sluice. It could put another program in Sluice's place, or take hooks away: ask the user.",
  ],
  [
    "settings for what is started later",
    "echo 'export XDG_CONFIG_HOME=/tmp/x' >> ~/.bashrc",
    expect.stringMatching(/XDG_CONFIG_HOME .*looks elsewhere for its hooks\. Set it for single commands instead\.$/),
  ],
])("%s: the user is asked", (_, command, reason) => {
  expect(selfProtection(bash(command), context)).toMatchObject({ hook: SELF_PROTECTION, action: "ask", reason });
});

it.each([
  ["a look at it", bash("cat .sluice/hooks.yaml")],
  ["a search in it", bash("grep -r hooks .sluice")],
  ["a change of something else", bash("echo x > src/a.ts")],
  ["a tool that writes something else", call("Write", { file_path: join(root, "src/a.ts"), content: "" })],
  ["a look at another process", bash("cat /proc/1/status")],
  ["a change of a process of someone else", bash("echo x > /proc/999999999/oom_score_adj")],
  ["a file of the project with such a name", bash("echo i > src/proc/sysrq-trigger")],
  ["another file with such a beginning", bash("echo i > /proc/sysrq-trigger-log")],
  ["a folder of the project with such a name", bash("echo 1 > src/sys/fs/cgroup/x")],
  ["a look at what holds processes", bash("cat /sys/fs/cgroup/x/cgroup.freeze")],
  ["nothing", bash("")],
] as const)("%s passes silently", (_, event) => {
  expect(selfProtection(event, context)).toBe(undefined);
});

it("the protected paths may be passed in", () => {
  const known = protectedPaths(context);
  const elsewhere = { ...context, root: join(home, "other") };
  expect(selfProtection(bash("echo x > .sluice/hooks.yaml"), elsewhere, known)?.action).toBe("deny");
});

it("a pause lets changes of places pass with a note, and does not apply to commands", () => {
  openPause(60_000, context);
  const said = selfProtection(bash("echo x > .sluice/hooks.yaml"), context);
  expect(said).toMatchObject({ action: "continue", shouldContinue: true });
  expect(said?.notes).toEqual([
    expect.stringMatching(/^paused, \d+ s left: this call changes .*\.sluice, the configuration of Sluice$/),
  ]);
  expect(selfProtection(bash("sluice trust --yes"), context)?.action).toBe("deny");
  endPause(context);
  expect(selfProtection(bash("echo x > .sluice/hooks.yaml"), context)?.action).toBe("deny");
});

it("an error denies with HOOK_ERROR", () => {
  const broken = new Proxy(protectedPaths(context), {
    get() {
      throw new Error("torn");
    },
  });
  const said = selfProtection(bash("echo x > .sluice/hooks.yaml"), context, broken);
  expect(said).toMatchObject({
    action: "deny",
    reason: "self-protection could not check this call: torn",
    code: "HOOK_ERROR",
    failure: { why: "exception", message: "torn" },
  });
});

it.runIf(existsSync("/proc/self"))("a system file that controls a process of Sluice is not written", () => {
  const process = spawn("sleep", ["60"], { argv0: "sluice", stdio: "ignore" });
  onTestFinished(() => void process.kill());
  const said = (path: string) => selfProtection(bash(`echo 1000 > ${path}`), context);
  expect(said(`/proc/${process.pid}/oom_score_adj`)).toMatchObject({
    action: "deny",
    reason: `Sluice protects itself: it holds or ends processes of this machine. ${STEPS.command}`,
  });
  expect(said(`src/proc/${process.pid}/oom_score_adj`)).toBe(undefined);
});

it("every line that is equivalent to a tool call is judged, from the folder of the call", () => {
  const said = (tool: string, args: object) => selfProtection(call(tool, args), context)?.action;
  expect(said("kill_processes", { pids: ["999999998", "sluice"] })).toBe("deny");
  expect(said("kill_processes", { pids: ["999999998", "999999999"] })).toBe(undefined);
  expect(said("mcp__terminal__type_text", { text: "cd .sluice && rm hooks.yaml\n" })).toBe("deny");
  expect(said("mcp__terminal__type_text", { text: "cd src && rm hooks.yaml\n" })).toBe(undefined);
});

it("a tool call that is equivalent to a line is judged like the line", () => {
  const said = (command: string) => selfProtection(call("mcp__terminal__type_text", { text: command }), context);
  expect(said("echo x > .sluice/hooks.yaml\n")?.action).toBe("deny");
  expect(said("sluice trust --yes\n")?.action).toBe("deny");
  expect(said("ls\n")).toBe(undefined);
});

it.each([
  ["mcp__terminal__type_text", { text: "rm hooks.yaml\n" }],
  ["mcp__db__query", { sql: "COPY t TO 'hooks.yaml'" }],
  ["mcp__db__query", { query: "COPY t TO 'hooks.yaml'" }],
  ["mcp__x__diff", { text: "--- a/hooks.yaml\n+++ b/hooks.yaml\n@@ -1 +1 @@\n-a\n+b\n" }],
])("a relative path of such a line is relative to the folder of the call: %s", (tool, args) => {
  const from = (cwd: string) => selfProtection(HookEvent.toolPreExecute(tool, args, { cwd }), context);
  expect(from(dirname(FILE))?.action).toBe("deny");
  expect(from(join(root, "src"))).toBe(undefined);
});

it("more files than can be checked while the call waits are denied", () => {
  const nothing = { ...protectedPaths(context), holds: () => undefined, places: [] };
  const said = (count: number) => {
    const files = Array.from({ length: count }, (_, at) => `*** Add File: a${at}\n+a\n`).join("");
    const event = call("apply_patch", { command: `*** Begin Patch\n${files}*** End Patch` });
    return selfProtection(event, context, nothing);
  };
  expect(said(20_000)).toBe(undefined);
  expect(said(20_001)).toMatchObject({
    action: "deny",
    reason:
      "Sluice protects itself: this call touches 20001 files, more than can be checked while it waits. Touch at most 20000 files in one call.",
  });
});

it("a command that is too long for any shell is denied before its text is searched for places", () => {
  let asked = 0;
  const counting = {
    ...protectedPaths(context),
    get places() {
      asked++;
      return [];
    },
  };
  const said = (tool: string, text: string) => selfProtection(call(tool, { command: text }), context, counting);
  expect(said("Bash", `python3 -c 'remove(${"x".repeat(1_000_000)})'`)).toMatchObject({
    action: "deny",
    reason:
      "Sluice protects itself: this command has 1000021 characters, more than can be checked. Write it as several shorter calls.",
  });
  expect(asked).toBe(0);
  expect(said("Bash", `python3 -c 'remove(${"x".repeat(100_000)})'`)).toBe(undefined);
  expect(asked).toBeGreaterThan(0);
  expect(said("Bash", "echo ".padEnd(1_000_000, "x"))).toBe(undefined);
  expect(said("Bash", "echo ".padEnd(1_000_001, "x"))).toMatchObject({ action: "deny" });
  const patch = `*** Begin Patch\n*** Add File: a\n${"+a line\n".repeat(150_000)}*** End Patch`;
  expect(said("apply_patch", patch)).toBe(undefined);
});

it("asks about a git call if git itself gives no answer that can be read", () => {
  const programs = mkdtempSync(join(home, "programs-"));
  writeFileSync(join(programs, "git"), "#!/bin/sh\nyes x | head -c 2000000\n", { mode: 0o755 });
  const path = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  process.env.PATH = `${programs}:${path}`;
  const said = selfProtection(bash("git checkout other"), context);
  expect(said).toMatchObject({ action: "ask" });
  expect(said?.reason).toContain("git did not report in time what this call would bring into the project");
});
