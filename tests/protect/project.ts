import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll } from "vitest";
import { readCall } from "../../src/adapters/read-call.ts";
import { loadLayers } from "../../src/config/load.ts";
import { protectionContext } from "../../src/policies/protect/protection-context.ts";
import { selfProtection } from "../../src/policies/protect/self-protection.ts";
import { writeSettled } from "../settled-file.ts";

/** A home with a project in it. */
export interface Project {
  readonly home: string;
  readonly root: string;
  put(path: string, text: string): string;
}

/** What self-protection says about a call. */
export interface Said {
  readonly action: string;
  readonly reason: string;
}

/** A project that is gone when `done` calls back. */
export function makeProject(done: (end: () => void) => void): Project {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-protect-")));
  const root = join(home, "project");
  mkdirSync(root);
  const put = (path: string, text: string) => {
    const whole = resolve(root, path.replace(/^~/, home));
    mkdirSync(dirname(whole), { recursive: true });
    writeSettled(whole, text);
    return whole;
  };
  put(".sluice/hooks.yaml", "hooks: []\n");
  done(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  return { home, root, put };
}

/** A project for all tests of a file, and what self-protection says about calls of an agent there, asked in this process. */
export function protectedProject() {
  const project = makeProject(afterAll);
  const { home, root } = project;
  const call = (tool: string, input: object): Said => {
    const payload = { session_id: "s", cwd: root, hook_event_name: "PreToolUse", tool_name: tool, tool_input: input };
    const read = readCall({ text: JSON.stringify(payload), agent: "claude-code" });
    if (read.kind !== "event") throw new Error(`no call: ${read.kind}`);
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      const env = { HOME: home };
      const { hooks, files } = loadLayers(root, { env, home });
      const said = selfProtection(read.event, protectionContext({ root, hooks, files }, env));
      return { action: said?.action ?? "continue", reason: said?.reason ?? "" };
    } finally {
      process.env.HOME = before;
    }
  };
  return { ...project, call, bash: (command: string) => call("Bash", { command }) };
}
