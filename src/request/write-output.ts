import type { Completed } from "./complete.ts";

/** Tells the agent: the JSON on standard output, the reason of a block on standard error too, and the exit code. */
export function writeOutput({ output, exitCode }: Completed): void {
  if (output !== null && output !== undefined) process.stdout.write(`${JSON.stringify(output)}\n`);
  // Agents that see exit code 2 read standard error, and some read nothing else.
  if (exitCode === 2) process.stderr.write(`${reasonOf(output)}\n`);
  process.exitCode = exitCode;
}

function reasonOf(output: Completed["output"]): string {
  const specific = Object(output?.hookSpecificOutput) as { readonly permissionDecisionReason?: unknown };
  return String(output?.reason ?? specific.permissionDecisionReason ?? "blocked");
}
