import { problems } from "../../problem/problem.ts";
import { type FleetStatus, fleetReports, fleetStatus } from "../../ship/fleet.ts";
import { type CommandInput, USAGE } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { columns, oneLine, plural } from "../show/terminal-text.ts";

/** Says which bundle the machines of a fleet have, and which of them need a person. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const [word = "status"] = input.words;
  if (word !== "status") throw USAGE.unknownSubcommand({ command: "fleet", word, known: ["status"] });
  const from = input.text("from");
  if (from === undefined) throw PROBLEMS.noFleet(undefined);
  const status = fleetStatus(await fleetReports(from));
  if (input.has("json")) io.out(JSON.stringify(status, null, 2));
  else show(status, input);
  return status.silent.length + status.troubled.length > 0 ? "problem" : "done";
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
  noFleet: () => ({
    what: "`sluice fleet status` needs to know where machines report to.",
    fix: "Write --from postgres://…, or --from file:///share/ for a folder that they ship to.",
  }),
});
