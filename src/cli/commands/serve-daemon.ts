import { VERSION } from "../../decide/version.ts";
import { problems } from "../../problem/problem.ts";
import { daemonStatus, stopDaemon } from "../../server/clients/ask-daemon.ts";
import { coldCommand } from "../../server/cold-command.ts";
import { type HttpAddress, readAddress } from "../../server/http/http-address.ts";
import { LAUNCHED_OPTION, PROJECT_OPTION } from "../../server/launch.ts";
import { runDaemon } from "../../server/run-daemon.ts";
import { type RuntimeDir, runtimeDirOf, whyNoRuntimeDir } from "../../server/runtime-dir.ts";
import { takeStartLock } from "../../server/start-lock.ts";
import type { CommandInput } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { plural } from "../show/terminal-text.ts";

/** Keeps the daemon in memory, so that a call costs a fraction of a start of node; or shows its status, or ends it. */
export async function serve(input: CommandInput): Promise<Exit> {
  const { io } = input;
  const cold = coldCommand();
  const runtimeDir = runtimeDirOf(cold, { env: io.env });
  if (input.has("status")) return status(runtimeDir, input);
  if (input.has("stop")) return stop(runtimeDir, input);
  const why = whyNoRuntimeDir(runtimeDir);
  if (why !== undefined) throw PROBLEMS.noRuntimeDir({ why });
  const isLaunched = input.has(LAUNCHED_OPTION);
  const project = input.text(PROJECT_OPTION);
  if (project !== undefined) {
    const [{ bestClient }, { keepProjectClient }] = await Promise.all([
      import("../../server/clients/copy-client.ts"),
      import("../../server/clients/project-client.ts"),
    ]);
    keepProjectClient(project, cold, await bestClient(cold, VERSION, io.env), io.env);
  }
  if (!isLaunched && !takeStartLock(runtimeDir)) throw PROBLEMS.starting({});
  const say = (text: string) => {
    if (!isLaunched) io.err(text);
  };
  const stopped = await runDaemon(cold, runtimeDir, {
    onListening: (address) =>
      say(`The daemon answers on ${address}. Ctrl-C ends it; calls are then decided without it.`),
    onPortTaken: (port) => io.err(PROBLEMS.portTaken({ port }).format()),
  });
  say(
    stopped === undefined
      ? "A daemon is running already; `sluice serve --status` shows it."
      : `The daemon has stopped: ${stopped}.`,
  );
  return "done";
}

async function status(runtimeDir: RuntimeDir, { io, has }: CommandInput): Promise<Exit> {
  const found = await daemonStatus(runtimeDir);
  const address = readAddress(runtimeDir);
  if (has("json")) io.out(JSON.stringify({ running: found !== undefined, ...found }));
  else if (found === undefined)
    io.out(
      address === undefined
        ? `No daemon is running; ${io.env.SLUICE_RESIDENT === "0" ? "SLUICE_RESIDENT=0, so no call starts one" : "the next call of an agent starts one"}.`
        : PROBLEMS.blocked(address).format(),
    );
  else
    io.out(
      `The daemon runs as process ${found.pid}: ${plural(found.calls, "call")} in ${found.upSeconds} s, ${Math.round(found.rss / MIB)} MiB, ${plural(found.workers, "worker")}.`,
    );
  return found === undefined ? "problem" : "done";
}

async function stop(runtimeDir: RuntimeDir, { io, has }: CommandInput): Promise<Exit> {
  const stopped = await stopDaemon(runtimeDir);
  const address = readAddress(runtimeDir);
  const postedTo = address === undefined ? {} : { posted_to: address.port };
  if (has("json")) io.out(JSON.stringify({ stopped: stopped === "stopped", ...postedTo }));
  else io.out(STOPPED[stopped]);
  if (address !== undefined && stopped !== "stopping") io.err(PROBLEMS.blocked(address).format());
  return stopped === "stopping" ? "problem" : "done";
}

const STOPPED = {
  stopped: "The daemon has stopped.",
  stopping:
    "The daemon was told to stop, and its process has not ended yet; `sluice serve --status` shows whether it still answers.",
  none: "No daemon is running.",
};

const MIB = 1024 * 1024;

const PROBLEMS = problems("daemon", {
  blocked: ({ port }: HttpAddress) => ({
    what: `Agents post their calls to 127.0.0.1:${port}, and no daemon is running: their tools are blocked until one is.`,
    fix: "`sluice serve` starts one, and so does the next session or prompt; `sluice install` without --http goes back to commands.",
  }),
  noRuntimeDir: ({ why }: { why: string }) => ({
    what: `The daemon cannot answer anywhere: ${why}.`,
    fix: "Give it a folder of your own: XDG_STATE_HOME names one. Calls are decided without the daemon until then.",
  }),
  portTaken: ({ port }: { port: number }) => ({
    what: `Port ${port}, to which agents post their calls, is another program's. The daemon tries again until it is free; the tools of those agents are blocked until then.`,
    fix: "End that program, or choose another port: run `sluice install` with --http again.",
  }),
  starting: (_: object) => ({
    what: "Another daemon is just starting.",
    fix: "`sluice serve --status` shows it in a moment.",
  }),
});
