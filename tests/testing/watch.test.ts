import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { builtFile } from "../built-file.ts";
import { project } from "../cli/sluice.ts";

const COMMAND = builtFile("sluice.cjs");
const GUARD = `hooks:
  - name: no-force
    event: tool:pre_execute:@shell
    rules: args.command contains "push --force" -> deny("No force push.")
    examples:
      deny: ["git push --force"]
`;

it("runs again when a file changes, and leaves cleanly when it is told to", async () => {
  const { root, home } = project({ ".sluice/hooks.yaml": GUARD });
  const child = spawn(process.execPath, [COMMAND, "test", "--watch"], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, ".config") },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const saysSoon = (words: string) => expect.poll(() => said).toContain(words);

  await saysSoon("1 passed, 0 failed");
  await saysSoon("waiting for changes");
  writeFileSync(join(root, ".sluice/hooks.yaml"), GUARD.replace('--force"]', '"]'));
  await saysSoon("0 passed, 1 failed");
  writeFileSync(join(root, "new.hooks.test.yaml"), "tests: { allow: [ls] }\n");
  await saysSoon("1 passed, 1 failed");
  const exit = once(child, "exit");
  child.kill("SIGINT");
  expect(await exit).toEqual([1, null]);
});
