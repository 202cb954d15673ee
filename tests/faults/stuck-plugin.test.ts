import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { trustedProject } from "../cli/sluice.ts";

it("a plugin that keeps its process after it has waited once is ended before the agent stops waiting", () => {
  const made = trustedProject({
    ".sluice/hooks.json": JSON.stringify([{ name: "late", event: "session:end", module: "./late.mjs", timeout: 1 }]),
    // It waits without an end, as a loop would, and keeps no processor busy.
    "late.mjs":
      "export default { async sessionEnd() { await null; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); } };\n",
  });
  // Codex waits three seconds here.
  const payload = {
    hook_event_name: "SessionEnd",
    session_id: "s",
    transcript_path: null,
    cwd: made.root,
    reason: "other",
  };
  const { signal, stderr } = spawnSync(process.execPath, [resolve("dist/sluice.cjs"), "run", "codex", "--cold"], {
    cwd: made.root,
    input: JSON.stringify(payload),
    encoding: "utf8",
    env: {
      ...process.env,
      HOME: made.home,
      XDG_CONFIG_HOME: `${made.home}/.config`,
      XDG_STATE_HOME: `${made.home}/.state`,
    },
    timeout: 60_000,
    killSignal: "SIGABRT",
  });
  expect(signal).toBe("SIGKILL");
  expect(stderr).toContain("a plugin keeps its process and does not return");
});
