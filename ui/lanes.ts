import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Call } from "./calls.ts";
import { html } from "./html.ts";

/** The calls of one session of an agent. */
export interface Lane {
  readonly session: string;
  readonly agent: string;
  readonly parent: string | undefined;
  readonly calls: Call[];
  /** Sub-agents that this session started. */
  readonly children: Lane[];
  denied: number;
  asked: number;
}

/** Sorts calls into lanes, the latest first; a sub-agent's lies under that of its parent. */
export function lanesOf(shown: readonly Call[]): Lane[] {
  const lanes = new Map<string, Lane>();
  let lane: Lane | undefined;
  let name = "";
  for (const call of shown) {
    // Calls of one session mostly follow one another.
    if (lane === undefined || call.lane !== name) {
      name = call.lane;
      lane = lanes.get(name) ?? newLane(call);
      lanes.set(name, lane);
    }
    lane.calls.push(call);
    if (call.action === "deny") lane.denied++;
    if (call.action === "ask") lane.asked++;
  }
  const bySession = new Map([...lanes.values()].map((lane) => [lane.session, lane]));
  return [...lanes.values()].filter((lane) => {
    const above = lane.parent === undefined ? undefined : bySession.get(lane.parent);
    if (above === undefined || above === lane) return true;
    above.children.push(lane);
    return false;
  });
}

function newLane({ session = "", agent = "", parent }: Call): Lane {
  return { session, agent, parent, calls: [], children: [], denied: 0, asked: 0 };
}

/** The span of time that lanes show: as short as holds enough calls. */
export function spanOf(shown: readonly Call[], now: number): { readonly from: number; readonly to: number } {
  const newest = shown[0]?.at ?? now;
  const to = now - newest < 10 * 60_000 ? now : newest;
  const some = shown[Math.min(shown.length - 1, ENOUGH)]?.at ?? to;
  const span = SPANS.find((length) => to - length <= some) ?? to - (shown.at(-1)?.at ?? to);
  return { from: to - span, to };
}

const ENOUGH = 120;
const SPANS = [10, 30, 60, 180, 720, 1440, 4320, 10_080, 43_200].map((minutes) => minutes * 60_000);

/** One lane as a strip: a tick for each call, in the colour of its decision. Objections are drawn last, above all others. */
export function LaneStrip({ lane, from, to }: StripProps): VNode {
  const paths = useMemo(() => ticksOf(lane.calls, from, to), [lane, from, to]);
  const label = `${lane.calls.length} calls, ${lane.denied} denied, ${lane.asked} asked`;
  return html`<svg class="strip" role="img" aria-label=${label} viewBox=${`0 0 ${WIDTH} 14`} preserveAspectRatio="none">
    ${TICKS.map((kind) => html`<path class=${`tick is-${kind}`} d=${paths[kind]} />`)}</svg>`;
}

interface StripProps {
  readonly lane: Lane;
  readonly from: number;
  readonly to: number;
}

type Tick = (typeof TICKS)[number];
const TICKS = ["other", "ask", "deny"] as const;
const WIDTH = 1000;

/** The ticks of each kind as one path; calls that fall on the same place share a tick. */
function ticksOf(calls: readonly Call[], from: number, to: number): Readonly<Record<Tick, string>> {
  const places = { other: new Set<number>(), ask: new Set<number>(), deny: new Set<number>() };
  for (const { at, action } of calls) {
    if (at < from) break;
    const kind = action === "deny" || action === "ask" ? action : "other";
    places[kind].add(Math.round(((at - from) / Math.max(1, to - from)) * (WIDTH - 2)) + 1);
  }
  const path = (kind: Tick, line: string) => [...places[kind]].map((x) => `M${x} ${line}`).join("");
  return { other: path("other", "4v6"), ask: path("ask", "0v14"), deny: path("deny", "0v14") };
}
