/** What the command's exit code means for a script. */
export const EXIT_CODES = {
  done: { code: 0, means: "done; nothing was denied and nothing needs you" },
  problem: { code: 1, means: "something needs you: the message has the fact, the place and the next step" },
  denied: { code: 2, means: "hooks denied it" },
  asked: { code: 3, means: "hooks want a person to approve it" },
  usage: { code: 64, means: "the command line could not be understood" },
  broken: { code: 70, means: "Sluice itself broke" },
} as const satisfies Record<string, { code: number; means: string }>;

export type Exit = keyof typeof EXIT_CODES;

/** What the exit code of an answer to an agent means; a code that no answer has is a denial. */
export function exitOf(code: number): Exit {
  return ANSWERS.find((exit) => EXIT_CODES[exit].code === code) ?? "denied";
}

const ANSWERS: readonly Exit[] = ["done", "denied", "asked"];

/**
 * Exits on SIGHUP, SIGINT and SIGTERM: hooks run in process groups of their own, and the exit handlers end them. SIGUSR1 is
 * ignored: it would open a debugger, through which any process of this user could change what is decided here.
 */
export function exitOnSignal(): void {
  if (isListening) return;
  isListening = true;
  process.on("SIGUSR1", () => {});
  for (const [signal, number] of [
    ["SIGHUP", 1],
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ] as const) {
    process.once(signal, () => process.exit(128 + number));
  }
}

let isListening = false;

/** Exits as another process has: with its code, or by the signal that has ended it. */
export function exitAs(code: number, signal?: string): never {
  if (signal !== undefined) process.kill(process.pid, signal);
  process.exit(code);
}

/** Exits at once: processes that hooks have started end with this process, and so do timers and handles of plugins. */
export function exitNow(): void {
  process.exit(0);
}
