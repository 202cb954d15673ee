import { machineName } from "../../bundle/ring.ts";
import { loadLayers } from "../../config/load.ts";
import { VERSION } from "../../decide/version.ts";
import { journalIn } from "../../ship/journal-reader.ts";
import { machineReport } from "../../ship/machine-report.ts";
import { shipJournal } from "../../ship/ship.ts";
import { withoutCredentials } from "../../ship/ship-progress.ts";
import { chooseTarget, openTarget } from "../../ship/targets.ts";
import type { CommandInput } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { plural } from "../show/terminal-text.ts";

/** Ships the journal of decisions to a collector, a database, a stream or a file; with --once up to now, else until it is ended. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const { env } = io;
  const { telemetry, managed } = loadLayers(undefined, { layers: ["managed", "user"], env }).settings;
  const target = chooseTarget(input.text("to"), { env, telemetry });
  const machine = machineName();
  const options = { env, telemetry, machine, version: VERSION, protocol: input.text("protocol") };
  const once = input.has("once");
  const stop = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stop.abort());
  let told: string | undefined;
  const progress = await shipJournal({
    env,
    journal: journalIn(env),
    target,
    machine,
    once,
    withArguments: input.has("arguments") || telemetry?.arguments === true,
    signal: stop.signal,
    open: (memory) => openTarget(target, options, memory),
    report: () => machineReport(machine, VERSION, managed, { env }),
    onProgress: ({ problem }) => {
      if (problem !== undefined && problem !== told) io.err(`${problem}${once ? "" : "; trying again"}`);
      told = problem;
    },
  });
  const { shipped, dropped, unread = 0, problem } = progress;
  const name = withoutCredentials(target);
  if (input.has("json"))
    io.out(JSON.stringify({ target: name, shipped, dropped, unread, problem: problem ?? null }, null, 2));
  else {
    const refused = dropped === 0 ? "" : `, ${dropped} refused by it`;
    const lost = unread === 0 ? "" : ` ${plural(unread, "line")} of the journal could not be read.`;
    io.out(`${name}: ${plural(shipped, "record")} shipped in all${refused}.${lost}`);
  }
  return problem === undefined || !once ? "done" : "problem";
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
