import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Call } from "./calls.ts";
import { html } from "./html.ts";

/** The calls of one session, or of one sub-agent in it. */
export interface Lane {
  readonly session: string;
  readonly agent: string;
  readonly thread: string;
  /** The thread that started it. */
  readonly above: string | undefined;
  /** Newest first. */
  readonly calls: readonly Call[];
  readonly denied: number;
  readonly asked: number;
}

/** Lanes by name, the latest first. */
type LaneMap = ReadonlyMap<string, Lane>;

/** Sorts calls into lanes. */
export function lanesOf(shown: readonly Call[]): LaneMap {
  const sorted = new Map<string, Call[]>();
  let own: Call[] = [];
  let name: string | undefined;
  for (const call of shown) {
    // Calls of one session mostly follow one another.
    if (call.lane !== name) {
      name = call.lane;
      own = sorted.get(name) ?? [];
      sorted.set(name, own);
    }
    own.push(call);
  }
  return new Map(
    [...sorted].flatMap(([key, calls]) => (calls[0] === undefined ? [] : [[key, laneOf(calls[0], calls)]])),
  );
}

function laneOf({ session = "", agent = "", thread, above }: Call, calls: readonly Call[]): Lane {
  const count = (wanted: string) => calls.reduce((sum, { action }) => sum + Number(action === wanted), 0);
  return { session, agent, thread, above, calls, denied: count("deny"), asked: count("ask") };
}

/** A lane, and those of the sub-agents that its session started. */
export interface LaneFamily {
  readonly lane: Lane;
  readonly children: Lane[];
}

/** Lanes with those of sub-agents below the one that started them. */
export function familiesOf(lanes: LaneMap): LaneFamily[] {
  const families = [...lanes.values()].map((lane): LaneFamily => ({ lane, children: [] }));
  const byThread = new Map(families.map((family) => [family.lane.thread, family]));
  return families.filter((family) => {
    const above = family.lane.above === undefined ? undefined : byThread.get(family.lane.above);
    if (above === undefined || above === family) return true;
    above.children.push(family.lane);
    return false;
  });
}

/** The span of time that lanes show: as short as holds enough calls. It moves on in steps of one tick. */
export function spanOf(
  shown: readonly Call[],
  now: number,
  hasOlder: boolean,
): { readonly from: number; readonly to: number } {
  const newest = shown[0]?.at ?? now;
  const to = now - newest < 10 * 60_000 ? now : newest;
  const some = shown[Math.min(shown.length - 1, ENOUGH)]?.at ?? to;
  const oldest = shown.at(-1)?.at ?? to;
  const wanted = SPANS.find((length) => to - length <= some) ?? to - oldest;
  // Of what is older than the calls that are here nothing is known.
  const span = hasOlder ? Math.min(wanted, to - oldest) : wanted;
  const step = Math.max(1, span / STEPS);
  const end = Math.ceil(to / step) * step;
  return { from: Math.min(end - span, Math.max(oldest, to - wanted)), to: end };
}

const ENOUGH = 120;
const STEPS = 250;
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
