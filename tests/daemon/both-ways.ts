import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { commandEnded } from "../command-server/run-command.ts";
import { type DaemonHome, type Ended, plain, shellCall } from "./daemon-home.ts";
import { ended } from "./ended.ts";

/** Who asks, and how. */
export interface HowToAsk {
  readonly env?: Readonly<Record<string, string>>;
  readonly session?: string;
}

/** What one call comes to without the daemon. */
export async function alone(at: DaemonHome, line: string, { env = {}, session = "s" }: HowToAsk = {}): Promise<Ended> {
  return plain(await cold(at, payloadOf(at, line, session), env), at);
}

/** What it comes to with the daemon. */
export async function together(
  at: DaemonHome,
  line: string,
  { env = {}, session = "s" }: HowToAsk = {},
): Promise<Ended> {
  return plain(await ended(at, payloadOf(at, line, session), { env }), at);
}

/** What it comes to without the daemon, which has to be what it comes to with it. */
export async function bothWays(at: DaemonHome, line: string, how: HowToAsk = {}): Promise<Ended> {
  const expected = await alone(at, line, how);
  expect(await together(at, line, how), line).toEqual(expected);
  return expected;
}

/** The last call was decided by the daemon, or by one of its workers; what passes is written down after the answer. */
export async function expectResident(at: DaemonHome): Promise<void> {
  await expect.poll(() => isLastResident(at)).toBe(true);
}

function isLastResident({ env }: DaemonHome): boolean {
  const folder = join(env.XDG_STATE_HOME ?? "", "sluice/decisions");
  const [name = ""] = readdirSync(folder).toSorted().slice(-1);
  const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
  const calls = lines.map((line) => JSON.parse(line || "{}") as { resident?: true; background?: true });
  return calls.findLast(({ background }) => !background)?.resident === true;
}

function payloadOf({ root }: DaemonHome, line: string, session: string): string {
  return JSON.stringify({ ...shellCall(root, line), session_id: session });
}

/** A call that the command decides without a daemon. Certificates are read when node starts: for them it is started. */
export async function cold(at: DaemonHome, payload: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  if ("NODE_EXTRA_CA_CERTS" in env) return ended(at, payload, { args: ["claude-code", "--cold"], env });
  const whole = { ...at.env, ...env };
  const said = await commandEnded(["run", "claude-code", "--cold"], { cwd: at.root, env: whole, input: payload });
  return { stdout: said.out, stderr: said.err, exitCode: said.code };
}
