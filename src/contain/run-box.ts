import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import type { Box } from "../policies/contain/box-store.ts";

/** Runs the command of a box as the line of its call does, with the streams of this process; ends this process as it has ended. */
export function runBox({ plan, folder }: Box, exitAs: (code: number, signal?: string) => never): Promise<never> {
  const runner = join(dirname(dirname(folder)), "bin", "sluice");
  const env = { ...process.env, SLUICE_CALLER: String(process.ppid) };
  const child = spawn(runner, ["inside", plan.id, "--", plan.command], { stdio: "inherit", env });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  return new Promise((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => exitAs(code ?? 1, signal ?? undefined));
  });
}

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"] as const;
