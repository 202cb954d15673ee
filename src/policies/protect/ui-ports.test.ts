import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HookEvent } from "../../event/event.ts";
import { selfProtection } from "./self-protection.ts";
import { announceUiPort, reachedUiPort } from "./ui-ports.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "ui-ports-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, env: { XDG_STATE_HOME: home }, root: home };
}

const call = (tool: string, args: object) => HookEvent.toolPreExecute(tool, args, { cwd: "/" });

test.each([
  ["Bash", { command: "curl -s http://127.0.0.1:41873/api/rows" }],
  ["Bash", { command: "curl localhost:41873" }],
  ["Bash", { command: "nc 0x7f.1 41873 < x" }],
  ["Bash", { command: "python3 -c 'import socket; socket.create_connection((\"localhost\", 41873))'" }],
  ["Bash", { command: "exec 3<>/dev/tcp/127.0.0.1/41873" }],
  ["WebFetch", { url: "http://127.0.0.1:41873/timeline" }],
  ["mcp__browser__navigate", { url: "http://[::1]:41873/" }],
  ["Write", { file_path: "x.mjs", content: "fetch('http://127.0.0.1:41873/')" }],
])("a call of %s that names the port of a running `sluice ui` is denied: %o", (tool, args) => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  expect(selfProtection(call(tool, args), where)).toMatchObject({
    action: "deny",
    reason: expect.stringMatching(/port 41873, at which `sluice ui` runs\. Ask the user to do it\.$/),
  });
});

test("other numbers and other times are no concern of it", () => {
  const where = place();
  expect(reachedUiPort(call("Bash", { command: "curl localhost:41873" }), where)).toBeUndefined();
  const forget = announceUiPort(41_873, where);
  for (const command of ["curl localhost:3000", "echo 141873", "echo 418730", "ls"])
    expect(reachedUiPort(call("Bash", { command }), where)).toBeUndefined();
  forget();
  expect(reachedUiPort(call("Bash", { command: "curl localhost:41873" }), where)).toBeUndefined();
});

test("a file that a killed process left behind says nothing", () => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  writeFileSync(join(where.home, "sluice/ui/4194304"), "51234\n");
  expect(reachedUiPort(call("Bash", { command: "curl localhost:51234" }), where)).toBeUndefined();
});

test("a process of another user that runs counts too", () => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  writeFileSync(join(where.home, "sluice/ui/1"), "51234\n");
  expect(reachedUiPort(call("Bash", { command: "curl localhost:51234" }), where)).toBe(51_234);
});

test("the folder of ports is gone with the last one, and forgetting twice does no harm", () => {
  const where = place();
  const folder = join(where.home, "sluice/ui");
  const forget = announceUiPort(41_873, where);
  expect(readdirSync(folder)).toEqual([String(process.pid)]);
  forget();
  expect(existsSync(folder)).toBe(false);
  expect(forget).not.toThrow();
});

test("what is no port of a process is passed by, and a folder that is none says nothing", () => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  const folder = join(where.home, "sluice/ui");
  writeFileSync(join(folder, `x${process.pid}`), "51234\n");
  writeFileSync(join(folder, `${process.ppid}`), "0\n");
  for (const port of [51_234, 0])
    expect(reachedUiPort(call("Bash", { command: `curl localhost:${port}` }), where)).toBeUndefined();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  expect(reachedUiPort(call("Bash", { command: "curl localhost:41873" }), where)).toBeUndefined();
  rmSync(folder);
});
