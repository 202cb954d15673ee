import { whyNoPerson, whyReachable } from "../../approvals/person.ts";
import { personChannel, pinDelay, tryPin } from "../../approvals/person-channel.ts";
import { problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { readHidden } from "../read-hidden.ts";

/** Asks a question and returns whether the answer was yes. */
export type Sure = (question: string) => Promise<boolean>;

/**
 * Whether a person confirms an act that weakens protection: with the PIN or the passkey that is set up, otherwise
 * with yes at a terminal that no agent reaches. Every command that weakens protection calls this. Throws if no person can confirm.
 */
export async function confirmedByPerson(
  { io, verb, question }: { readonly io: Io; readonly verb: string; readonly question: string },
  sure?: Sure,
): Promise<boolean> {
  requirePerson(io, verb);
  const place = placeOf(io);
  const channel = personChannel(place);
  if (channel === "lost") throw PROBLEMS.lostChannel({ verb });
  // The terminal of `sluice ui` asks for the PIN or the passkey itself.
  if (sure !== undefined) return sure(question);
  if (channel === "none") return isConfirmed(question);
  if (channel.pin === undefined) {
    io.err(question);
    return (await import("./passkey.ts")).isProvenByPasskey(question, io, place);
  }
  const waitMs = pinDelay(place);
  if (waitMs > 0) throw PROBLEMS.tooSoon({ seconds: Math.ceil(waitMs / 1000) });
  io.err(question);
  const pin = await readHidden("PIN: ", io);
  if (pin === undefined || pin === "") return false;
  const tried = tryPin(pin, place);
  if (tried.is === "right") return true;
  if (tried.is === "late") throw PROBLEMS.tooSoon({ seconds: Math.ceil(tried.waitMs / 1000) });
  throw PROBLEMS.wrongPin({ seconds: Math.ceil(tried.waitMs / 1000) });
}

/** How a command asks its question, unless another function asks it. */
export function sureFor(io: Io, verb: string): Sure {
  return (question) => confirmedByPerson({ io, verb, question });
}

/** Whether a command may run that weakens protection and asks nothing itself: it needs what is set up. Without a setup it may. */
export async function isProven(
  { io, command, words }: Pick<CommandInput, "io" | "command" | "words">,
  question = `\`sluice ${[command, ...words].join(" ")}\` weakens protection.`,
): Promise<boolean> {
  if (!needsProof(io)) return true;
  const isSure = await confirmedByPerson({ io, verb: command, question });
  if (!isSure) io.err("Nothing was changed.");
  return isSure;
}

/** Whether a PIN or a passkey is set up, so that commands that otherwise ask nothing need it, too. */
export function needsProof(io: Io): boolean {
  return personChannel(placeOf(io)) !== "none";
}

/** Throws unless a person runs the command at a terminal of their own, which no agent reaches. */
export function requirePerson(io: Io, verb: string): void {
  const why = whyNoPerson(io) ?? (needsProof(io) ? undefined : whyReachable(io.env));
  if (why !== undefined) throw PROBLEMS.noPerson({ verb, why });
}

/** Asks a question that has to be answered with yes. */
export async function isConfirmed(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await askedLine(`${question} [y/N] `)).trim());
}

/** The line with which a question is answered; empty if the input ends. */
export async function askedLine(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await Promise.race([
      lines.question(question),
      new Promise<string>((resolve) => lines.once("close", () => resolve(""))),
    ]);
  } finally {
    lines.close();
  }
}

/** Where the state of this user is; no project contains it. */
export function placeOf({ env }: Pick<Io, "env">): { readonly env: Io["env"]; readonly root: string } {
  return { env, root: NO_PROJECT };
}

const NO_PROJECT = "/nonexistent/sluice-no-project";

const PROBLEMS = problems("protect", {
  noPerson: ({ verb, why }: { verb: string; why: string }) => ({
    what: `\`sluice ${verb}\` does nothing here: ${why}.`,
    fix: "Open a terminal of your own, outside of any agent, and run it there. With a PIN or a passkey (`sluice approve setup`) it may be a terminal of tmux or screen.",
  }),
  lostChannel: ({ verb }: { verb: string }) => ({
    what: `\`sluice ${verb}\` does nothing: a PIN or a passkey was set up, and its file is missing or damaged, so nothing proves who you are.`,
    fix: "Find out who removed it (`sluice log`); then run `sluice approve setup` in a terminal of your own.",
  }),
  tooSoon: ({ seconds }: { seconds: number }) => ({
    what: "A wrong PIN was entered before, so no PIN is taken now.",
    fix: `Try again in ${seconds} s.`,
  }),
  wrongPin: ({ seconds }: { seconds: number }) => ({
    what: "That is not the PIN. Nothing was changed.",
    fix: seconds === 0 ? "Run the command again." : `Try again in ${seconds} s.`,
  }),
});
