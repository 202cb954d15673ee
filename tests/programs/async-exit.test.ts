import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { builtFile } from "../built-file.ts";

const DIST = pathToFileURL(builtFile("index.js")).href;

it("an async hook does not hold the exit of a program, works on after it, and ends at its timeout", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-async-"));
  const hooks = [
    {
      event: "session:stop",
      async: true,
      timeout: 60,
      command: `until [ -e '${folder}/go' ]; do sleep 0.1; done; touch '${folder}/notified'`,
    },
    { event: "session:stop", async: true, timeout: "500ms", command: `echo $$ > '${folder}/pid'; sleep 100` },
  ];
  program(folder, hooks, "");
  writeFileSync(join(folder, "go"), "");
  await expect.poll(() => existsSync(join(folder, "notified"))).toBe(true);
  await expect.poll(() => existsSync(join(folder, "pid"))).toBe(true);
  await expect.poll(() => isRunning(Number(readFileSync(join(folder, "pid"), "utf8")))).toBe(false);
});

it("a program that wants to wait for its async hooks closes its manager", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-async-"));
  program(
    folder,
    [{ event: "session:stop", async: true, command: `sleep 0.5; touch '${folder}/notified'` }],
    "await manager.close();",
  );
  expect(existsSync(join(folder, "notified"))).toBe(true);
});

/** Runs a program that fires one event and comes to its end. */
function program(folder: string, hooks: readonly object[], last: string): void {
  const file = join(folder, "program.mjs");
  writeFileSync(
    file,
    `import { HooksManager } from ${JSON.stringify(DIST)};
const manager = new HooksManager({ root: ${JSON.stringify(folder)} });
manager.hooksConfig = ${JSON.stringify({ hooks })};
await manager.emit({ sessionId: "s" }, "session:stop", {});
${last}
`,
  );
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const { status, stderr } = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
