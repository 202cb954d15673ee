import { basename } from "node:path";
import { ADAPTERS } from "../adapters/index.ts";
import { HOSTS_BY_PROCESS, TERMINAL_HOSTS, type TerminalHost } from "../effects/programs/terminals.ts";
import { readRegularText } from "../fs/regular-file.ts";

/** Why no person is at this terminal; undefined if there may be one. The system shows its processes in a folder. */
export function whyNoPerson(
  io: {
    readonly isTerminal: boolean;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
  processes = { folder: "/proc", parent: process.ppid },
): string | undefined {
  if (!io.isTerminal) return "there is no terminal";
  const mark = MARKS.find((name) => io.env[name]);
  if (mark !== undefined) return `${mark} is set, as agents do for the commands that they run`;
  const agent = agentAbove(processes.parent, processes.folder);
  return agent === undefined ? undefined : `it was started by ${agent}`;
}

/**
 * Why a confirmation at this terminal may come from an agent: other programs of the user can type into it, or read what it
 * shows. Undefined if that is not known. What proves a person, such as a PIN, needs no such terminal.
 */
export function whyReachable(
  env: Readonly<Record<string, string | undefined>>,
  processes = { folder: "/proc", parent: process.ppid },
): string | undefined {
  for (const { variable, is, shares } of Object.values(TERMINAL_HOSTS))
    if (variable !== undefined && env[variable]) return reached(is, shares);
  for (const [name = "", ...args] of processesAbove(processes.parent, processes.folder)) {
    // The server of a multiplexer names itself with its state: `tmux: server`.
    const host = basename(name)
      .replace(/[:\s].*$/s, "")
      .toLowerCase();
    const found = HOSTS_BY_PROCESS.has(host) ? TERMINAL_HOSTS[host] : undefined;
    if (found !== undefined && (found.keeps?.(args) ?? true)) return reached(found.is, found.shares);
  }
  return undefined;
}

function reached(is: string, shares: TerminalHost["shares"]): string {
  return `this terminal is ${is}, ${shares === "input" ? "into which an agent could type" : "where an agent could read what is shown"}`;
}

/** An agent among the processes that started this one, if the system shows them. */
function agentAbove(pid: number, folder: string): string | undefined {
  for (const words of processesAbove(pid, folder)) {
    const own = words.slice(0, 2);
    const found = ADAPTERS.find(({ program }) => program !== undefined && own.some((word) => isProgram(word, program)));
    if (found !== undefined) return found.title;
  }
  return undefined;
}

/** The arguments of the processes that started this one, the nearest first, as far as the system shows them. */
function* processesAbove(pid: number, folder: string): Generator<readonly string[]> {
  try {
    for (let at = pid, steps = 0; at > 1 && steps < MAX_ABOVE; steps++) {
      yield readRegularText(`${folder}/${at}/cmdline`).split("\0");
      at = Number(/^PPid:\s*(\d+)/m.exec(readRegularText(`${folder}/${at}/status`))?.[1] ?? 0);
    }
  } catch {}
}

function isProgram(word: string, program: string): boolean {
  return basename(word).replace(/\.[cm]?js$/, "") === program;
}

const MARKS = [...ADAPTERS.flatMap(({ marks = [] }) => marks), "AI_AGENT", "SLUICE_DEPTH"];
const MAX_ABOVE = 64;
