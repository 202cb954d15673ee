import { type CallerProcess, valueHash } from "../engine/flow-file.ts";
import { readRegularText } from "../fs/regular-file.ts";

/** The processes above a hook, the nearest first; none where the system does not report them. */
export function callerChain(parent: number | undefined): CallerProcess[] {
  const chain: CallerProcess[] = [];
  for (let pid = parent ?? 0; pid > 1 && chain.length < MAX_ABOVE; ) {
    const status = statusOf(pid);
    if (status === undefined) break;
    chain.push({ id: status.id, line: lineOf(pid) });
    pid = status.parent;
  }
  return chain;
}

/**
 * Whether a hook may have been called by the same agent process as an earlier one: the agent is above both, and between the agent and
 * the hook are only the processes that were there before. A command that an agent's tool runs has a shell of its own in between.
 * Where the agent has ended, or the system does not report processes, it cannot be known.
 */
export function isSameCaller(first: readonly CallerProcess[], now: readonly CallerProcess[]): boolean {
  const agentAt = first.findIndex(({ id }) => isAlive(id));
  const agent = first[agentAt];
  if (agent === undefined) return true;
  const known = new Set(first.slice(0, agentAt).map(({ line }) => line));
  const foundAt = now.findIndex(({ id }) => id === agent.id);
  return foundAt >= 0 && now.slice(0, foundAt).every(({ line }) => known.has(line) || line === OWN);
}

/** Whether the agent above an earlier hook still runs. */
export function isCallerAlive(chain: readonly CallerProcess[]): boolean {
  return chain.some(({ id }) => isAlive(id));
}

function isAlive(id: string): boolean {
  return statusOf(Number.parseInt(id, 10))?.id === id;
}

/** What the kernel reports about a process: its parent is the second field after the name, its start time the twentieth. */
function statusOf(pid: number): { readonly id: string; readonly parent: number } | undefined {
  try {
    const text = readRegularText(`/proc/${pid}/stat`);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { id: `${pid}:${fields[19]}`, parent: Number(fields[1]) };
  } catch {
    return undefined;
  }
}

/** The hash of a command line, which may be confidential; without the hook event that it names. */
function lineOf(pid: number): string {
  try {
    const line = readRegularText(`/proc/${pid}/cmdline`).split("\0").join(" ").trim();
    return OWN_LINE.test(line) ? OWN : valueHash(line.replaceAll(/ --moment[ =]\S+/g, ""));
  } catch {
    return "";
  }
}

/** The client of the daemon starts the command itself where the daemon does not answer. */
const OWN_LINE = /^(?:\S*\/)?(?:perl |node )?\S*\/(?:client(?:\.pl)?|sluice\.cjs)(?: \S+){0,2} run(?: [\w-]+){0,2}$/;
const OWN = "sluice";
const MAX_ABOVE = 12;
