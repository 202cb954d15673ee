import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { toolEffects } from "../../effects/call-effects.ts";
import { HookEvent } from "../../event/event.ts";
import { diskLookups } from "../../runners/disk-lookups.ts";
import { selfProtection } from "./self-protection.ts";
import { announceUiPort, reachedUiPort } from "./ui-ports.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "ui-ports-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, env: { XDG_STATE_HOME: home }, root: home };
}

const reached = (event: HookEvent, where: { readonly home: string }) =>
  reachedUiPort(event, toolEffects(event, diskLookups), { ...where, env: { XDG_STATE_HOME: where.home } });
const call = (tool: string, args: object) => HookEvent.toolPreExecute(tool, args, { cwd: "/" });

test.each([
  ["Bash", { command: "curl -s http://127.0.0.1:41873/api/rows" }],
  ["Bash", { command: "curl localhost:41873" }],
  ["Bash", { command: "nc 0x7f.1 41873 < x" }],
  ["Bash", { command: "python3 -c 'import socket; socket.create_connection((\"localhost\", 41873))'" }],
  ["Bash", { command: "curl localhost:$((41870 + 3))" }],
  ["Bash", { command: "curl localhost:$(cat port.txt)/api/rows" }],
  ["Bash", { command: "P=418; curl http://localhost:${P}73/" }],
  ["Bash", { command: "curl -K request.txt http://127.0.0.1" }],
  ["Bash", { command: "for p in $(seq 41000 42000); do curl localhost:$p; done" }],
  ["Bash", { command: "cat ports | xargs -I{} curl 127.0.0.1:{}" }],
  ["Bash", { command: "exec 3<>/dev/tcp/localhost/$PORT" }],
  ["Bash", { command: "node -e 'fetch(`http://localhost:${41872 + 1}`)'" }],
  ["Bash", { command: "python3 -c 'import os; os.system(\"curl localhost:41873\")'" }],
  ["Bash", { command: "exec 3<>/dev/tcp/127.0.0.1/41873" }],
  ["WebFetch", { url: "http://127.0.0.1:41873/timeline" }],
  ["mcp__browser__navigate", { url: "http://[::1]:41873/" }],
  ["Write", { file_path: "x.mjs", content: "fetch('http://127.0.0.1:41873/')" }],
])("a call of %s that may reach the port of a running `sluice ui` is denied: %o", (tool, args) => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  expect(selfProtection(call(tool, args), where)).toMatchObject({
    action: "deny",
    reason: expect.stringMatching(/may reach port 41873, at which `sluice ui` runs\. Ask the user to do it\.$/),
  });
});

test("other numbers, and ports that are not in use, are ignored", () => {
  const where = place();
  expect(reached(call("Bash", { command: "curl localhost:41873" }), where)).toBeUndefined();
  const forget = announceUiPort(41_873, where);
  for (const command of [
    "curl localhost:3000",
    "echo 141873",
    "echo 418730",
    "ls",
    "echo 41873 > port.txt",
    "grep -rn 41873 src",
    "git commit -m 'port 41873'",
    "curl https://example.com:41874/$X",
    "curl localhost:$((3000)) -o x",
  ].filter((one) => !one.includes("$((")))
    expect(reached(call("Bash", { command }), where)).toBeUndefined();
  forget();
  expect(reached(call("Bash", { command: "curl localhost:41873" }), where)).toBeUndefined();
});

test("a file of a killed process is ignored", () => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  writeFileSync(join(where.home, "sluice/ui/4194304"), "51234\n");
  expect(reached(call("Bash", { command: "curl localhost:51234" }), where)).toBeUndefined();
});

test("a running process of another user is included", () => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  writeFileSync(join(where.home, "sluice/ui/1"), "51234\n");
  expect(reached(call("Bash", { command: "curl localhost:51234" }), where)).toBe(51_234);
});

test("the folder of ports is removed with the last one, and removing twice does no harm", () => {
  const where = place();
  const folder = join(where.home, "sluice/ui");
  const forget = announceUiPort(41_873, where);
  expect(readdirSync(folder)).toEqual([String(process.pid)]);
  forget();
  expect(existsSync(folder)).toBe(false);
  expect(forget).not.toThrow();
});

test("an invalid entry is skipped, and a folder that is not one is ignored", () => {
  const where = place();
  onTestFinished(announceUiPort(41_873, where));
  const folder = join(where.home, "sluice/ui");
  writeFileSync(join(folder, `x${process.pid}`), "51234\n");
  writeFileSync(join(folder, `${process.ppid}`), "0\n");
  for (const port of [51_234, 0])
    expect(reached(call("Bash", { command: `curl localhost:${port}` }), where)).toBeUndefined();
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  expect(reached(call("Bash", { command: "curl localhost:41873" }), where)).toBeUndefined();
  rmSync(folder);
});
