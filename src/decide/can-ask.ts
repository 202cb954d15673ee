import { statSync } from "node:fs";
import { basename } from "node:path";
import { type Fitted, fitDecision } from "../adapters/fit.ts";
import type { Payload } from "../adapters/payload.ts";
import type { Native } from "../adapters/read-call.ts";
import type { Decision } from "../decision/decision.ts";
import { readRegularText } from "../fs/regular-file.ts";

/**
 * What the agent can carry out of a decision in this run: where no user can be asked, an `ask` is a denial. Notices are
 * context for the model.
 */
export function fitFor(
  { adapter, hookEvent, payload }: AskedCall,
  canAsk: () => boolean,
  notices: readonly string[] = [],
): (decision: Decision) => Fitted {
  return (made) => {
    const decision = notices.length === 0 ? made : { ...made, contexts: [...made.contexts, ...notices] };
    if (decision.action !== "ask" || !hookEvent.can.includes("ask") || canAsk())
      return fitDecision(decision, hookEvent, adapter.title, payload);
    const able = { ...hookEvent, can: hookEvent.can.filter((power) => power !== "ask") };
    const where = dropsQuestions(adapter, payload) ? `in the mode ${modeOf(payload)}` : "without a terminal";
    return fitDecision(decision, able, `${adapter.title} ${where}`, payload);
  };
}

/** Whether a person can be asked here: the mode of the payload decides, or else how the agent was started. */
export function canAskIn({ adapter, hookEvent, payload }: AskedCall, parent: number | undefined): boolean {
  if (!hookEvent.can.includes("ask")) return false;
  const { unattended, program = "" } = adapter;
  if (unattended === undefined) return true;
  if (dropsQuestions(adapter, payload)) return false;
  const { flags = [], modeFlags = [], protocols = [], isByInput = false } = unattended;
  const isModeKnown = modeFlags.length === 0 || payload.permission_mode !== undefined;
  if (flags.length === 0 && isModeKnown) return true;
  const agent = parent === undefined ? undefined : agentAbove(program, parent);
  if (agent === undefined) return true;
  const has = (option: string) => agent.words.some((word) => isFlag(word, option));
  if (!isModeKnown && modeFlags.some(has)) return false;
  return protocols.some(has) || !(flags.some(has) || (isByInput && !agent.hasTerminal));
}

/** Whether the payload has a mode that is not known to ask; a mode that is not even a text is not. */
function dropsQuestions({ unattended }: Native["adapter"], payload: Payload): boolean {
  const { askingModes } = unattended ?? {};
  const mode = payload.permission_mode;
  return askingModes !== undefined && mode !== undefined && !askingModes.some((asking) => asking === mode);
}

function modeOf({ permission_mode: mode }: Payload): string {
  return typeof mode === "string" ? JSON.stringify(mode) : "that its payload does not name";
}

type AskedCall = Pick<Native, "adapter" | "hookEvent" | "payload">;

interface AgentProcess {
  readonly words: readonly string[];
  readonly hasTerminal: boolean;
}

/** The agent's own process, above the one that called; undefined if the system does not report it. */
function agentAbove(program: string, pid: number): AgentProcess | undefined {
  try {
    for (let at = pid, steps = 0; at > 1 && steps < MAX_ABOVE; steps++) {
      const words = readRegularText(`/proc/${at}/cmdline`).split("\0");
      const own = words.slice(0, MAX_WORDS).findIndex((word) => basename(word).replace(/\.[cm]?js$/, "") === program);
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

const MAX_ABOVE = 16;
/** An interpreter and its options may come before the program. */
const MAX_WORDS = 6;
