import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ended } from "./ended.ts";
import { type Ended, type DaemonHome, plain, shellCall } from "./daemon-home.ts";

/** Who asks, and how. */
interface HowToAsk {
  readonly env?: Readonly<Record<string, string>>;
  readonly session?: string;
}

/** What one call comes to without the daemon. */
export function alone(at: DaemonHome, line: string, { env = {}, session = "s" }: HowToAsk = {}): Promise<Ended> {
  return asked(at, ["claude-code", "--cold"], line, session, env);
}

/** What it comes to with the daemon. */
export function together(at: DaemonHome, line: string, { env = {}, session = "s" }: HowToAsk = {}): Promise<Ended> {
  return asked(at, ["claude-code"], line, session, env);
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

async function asked(
  at: DaemonHome,
  args: readonly string[],
  line: string,
  session: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const payload = JSON.stringify({ ...shellCall(at.root, line), session_id: session });
  return plain(await ended(at, payload, { args, env }), at);
}
