import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { project } from "../cli/sluice.ts";
import { runCommand } from "../command-server/run-command.ts";

const STYLES = ["truncate", "rename", "vanish", "torn"] as const;
const CONTENT = `guards: standard
hooks:
  - { name: first, event: session:start, command: "true" }
  - { name: no-forbidden, event: tool:pre_execute, rules: 'args.command contains "forbidden" -> deny("no")' }
# ${"the end of a file that is written in pieces ".repeat(3)}
`;
const FILES = { project: "project/.sluice/hooks.yaml", user: ".config/sluice/hooks.yaml" };

describe("a call sees the file before, the file after, or is stopped, while a program rewrites it", () => {
  for (const [whose, file] of Object.entries(FILES))
    for (const known of ["was read before", "was never read before"])
      it(`the ${whose}'s file ${known}`, { timeout: 60_000 }, async () => {
        // On a busy machine a writer may rest in the middle of its first write, and nothing is known to compare that with.
        for (const style of known === "was read before" ? STYLES : (["rename"] as const)) {
          const { home, root } = project();
          const path = join(home, file);
          mkdirSync(dirname(path), { recursive: true });
          const content = CONTENT;
          writeFileSync(path, content);
          const { NODE_EXTRA_CA_CERTS: _, ...own } = process.env;
          const env = {
            ...own,
            HOME: home,
            XDG_CONFIG_HOME: join(home, ".config"),
            XDG_STATE_HOME: join(home, ".state"),
            SLUICE_RESIDENT: "0",
          };
          const call = (at: number) => {
            const tool_input = { command: `forbidden ${at}` };
            const payload = {
              session_id: `s${at}`,
              cwd: root,
              hook_event_name: "PreToolUse",
              tool_name: "Bash",
              tool_input,
            };
            const { out } = runCommand(["run", "claude-code", "--cold"], {
              cwd: root,
              env,
              input: JSON.stringify(payload),
            });
            return /"permissionDecision":"(?:deny|ask)"/.test(out) ? "stopped" : out;
          };
          if (known === "was read before") expect(call(0)).toBe("stopped");
          const breaker = spawn(process.execPath, [resolve("tests/faults/config-breaker.mjs"), path, style], {
            env: { ...env, CONTENT: content },
            stdio: "ignore",
          });
          await new Promise((ready) => setTimeout(ready, 120));
          try {
            for (let at = 1; at <= 12; at++) expect(call(at), `${style} ${at}`).toBe("stopped");
          } finally {
            breaker.kill("SIGKILL");
          }
        }
      });
});
