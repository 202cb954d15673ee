import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { protectedProject } from "./project.ts";

const { bash, call, put, root } = protectedProject();

const agentPatch = (path: string) => `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`;
const diff = (path: string) => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;

execFileSync("git", ["init", "-q"], { cwd: root });
put("evil.patch", diff(".sluice/hooks.yaml"));
put("fine.patch", diff("src/a.ts"));
put("src/a.ts", "a\n");

describe("a patch on a protected file is denied, however it is applied", () => {
  const text = agentPatch(".sluice/hooks.yaml");
  it.each([
    `apply_patch <<'EOF'\n${text}\nEOF`,
    `apply_patch '${text}'`,
    `applypatch <<'EOF'\n${text}\nEOF`,
    `apply_patch "$(cat <<'EOF'\n${text}\nEOF\n)"`,
    `cat <<'EOF' | apply_patch\n${text}\nEOF`,
    `echo '${text}' | apply_patch`,
    `cd src && apply_patch <<'EOF'\n${agentPatch("../.sluice/hooks.yaml")}\nEOF`,
    `bash -lc "apply_patch <<'EOF'\n${text}\nEOF\n"`,
    "git apply evil.patch",
    "git apply < evil.patch",
    "patch -p1 < evil.patch",
    "patch -p1 -i evil.patch",
    "cat evil.patch | git apply",
    "git am evil.patch",
  ])("%s", (command) => {
    expect(bash(command)).toMatchObject({ action: "deny", reason: expect.stringContaining("protects itself") });
  });

  it.each([
    ["exec_command", { cmd: `apply_patch <<'EOF'\n${text}\nEOF` }],
    ["shell", { command: ["apply_patch", text] }],
    ["mcp__shell__run_command", { args: ["apply_patch", text] }],
  ])("by the tool %s", (tool, input) => {
    expect(call(tool, input)).toMatchObject({ action: "deny", reason: expect.stringContaining("protects itself") });
  });
});

it.each(["git apply not-there.patch", "curl -s https://example.com/x.patch | git apply", 'patch -p1 < "$FILE"'])(
  "a patch that cannot be read is a question: %s",
  (command) => {
    expect(bash(command)).toMatchObject({ action: "ask", reason: expect.stringContaining("could not be read") });
  },
);

it.each([
  "git apply fine.patch",
  "patch -p1 < fine.patch",
  `apply_patch <<'EOF'\n${agentPatch("src/a.ts")}\nEOF`,
  "cd /opt && git apply not-there.patch",
])("a patch on other files passes: %s", (command) => {
  expect(bash(command)).toMatchObject({ action: "continue" });
});

describe("an archive that holds a protected file is not unpacked over it", () => {
  const pack = (...words: string[]) => execFileSync("tar", words, { cwd: root });
  pack("cf", "evil.tar", ".sluice");
  pack("czf", "evil.tgz", "src", ".sluice");
  pack("cf", "fine.tar", "src");
  put("two/.claude/settings.json", "{}");
  pack("cf", "deep.tar", "-C", "two", ".claude");
  pack("cf", "deeper.tar", "two");
  it.each([
    ["tar xf evil.tar", "deny"],
    ["tar -xzf evil.tgz -C .", "deny"],
    ["cd src && tar xf ../evil.tar -C ..", "deny"],
    ["tar xf deep.tar", "deny"],
    ["tar xf deeper.tar --strip-components=1", "deny"],
    ["tar xf fine.tar", "continue"],
    ["tar tf evil.tar", "continue"],
    ["tar xf evil.tar -C /opt/elsewhere", "continue"],
  ])("%s: %s", (command, action) => {
    expect(bash(command).action).toBe(action);
  });
});
