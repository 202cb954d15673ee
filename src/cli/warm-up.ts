import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ADAPTERS } from "../adapters/index.ts";
import { configHome } from "../config/locate.ts";
import { answer } from "../decide/answer.ts";
import { makeDir } from "../fs/make-dir.ts";
import type { Command } from "./command.ts";
import { silentIo } from "./io.ts";
import { main } from "./main.ts";

/**
 * Answers calls as agents make them, some of which are denied, so that V8 compiles what answering takes. The home of this
 * process must be one that was made for it: configuration and journal are written there.
 */
export async function answerTypicalCalls(run: Command): Promise<void> {
  // The last row is the one that most others are like.
  const { id, canary } = ADAPTERS.findLast((adapter) => adapter.canary !== undefined) ?? {};
  if (id === undefined || canary === undefined) return;
  const folder = join(configHome(), "sluice");
  makeDir(folder);
  writeFileSync(join(folder, "hooks.yaml"), HOOKS);
  const io = silentIo();
  const caller = { cwd: io.cwd, env: io.env, trustHash: undefined };
  for (const command of COMMANDS)
    await answer({ text: JSON.stringify(canary.payload(command, io.cwd)), agent: id, hookEvent: undefined }, caller);
  // Standard input is empty here: it is read, and answered as such.
  await main([run.name, id, "--cold"], io, [run]);
}

const HOOKS = `# What most users have.
guards: standard
hooks:
  - name: greet
    event: session:start
    command: echo hello
`;

/** Every byte of compiled code is read back at each start, so what is rare is not among them. */
const COMMANDS = ["ls -la src", "git status --short", "npm test 2>&1 | tail -n 20", "git push --force origin main"];
