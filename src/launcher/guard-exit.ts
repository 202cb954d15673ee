import { writeSync } from "node:fs";

/**
 * An agent continues at any exit code but 2: a process that ends before it has written its answer ends with 2 and reports why,
 * and one that has answered ends with the code of its answer, which is passed to the returned function.
 */
export function guardExit(): (exitCode: number) => void {
  let answered: number | undefined;
  let hasRefused = false;
  const exitCodeFor = (why: unknown): number => {
    if (answered !== undefined) return answered;
    if (!hasRefused) refuse(why);
    hasRefused = true;
    return REFUSED;
  };
  process.on("uncaughtException", (error) => process.exit(exitCodeFor(error instanceof Error ? error.message : error)));
  process.on("exit", (code) => {
    process.exitCode = exitCodeFor(`its process ended with exit code ${code} before the answer was written`);
  });
  return (exitCode) => {
    answered = exitCode;
  };
}

function refuse(why: unknown): void {
  try {
    writeSync(2, `Sluice could not decide: ${why}. \`sluice doctor\` looks for the cause.\n`);
  } catch {
    // Standard error is closed; the exit code is enough.
  }
}

const REFUSED = 2;
