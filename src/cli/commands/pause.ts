import { homeDir } from "../../fs/home-dir.ts";
import { endPause, MAX_PAUSE_MS, openPause, type Pause, pauseAt, timeLeft } from "../../policies/protect/pause.ts";
import { problems } from "../../problem/problem.ts";
import { rememberHookEvent } from "../../trace/remember.ts";
import type { CommandInput } from "../command.ts";
import { rootOf } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { confirmedByPerson, requirePerson, type Sure } from "./confirm.ts";

/** Opens, ends or shows the maintenance window in which self-protection lets changes pass. */
export async function run(input: CommandInput): Promise<Exit> {
  return pauseWith(input);
}

/** The same with another function that asks the question. */
export async function pauseWith(input: CommandInput, sure?: Sure): Promise<Exit> {
  const { io, words } = input;
  const where = { root: rootOf(input), env: io.env, home: homeDir(io.env) };
  const open = pauseAt(where);
  if (input.has("status") || (words.length === 0 && !input.has("end"))) return say(open, input);
  if (input.has("end")) {
    const was = endPause(where) && open !== undefined;
    if (was) record("Self-protection is on again: the user ended the pause.", io.env);
    io.out(was ? "Self-protection is on again." : "Self-protection was not paused.");
    return "done";
  }
  const length = lengthOf(words[0] ?? "");
  requirePerson(io, "pause");
  const minutes = Math.round(length / 60_000);
  io.err(
    "For that long, agents may change Sluice, its configuration and their own hook settings. Hooks and guards continue.",
  );
  const question = `Pause self-protection for ${minutes} min?`;
  if (!(await confirmedByPerson({ io, verb: "pause", question }, sure))) {
    io.err("Nothing was changed.");
    return "problem";
  }
  const pause = openPause(length, where);
  if (pause === undefined) throw PROBLEMS.unwritable(undefined);
  record(`Self-protection is paused for ${minutes} min: the user confirmed it at a terminal.`, io.env);
  return say(pause, input);
}

function say(pause: Pause | undefined, { io, ...input }: CommandInput): Exit {
  if (input.has("json"))
    io.out(JSON.stringify({ paused: pause !== undefined, ...(pause && { until: new Date(pause.end).toISOString() }) }));
  else if (pause === undefined) io.out("Self-protection is on.");
  else io.out(`Self-protection is paused for ${timeLeft(pause)}. \`sluice pause --end\` ends it now.`);
  return "done";
}

function record(note: string, env: CommandInput["io"]["env"]): void {
  rememberHookEvent({ env, kind: "skipped", event: "pause", action: "continue", notes: [note] });
}

function lengthOf(word: string): number {
  const [, number = "", unit = "m"] = /^(\d+)(s|m|min|h)?$/.exec(word) ?? [];
  const length = Number(number) * (UNITS[unit] ?? 0);
  if (number === "" || length <= 0 || length > MAX_PAUSE_MS) throw PROBLEMS.length({ word });
  return length;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

const PROBLEMS = problems("usage", {
  length: ({ word }: { word: string }) => ({
    what: `"${word}" is not a duration that self-protection can be paused for.`,
    fix: `Write minutes, up to ${MAX_PAUSE_MS / 60_000}: sluice pause 10m`,
  }),
  unwritable: () => ({
    what: "Nothing was paused: the folder for Sluice's state cannot be written, or others can write to it.",
    fix: "Look at it with `sluice doctor`.",
  }),
});
