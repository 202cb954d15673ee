import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
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

/** One lane as a strip: a tick for each call, in the colour of its decision. */
export function LaneStrip({ lane, from, to }: StripProps): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, lane.calls, from, to);
  });
  const label = `${lane.calls.length} calls, ${lane.denied} denied, ${lane.asked} asked`;
  return html`<canvas ref=${canvas} class="strip" role="img" aria-label=${label}></canvas>`;
}

interface StripProps {
  readonly lane: Lane;
  readonly from: number;
  readonly to: number;
}

function draw(canvas: HTMLCanvasElement, calls: readonly Call[], from: number, to: number): void {
  const scale = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth * scale, canvas.clientHeight * scale];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null || to <= from) return;
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const colours = {
    deny: style.getPropertyValue("--deny"),
    ask: style.getPropertyValue("--ask"),
    other: style.getPropertyValue("--tick"),
  };
  // Objections are drawn last, above all others.
  for (const kind of ["other", "ask", "deny"] as const) {
    context.fillStyle = colours[kind];
    for (const { at, action } of calls) {
      if (at < from) break;
      const isKind = action === "deny" || action === "ask" ? action === kind : kind === "other";
      if (!isKind) continue;
      const x = Math.round(((at - from) / (to - from)) * (width - 2 * scale));
      const high = kind === "other" ? height * 0.5 : height;
      context.fillRect(x, (height - high) / 2, (kind === "other" ? 1 : 2) * scale, high);
    }
  }
}
