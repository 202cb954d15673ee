import { readSync } from "node:fs";
import type { MatchedHooks } from "../../decide/context.ts";
import type { DecidedBy } from "../../server/clients/node-client.ts";
import { systemOf } from "../../server/system.ts";
import { isWholePayload } from "../../server/whole-payload.ts";
import type { CommandInput } from "../command.ts";
import { EXIT_CODES, type Exit, exitOf, exitOnSignal } from "../exit-codes.ts";

/** What agents call: their payload on standard input, their own answer on standard output, and nothing else. */
export async function run(input: CommandInput): Promise<Exit> {
  const { io } = input;
  restoreCertificates(process.env);
  const call = { text: readStandardInput(), agent: input.words[0], hookEvent: input.text("moment") };
  const asked = await askedFirst(call.text, input);
  if (asked.by === "daemon") return say(asked.answer, exitOf(asked.answer.exitCode), input);
  const { answer } = await import("../../decide/answer.ts");
  const caller = { cwd: io.cwd, env: io.env, parent: process.ppid, trustHash: input.text("trust-hash"), beforeHooks };
  const background = input.text("background");
  if (background !== undefined) {
    const { runBackground } = await import("../../decide/caller.ts");
    exitOnSignal();
    await runBackground(call, caller, background);
    return "done";
  }
  const isLost = input.has("lost") || asked.by === "lost daemon";
  const answered = await answer(call, caller, isLost ? refuseLost : undefined);
  const exit = say(answered, exitOf(answered.exitCode), input);
  const project = io.env.SLUICE_RESIDENT === "0" ? undefined : projectOfLine();
  const startsDaemon =
    input.has("start") ||
    (asked.by === "this process" && asked.startsDaemon) ||
    (project !== undefined && !isSettled(input) && (await lacksClient(project, io.env)));
  if (startsDaemon && io.env.SLUICE_RESIDENT !== "0") {
    const { launchDaemon } = await import("../../server/launch.ts");
    const { coldCommand } = await import("../../server/cold-command.ts");
    launchDaemon(coldCommand(), io.env, project);
    const { waitForPosts } = await import("../../server/http/http-probe.ts");
    await waitForPosts(coldCommand(), io.env);
  }
  return exit;
}

/** Hooks are started by this process: a signal ends them. The process of a plugin starts while the call is prepared. */
async function beforeHooks({ kinds }: MatchedHooks): Promise<void> {
  exitOnSignal();
  if (kinds.includes("plugin")) (await import("../../runners/plugin-process.ts")).preparePluginProcess();
}

/**
 * Some versions of node read all certificates that this variable names before they do anything else. A client that knows
 * that no connection will be opened hides it from our own node; hooks get it back.
 */
function restoreCertificates(env: NodeJS.ProcessEnv): void {
  const { [HIDDEN]: hidden } = env;
  if (hidden === undefined) return;
  env.NODE_EXTRA_CA_CERTS = hidden;
  delete env[HIDDEN];
}

/** If node is the client, the daemon is asked here, unless an option already determines what decides. */
async function askedFirst(payload: string, input: CommandInput): Promise<DecidedBy> {
  const { io } = input;
  if (isSettled(input) || io.env.SLUICE_RESIDENT === "0" || !systemOf().nodeAsks) return HERE;
  const { askDaemonFirst } = await import("../../server/clients/node-client.ts");
  const { coldCommand } = await import("../../server/cold-command.ts");
  const call = { cold: coldCommand(), args: process.argv.slice(2), env: io.env, cwd: io.cwd, payload };
  return askDaemonFirst(call).catch(() => HERE);
}

/** Whether an option already determines what decides. */
function isSettled({ has }: CommandInput): boolean {
  return ["cold", "start", "lost", "background"].some((option) => has(option));
}

/** The project whose own dependency runs here, as the line in the project's settings starts it; links are not followed. */
function projectOfLine(): string | undefined {
  return /^(\/.+)\/node_modules\/(?:\.bin\/sluice|sluice\/dist\/sluice\.cjs)$/.exec(process.argv[1] ?? "")?.[1];
}

/** Whether the next call of the same line would start node again although a client may answer it. */
async function lacksClient(project: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (systemOf().nodeAsks) return false;
  const { isProjectClientReady } = await import("../../server/clients/project-client.ts");
  const { coldCommand } = await import("../../server/cold-command.ts");
  return !isProjectClientReady(project, coldCommand(), env);
}

function say(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  exit: Exit,
  { io }: CommandInput,
): Exit {
  io.write(1, stdout);
  io.write(2, stderr);
  io.answered?.(EXIT_CODES[exit].code);
  return exit;
}

/** A call that must not pass is blocked: what its hooks did until then is not known, and a second run could do it again. */
function refuseLost(): Promise<never> {
  return Promise.reject(
    new Error(
      "the daemon has this call and did not answer; it is not known what its hooks did, so they were not run again",
    ),
  );
}

const HERE: DecidedBy = { by: "this process", startsDaemon: false };
const HIDDEN = "SLUICE_EXTRA_CA_CERTS";

/**
 * Reads what an agent writes to standard input, without Node's streams: they cost more than the decision. A payload is
 * complete at the end of the input, or as soon as it is whole JSON: not every agent closes the pipe.
 */
function readStandardInput(): string {
  const chunks: Buffer[] = [];
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (;;) {
    const length = readSome(buffer);
    if (length === 0) break;
    chunks.push(Buffer.from(buffer.subarray(0, length)));
    if (length < CHUNK && isWholePayload(chunks)) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readSome(buffer: Buffer): number {
  for (;;) {
    try {
      return readSync(0, buffer, 0, buffer.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

const CHUNK = 64 * 1024;
