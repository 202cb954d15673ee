import { loadLayers } from "../../config/load.ts";
import { problems } from "../../problem/problem.ts";
import { type FleetStatus, fleetReports, fleetStatus } from "../../ship/fleet.ts";
import { shareCounts } from "../../ship/share.ts";
import { openSharedStore } from "../../ship/shared-stores.ts";
import { withoutCredentials } from "../../ship/ship-progress.ts";
import { sharingName } from "../../stores/store.ts";
import { type CommandInput, USAGE } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { columns, oneLine, plural } from "../show/terminal-text.ts";

/** Shows which bundle the machines of a fleet have, and which of them need a person; or shares counters with them. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const [word = "status"] = input.words;
  if (word === "share") return share(input);
  if (word !== "status") throw USAGE.unknownSubcommand({ command: "fleet", word, known: ["status", "share"] });
  const from = input.text("from");
  if (from === undefined) throw PROBLEMS.noFleet(undefined);
  const status = fleetStatus(await fleetReports(from));
  if (input.has("json")) io.out(JSON.stringify(status, null, 2));
  else show(status, input);
  return status.silent.length + status.troubled.length > 0 ? "problem" : "done";
}

/** Exchanges the counts of budgets, rate rules and the memory of denials; until it is ended, or once. */
async function share(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const { env } = io;
  const { shared: settings } = loadLayers(undefined, { layers: ["managed", "user"], env }).settings;
  if (settings === undefined) throw PROBLEMS.notShared(undefined);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  // What the daemon has started ends with it.
  const withParent = setInterval(() => {
    if (env.SLUICE_PARENT !== undefined && process.ppid !== Number(env.SLUICE_PARENT)) stop.abort();
  }, 1000);
  let told: string | undefined;
  const progress = await shareCounts({
    env,
    settings,
    machine: sharingName({ env }),
    once: input.has("once"),
    signal: stop.signal,
    open: () => openSharedStore(settings.store, env),
    onProgress: ({ problem }) => {
      if (problem !== undefined && problem !== told) io.err(`${problem}. What is counted here stays in force.`);
      told = problem;
    },
  });
  clearInterval(withParent);
  const name = withoutCredentials(settings.store);
  if (progress === undefined) {
    io.out(`Another process shares with ${name} already.`);
    return "done";
  }
  const { given, taken, problem } = progress;
  if (input.has("json")) io.out(JSON.stringify({ store: name, given, taken, problem: problem ?? null }, null, 2));
  else io.out(`${name}: ${plural(given, "line")} given, ${plural(taken, "line")} of other machines taken.`);
  return problem === undefined ? "done" : "problem";
}

function show({ machines, bundles, versions, silent, troubled }: FleetStatus, { io }: CommandInput): void {
  const share = (count: number) => `${Math.round((100 * count) / Math.max(1, machines))} %`;
  const rows = (counts: Readonly<Record<string, number>>, word: string) =>
    Object.entries(counts).map(([name, count]) => [
      `  ${word} ${name === "0" ? "none" : name}`,
      String(count),
      share(count),
    ]);
  io.out(plural(machines, "machine"));
  for (const line of columns([...rows(bundles, "bundle"), ...rows(versions, "sluice")])) io.out(line);
  for (const { machine, problem = "" } of troubled.slice(0, MOST)) io.out(`  ✗ ${machine}: ${oneLine(problem, 200)}`);
  for (const { machine, at } of silent.slice(0, MOST)) io.out(`  · ${machine}: silent since ${at}`);
  const left = Math.max(0, troubled.length - MOST) + Math.max(0, silent.length - MOST);
  if (left > 0) io.out(`  … and ${left} more; --json has all of them.`);
}

const MOST = 20;

const PROBLEMS = problems("usage", {
  notShared: () => ({
    what: "No store for shared counters is configured.",
    fix: "Write `shared: { store: redis://… }` or `shared: { store: postgres://… }` into your own configuration.",
  }),
  noFleet: () => ({
    what: "`sluice fleet status` needs to know where machines report to.",
    fix: "Write --from postgres://…, or --from file:///share/ for a folder that they ship to.",
  }),
});
