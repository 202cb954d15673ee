import { statSync } from "node:fs";
import { basename } from "node:path";
import { type Fitted, fitDecision } from "../adapters/fit.ts";
import type { Native } from "../adapters/read-call.ts";
import type { Decision } from "../decision/decision.ts";
import { readRegularText } from "../fs/regular-file.ts";

/**
 * What the agent can carry out of a decision in this run: where no user can be asked, an `ask` is a denial. Notices are
 * what the model is told besides.
 */
export function fitFor(
  { adapter, hookEvent, payload }: Native,
  canAsk: () => boolean,
  notices: readonly string[] = [],
): (decision: Decision) => Fitted {
  return (made) => {
    const decision = notices.length === 0 ? made : { ...made, contexts: [...made.contexts, ...notices] };
    const isMute = decision.action === "ask" && hookEvent.can.includes("ask") && !canAsk();
    const able = isMute ? { ...hookEvent, can: hookEvent.can.filter((power) => power !== "ask") } : hookEvent;
    return fitDecision(decision, able, isMute ? `${adapter.title} without a terminal` : adapter.title, payload);
  };
}

/** Whether a person can be asked here: the mode of the payload tells, or else how the agent was started. */
export function canAskIn({ adapter, hookEvent, payload }: Native, parent: number | undefined): boolean {
  if (!hookEvent.can.includes("ask")) return false;
  const { unattended, program = "" } = adapter;
  if (unattended === undefined) return true;
  if (unattended.modes?.includes(String(payload.permission_mode))) return false;
  if (unattended.flags === undefined) return true;
  const agent = parent === undefined ? undefined : agentAbove(program, parent);
  if (agent === undefined || unattended.protocols?.some((word) => agent.words.includes(word))) return true;
  return agent.hasTerminal && !unattended.flags.some((flag) => agent.words.some((word) => isFlag(word, flag)));
}

interface AgentProcess {
  readonly words: readonly string[];
  readonly hasTerminal: boolean;
}

/** The agent's own process, above the one that called; nothing where the system does not tell. */
function agentAbove(program: string, pid: number): AgentProcess | undefined {
  try {
    for (let at = pid, steps = 0; at > 1 && steps < MOST_ABOVE; steps++) {
      const words = readRegularText(`/proc/${at}/cmdline`).split("\0");
      const own = words.slice(0, MOST_WORDS).findIndex((word) => basename(word).replace(/\.[cm]?js$/, "") === program);
      if (own >= 0) return { words: words.slice(own + 1), hasTerminal: isTerminal(`/proc/${at}/fd/0`) };
      at = Number(/^PPid:\s*(\d+)/m.exec(readRegularText(`/proc/${at}/status`))?.[1] ?? 0);
    }
  } catch {
    // Another system, or a process of another user.
  }
  return undefined;
}

/** The numbers of consoles, of the terminal of a process, and of pseudo-terminals on Linux. */
function isTerminal(path: string): boolean {
  const file = statSync(path);
  const kind = file.rdev >> 8;
  return file.isCharacterDevice() && (kind === 4 || kind === 5 || (kind >= 136 && kind <= 143));
}

/** `--prompt` and `--prompt=text`. */
function isFlag(word: string, flag: string): boolean {
  return word === flag || word.startsWith(`${flag}=`);
}

const MOST_ABOVE = 16;
/** An interpreter and its options may stand before the program. */
const MOST_WORDS = 6;
