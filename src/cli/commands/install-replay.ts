import { spawn } from "node:child_process";
import type { Adapter } from "../../adapters/adapter.ts";
import { hasHistory } from "../../replay/transcript-calls.ts";
import { coldCommand } from "../../server/cold-command.ts";
import type { Io } from "../io.ts";
import { plural } from "../show/terminal-text.ts";

/**
 * One line for each agent that has a history: how many of its last calls would have been stopped, where that is counted at
 * once, else only how to see them. It is counted in a process of its own, which is ended when it takes longer.
 */
export async function replayOffers(agents: readonly Adapter[], { env, cwd }: Io): Promise<string[]> {
  const meant: Adapter[] = [];
  for (const adapter of agents) if (await hasHistory(adapter, env)) meant.push(adapter);
  const lines = await Promise.all(meant.slice(0, MOST).map((adapter) => offerFor(adapter, env, cwd)));
  return lines.filter((line) => line !== "");
}

/** Undefined if the history does not contain a call. */
async function offerFor({ id, title }: Adapter, env: Io["env"], cwd: string): Promise<string> {
  const command = `\`sluice replay --from ${id}\``;
  const counted = await countedWithin(id, env, cwd);
  if (counted === undefined)
    return `${title}: ${command} shows which calls of the last 30 days would have been stopped; it runs nothing.`;
  const { total, stopped } = counted;
  if (total === 0) return "";
  const what = stopped === 0 ? "none" : String(stopped);
  return `${title}: of ${plural(total, "call")} of the last 30 days ${what} would have been stopped or asked about: ${command}`;
}

/** Undefined when it is not known in time. */
function countedWithin(id: string, env: Io["env"], cwd: string): Promise<ReplayCounts | undefined> {
  return new Promise((resolve) => {
    const [node = process.execPath, ...words] = coldCommand();
    const child = spawn(node, [...words, "replay", "--from", id, "--json"], {
      cwd,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    let text = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    child.on("error", () => resolve(undefined));
    child.on("close", () => {
      clearTimeout(timer);
      resolve(countsIn(text));
    });
  });
}

interface ReplayCounts {
  readonly total: number;
  readonly stopped: number;
}

function countsIn(text: string): ReplayCounts | undefined {
  try {
    const { total, changes } = JSON.parse(text) as { total: number; changes: { to: string; count: number }[] };
    const stopped = changes
      .filter(({ to }) => to === "deny" || to === "ask")
      .reduce((sum, { count }) => sum + count, 0);
    return { total, stopped };
  } catch {
    return undefined;
  }
}

const PATIENCE_MS = 3000;
const MOST = 3;
