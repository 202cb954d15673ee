import { writeSync } from "node:fs";

/**
 * An agent goes on at any exit code but 2: a process that ends before it has written its answer ends with 2 and says why,
 * and one that has answered ends with the code of its answer, which the returned function is told. Plugins run in this
 * process: what they set, end or take away decides nothing, so neither `process.exitCode` nor a listener is relied on.
 */
export function guardExit(): (exitCode: number) => void {
  const own = process as unknown as Process;
  const { emit, reallyExit } = own;
  let answered: number | undefined;
  let hasRefused = false;
  const exitCodeFor = (why: unknown): number => {
    if (answered !== undefined) return answered;
    if (!hasRefused) {
      hasRefused = true;
      refuse(why);
    }
    return REFUSED;
  };
  process.on("uncaughtException", (error) => process.exit(exitCodeFor(error instanceof Error ? error.message : error)));
  own.emit = (name, ...rest) => {
    try {
      return emit.call(process, name, ...rest);
    } finally {
      if (name === "exit") process.exitCode = exitCodeFor(ended(rest[0]));
    }
  };
  own.reallyExit = (code) => reallyExit.call(process, exitCodeFor(ended(code)));
  return (exitCode) => {
    answered = exitCode;
  };
}

/** What is replaced here: `reallyExit` is where every end by `process.exit` goes through. */
interface Process {
  emit(name: string, ...rest: unknown[]): boolean;
  reallyExit(code: unknown): never;
}

function ended(code: unknown): string {
  return `its process ended with exit code ${code ?? 0} before the answer was written`;
}

function refuse(why: unknown): void {
  try {
    writeSync(2, `Sluice could not decide: ${why}. \`sluice doctor\` looks for the cause.\n`);
  } catch {
    // Standard error is closed; the exit code says enough.
  }
}

const REFUSED = 2;
