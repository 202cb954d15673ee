/** What the command's exit code tells a script. */
export const EXIT_CODES = {
  done: { code: 0, means: "done; nothing was denied and nothing needs you" },
  problem: { code: 1, means: "something needs you: the message says what, where and the next step" },
  denied: { code: 2, means: "hooks denied it" },
  asked: { code: 3, means: "hooks want a person to approve it" },
  usage: { code: 64, means: "the command line could not be understood" },
  broken: { code: 70, means: "Sluice itself broke" },
} as const satisfies Record<string, { code: number; means: string }>;

export type Exit = keyof typeof EXIT_CODES;

/** What the exit code of an answer to an agent means; one that no answer has shuts the gate. */
export function exitOf(code: number): Exit {
  return ANSWERS.find((exit) => EXIT_CODES[exit].code === code) ?? "denied";
}

const ANSWERS: readonly Exit[] = ["done", "denied", "asked"];
