import { whyNoPerson } from "../../policies/protect/person.ts";
import { problems } from "../../problem/problem.ts";
import type { Io } from "../io.ts";

/** Throws unless a person runs the command at a terminal of their own, outside of any agent. */
export function requirePerson(io: Io, verb: string): void {
  const why = whyNoPerson(io);
  if (why !== undefined) throw PROBLEMS.noPerson({ verb, why });
}

/** Asks a question that has to be answered with yes. */
export async function isConfirmed(question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await Promise.race([
      lines.question(`${question} [y/N] `),
      new Promise<string>((resolve) => lines.once("close", () => resolve(""))),
    ]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

const PROBLEMS = problems("protect", {
  noPerson: ({ verb, why }: { verb: string; why: string }) => ({
    what: `\`sluice ${verb}\` does nothing here: ${why}.`,
    fix: "Open a terminal of your own, outside of any agent, and run it there.",
  }),
});
