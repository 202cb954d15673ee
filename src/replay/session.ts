import { targetOf } from "../decide/decide-recorded.ts";
import { type History, SessionHistory } from "../engine/history.ts";
import { type DeniedTarget, MEMORY_MS } from "../policies/protect/denied-target.ts";
import type { JudgedCall, ReplayCall } from "./replay-call.ts";

/** What came before in each session, as one policy sees it: events that rules ask about, and what was denied. */
export class ReplaySession {
  readonly history: History;
  readonly #denied = new Map<string, DeniedTarget[]>();

  constructor(history: History = new SessionHistory()) {
    this.history = history;
  }

  /** What the session was denied shortly before. */
  deniedBefore(call: ReplayCall): readonly DeniedTarget[] {
    const known = this.#denied.get(keyOf(call));
    if (known === undefined) return NONE;
    const now = Date.parse(call.time);
    const recent = known.filter(({ at }) => Math.abs(now - at) < MEMORY_MS);
    if (recent.length === 0) this.#denied.delete(keyOf(call));
    return recent;
  }

  /** Remembers what a denied call was after; of one that cannot be judged, what was decided then applies. */
  remember(call: ReplayCall, judged: JudgedCall): void {
    const action = judged.kind === "verdict" ? judged.action : call.recorded;
    const said = judged.kind === "verdict" ? judged.said : undefined;
    const target = action === "deny" ? targetOf(call.event, said, Date.parse(call.time)) : undefined;
    if (target === undefined) return;
    const known = this.#denied.get(keyOf(call)) ?? [];
    this.#denied.set(keyOf(call), [...known.slice(1 - MAX_REMEMBERED), target]);
  }
}

function keyOf({ event, agent = "" }: ReplayCall): string {
  return `${event.agent ?? agent}\0${event.sessionId ?? ""}`;
}

const NONE: readonly DeniedTarget[] = [];
const MAX_REMEMBERED = 100;
