import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { FILTERS, type FilterName, TIMES } from "../../src/ui-server/row-filters.ts";
import { address, go, withQuery } from "../address.ts";
import type { ChoiceName } from "../call-counts.ts";
import { allCalls, type Call, callNamed } from "../calls.ts";
import { Decision } from "../decision.ts";
import { Detail } from "../detail.ts";
import { choices, filters, type ShownCalls, setFilter, setTime, shown } from "../filters.ts";
import { countText, msText, nameText, pathText, plain, sessionText, spanText, timeText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { familiesOf, type Lane, LaneStrip, lanesOf, spanOf } from "../lanes.ts";
import { NoCalls } from "../no-calls.ts";
import { rowHeight, VirtualList } from "../virtual-list.ts";

/** Whether the list stays as it is while more calls are made. */
const isPaused = signal(false);
/** The sub-agents whose calls are shown one by one. */
const openSubs = signal<ReadonlySet<string>>(new Set());

/** Every call of every agent as it happens. */
export function TimelinePage(): VNode {
  const frozen = useRef(shown.value);
  if (!isPaused.value) frozen.current = shown.value;
  const { items, denied } = frozen.current;
  const { list, isReading } = shown.value;
  const waiting = shown.value.items.length - items.length;
  const selected = new URLSearchParams(address.value.query).get("call") ?? undefined;
  const select = (call: Call | undefined) => go(withQuery({ call: call?.key }), { replace: true });
  const open = useMemo(() => {
    const isSelected = ({ key }: Call) => key === selected;
    return selected === undefined
      ? undefined
      : (items.find(isSelected) ?? allCalls.calls.find(isSelected) ?? callNamed(selected));
  }, [items, selected]);
  const [follows, setFollows] = useState(true);
  const isFolding = FOLDING_STOPS.every((name) => filters.value[name] === undefined);
  const rows = useMemo(
    () => (isFolding ? foldedRows(items, openSubs.value) : items),
    [items, isFolding, openSubs.value],
  );
  const next = async () => {
    const isDenied = ({ action }: Call) => action === "deny";
    const at = items.findIndex(({ key }) => key === selected);
    let found = items.slice(at + 1).find(isDenied);
    // Older calls are read until one of them was denied.
    for (let page = 0; found === undefined && list.hasOlder && page < MAX_PAGES; page++) {
      await list.readOlder();
      const { items: now } = shown.value;
      found = now.slice(now.findIndex(({ key }) => key === selected) + 1).find(isDenied);
    }
    found ??= items.find(isDenied);
    if (found !== undefined) select(found);
  };
  const choose = (row: TimelineRow) => (isFold(row) ? toggleSub(row.thread) : select(row));

  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "n", does: "next call that was denied", act: next },
      { keys: "p", does: "pause or continue", act: () => (isPaused.value = !isPaused.value) },
      { keys: "f", does: "follow the newest call", act: () => setFollows(!follows) },
      { keys: "/", does: "search", act: () => document.getElementById("filter-text")?.focus() },
      { keys: "t", does: "choose the time", act: () => document.getElementById("filter-last")?.focus() },
      { keys: "Escape", does: "close the call", act: () => select(undefined) },
      { keys: "j", does: "next call", act: () => document.querySelector<HTMLElement>(".virtual")?.focus() },
    ];
  });

  return html`<div class=${open === undefined ? "timeline" : "timeline has-detail"}>
    <h1 class="hidden">Timeline</h1>
    <div class="bar filters">
      <${Filters} />
      <span class="grow"></span>
      <span class="dim" role="status">${list.hasOlder ? "newest " : ""}${countText(items.length, "call")}, ${denied} denied${isReading ? ", reading…" : ""}</span>
      <button type="button" onClick=${next} disabled=${denied === 0 && !list.hasOlder}>Next denial</button>
      <button type="button" aria-pressed=${follows} onClick=${() => setFollows(!follows)}>Follow</button>
      <button type="button" aria-pressed=${isPaused.value} onClick=${() => (isPaused.value = !isPaused.value)}>${isPaused.value ? `Continue${waiting > 0 ? ` (${waiting})` : ""}` : "Pause"}</button>
    </div>
    <${Lanes} shown=${frozen.current} />
    <section class="calls" aria-label="Calls">
      <div class="call head" aria-hidden="true"><span>time</span><span>gap</span><span>agent</span><span>tool</span><span>what</span><span>decision</span><span>hook</span><span class="num">took</span></div>
      ${
        rows.length === 0
          ? html`<${Nothing} isReading=${isReading} />`
          : html`<${VirtualList} label="Calls, newest first" items=${rows} rowHeight=${rowHeight.value} keyOf=${keyOf} row=${row} stateOf=${stateOf} selected=${selected}
            onSelect=${choose} onOpen=${(call: TimelineRow) => !isFold(call) && call.session && go(`/session/${encodeURIComponent(call.session)}`)} follows=${follows && !isPaused.value} onEnd=${isPaused.value ? undefined : () => void list.readOlder()} />`
      }
    </section>
    ${open !== undefined && html`<${Detail} id=${open.id} at=${open.at} phases=${open.phases} onClose=${() => select(undefined)} />`}
  </div>`;
}

/** With one of these filters the calls of sub-agents are listed one by one: nothing that was looked for is hidden. */
const FOLDING_STOPS = ["session", "tool", "action", "hook", "text"] as const;

/** The calls of a sub-agent, as one row. */
interface Fold {
  readonly key: string;
  readonly thread: string;
  readonly isOpen: boolean;
  readonly calls: readonly Call[];
}

export type TimelineRow = Call | Fold;

function isFold(row: TimelineRow): row is Fold {
  return "calls" in row;
}

function toggleSub(thread: string): void {
  const now = new Set(openSubs.value);
  if (!now.delete(thread)) now.add(thread);
  openSubs.value = now;
}

/** The calls of each sub-agent become one row at the place of its newest call; below an open one its calls follow. */
function foldedRows(items: readonly Call[], open: ReadonlySet<string>): readonly TimelineRow[] {
  if (items.every(({ above }) => above === undefined)) return items;
  const bySub = new Map<string, Call[]>();
  for (const call of items)
    if (call.above !== undefined) bySub.set(call.thread, [...(bySub.get(call.thread)?.splice(0) ?? []), call]);
  return items.flatMap((call): TimelineRow[] => {
    if (call.above === undefined) return [call];
    const own = bySub.get(call.thread);
    if (own === undefined || own[0] !== call) return [];
    const isOpen = open.has(call.thread);
    return [{ key: `sub-${call.thread}`, thread: call.thread, isOpen, calls: own }, ...(isOpen ? own : [])];
  });
}

function Nothing({ isReading }: { readonly isReading: boolean }): VNode {
  if (isReading) return html`<p class="empty" role="status">Reading the journal…</p>`;
  if (allCalls.calls.length > 0)
    return html`<p class="empty">No call fits these filters. <button type="button" onClick=${() => go("/timeline")}>Take them away</button></p>`;
  return html`<${NoCalls} />`;
}

const keyOf = (row: TimelineRow) => row.key;
/** What of a row may change while it is listed. */
export const stateOf = (row: TimelineRow) =>
  isFold(row) ? row.calls.length : `${row.gap} ${row.phases.length} ${row.action}`;

/** One call, or the calls of one sub-agent, on one line. */
export const row = (one: TimelineRow): VNode => (isFold(one) ? foldRow(one) : callRow(one));

function foldRow({ calls: own, isOpen }: Fold): VNode {
  const [first] = own;
  const count = (action: string) => own.reduce((sum, call) => sum + Number(call.action === action), 0);
  const [denied, asked] = [count("deny"), count("ask")];
  return html`<div class="call fold-row">
    <time>${timeText(first?.at ?? 0)}</time><span></span>
    <span class="who"><span class="sub" aria-hidden="true">${isOpen ? "▾" : "▸"}</span> ${plain(first?.agent ?? "", 60)}</span>
    <span>sub-agent</span>
    <span class="what">${countText(own.length, "call")}: ${isOpen ? "fold" : "show"}</span>
    <span>${denied > 0 && html`<span class="decision is-deny">${denied} denied</span>`}${asked > 0 && html` <span class="decision is-ask">${asked} asked</span>`}</span><span></span><span></span>
  </div>`;
}

function callRow(call: Call): VNode {
  const isEvent = call.tool === undefined;
  const took = call.ran ?? call.span;
  const where = [call.machine, call.session && sessionText(call.session)].filter(Boolean).join(" ");
  return html`<div class=${`call is-${call.action}${call.above === undefined ? "" : " is-sub"}`}>
  <time>${timeText(call.at)}</time>
  <span class="dim">${call.gap !== undefined && call.gap >= 2000 ? `+${spanText(call.gap).split(" ").slice(0, 2).join(" ")}` : ""}</span>
  <span class="who">${call.above !== undefined && html`<span class="sub" title="a sub-agent">↳</span>`}${plain(call.agent ?? "", 60)} <span class="dim">${plain(where, 60)}</span></span>
  <span>${plain(call.tool ?? call.event.replace(/:.*/, ""), 60)}</span>
  <span class=${isEvent ? "what call-event" : "what"} title=${plain(call.text)}>${plain(call.text)}</span>
  <span><${Decision} action=${call.action} would=${call.would} />${call.kept && html` <span class="tag">kept</span>`}${call.failed && html` <span class="tag is-failed">hook broke</span>`}${call.broke && html` <span class="tag is-failed">tool failed</span>`}</span>
  <span class="what dim">${plain(call.hooks?.join(", ") ?? "", 200)}</span>
  <span class="num" title=${`decided in ${msText(call.ms)}`}>${took === undefined ? "" : msText(took)}</span>
</div>`;
}

function Filters(): VNode {
  const set = filters.value;
  const pick = (name: ChoiceName, text: (value: string) => string = (value) => value) => {
    const values = choices.value[name];
    const chosen = set[name] ?? "";
    return html`<select aria-label=${`Filter by ${name}`} value=${chosen} class=${chosen === "" ? "" : "set"} onChange=${(event: Event) => setFilter(name, (event.target as HTMLSelectElement).value)}>
      <option value="">any ${name}</option>
      ${(values.includes(chosen) || chosen === "" ? values : [chosen, ...values]).map((value) => html`<option value=${value} selected=${value === chosen}>${text(value)}</option>`)}</select>`;
  };
  return html`<input id="filter-text" type="search" placeholder="Search  /" aria-label="Search in calls" value=${set.text ?? ""} onInput=${(event: Event) => setFilter("text", (event.target as HTMLInputElement).value)} />
    <select aria-label="Filter by action" value=${set.action ?? ""} class=${set.action ? "set" : ""} onChange=${(event: Event) => setFilter("action", (event.target as HTMLSelectElement).value)}>
      ${ACTIONS.map(([value, text]) => html`<option value=${value} selected=${value === (set.action ?? "")}>${text}</option>`)}</select>
    ${pick("agent")}${choices.value.machine.length > 0 && pick("machine")}${pick("tool")}${pick("hook")}${pick("project", (path) => nameText(path))}
    <select id="filter-last" aria-label="Filter by time" class=${set.last || set.from || set.to ? "set" : ""} onChange=${(event: Event) => go(withQuery({ last: (event.target as HTMLSelectElement).value, from: undefined, to: undefined }), { replace: true })}>
      <option value="">any time</option>${(set.from || set.to) && html`<option value="" selected>${timeText(Number(set.from ?? 0))} to ${timeText(Number(set.to ?? Date.now()))}</option>`}
      ${TIMES.map(([value, text]) => html`<option value=${value} selected=${value === set.last}>${text}</option>`)}</select>
    ${FILTERS.some((name: FilterName) => set[name]) && html`<button type="button" class="quiet" onClick=${() => go("/timeline", { replace: true })}>Clear</button>`}`;
}

const ACTIONS = [
  ["", "any action"],
  ["deny", "deny"],
  ["ask", "ask"],
  ["modify", "modify"],
  ["continue", "continue"],
  ["would", "would deny or ask (monitor)"],
  ["failed", "a hook broke"],
] as const;

/** A value a moment later: what is drawn from it does not hold up what a person types, nor is it drawn for every call. */
function useSoon<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value);
  const latest = useRef(value);
  const timer = useRef<{ readonly ms: number; readonly id: ReturnType<typeof setTimeout> } | undefined>(undefined);
  latest.current = value;
  useEffect(() => {
    if (latest.current === later || (timer.current !== undefined && timer.current.ms <= ms)) return;
    clearTimeout(timer.current?.id);
    const id = setTimeout(() => {
      timer.current = undefined;
      setLater(latest.current);
    }, ms);
    timer.current = { ms, id };
  });
  useEffect(() => () => clearTimeout(timer.current?.id), []);
  return later;
}

/** How long lanes wait when other calls are shown, and when one more is. */
const SOON_MS = 60;
const ONE_MORE_MS = 1000;

function Lanes({ shown: now }: { readonly shown: ShownCalls }): VNode {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const soon = useSoon(now, now.came === undefined ? SOON_MS : ONE_MORE_MS);
  // The first lanes come with the first rows: nothing moves under the pointer of a person.
  const { items, list } = soon.items.length === 0 ? now : soon;
  const toggle = useCallback((session: string) => setOpen((before) => toggled(before, session)), []);
  return useMemo(() => drawnLanes(items, list.hasOlder, open, toggle), [items, open]);
}

function toggled(open: ReadonlySet<string>, session: string): ReadonlySet<string> {
  const now = new Set(open);
  if (!now.delete(session)) now.add(session);
  return now;
}

function drawnLanes(
  items: readonly Call[],
  hasOlder: boolean,
  open: ReadonlySet<string>,
  toggle: (session: string) => void,
): VNode {
  const { from, to } = spanOf(items, Date.now(), hasOlder);
  // Lanes show, and count, the calls of the time that is shown.
  const end = items.findIndex(({ at }) => at < from);
  const families = familiesOf(lanesOf(end < 0 ? items : items.slice(0, end)));
  const most = families.slice(0, MAX_LANES);
  if (most.length === 0) return html`<div class="lanes-none"></div>`;
  return html`<section class="lanes" aria-label="Sessions">
    <div class="lanes-head dim"><span>Sessions (${families.length})</span><span class="grow"></span><span>last ${spanText(to - from)}<span class="lanes-hint">; drag over a lane to choose a time</span></span></div>
    <ul>${most.map(
      ({ lane, children }) => html`<li key=${lane.thread}>
      <${LaneLine} lane=${lane} from=${from} to=${to} below=${children.length} isOpen=${open.has(lane.thread)} toggle=${toggle} />
      ${open.has(lane.thread) && html`<ul>${children.slice(0, MAX_LANES).map((child) => html`<li key=${child.thread}><${LaneLine} lane=${child} from=${from} to=${to} /></li>`)}</ul>`}
    </li>`,
    )}</ul>
    ${families.length > most.length && html`<p class="dim">and ${families.length - most.length} older sessions; filters find them</p>`}
  </section>`;
}

function LaneLine({ lane, from, to, below = 0, isOpen, toggle }: LaneProps): VNode {
  const { session, agent, thread, above, calls: own, denied, asked } = lane;
  const isChosen = filters.value.session === session && above === undefined;
  const root = own[0]?.root;
  const name = above === undefined ? agent || "no agent" : "sub-agent";
  return html`<div class=${isChosen ? "lane chosen" : "lane"}>
    ${below > 0 ? html`<button type="button" class="fold" aria-expanded=${isOpen === true} aria-label=${`${below} sub-agents of ${sessionText(session)}`} onClick=${() => toggle?.(thread)}><span aria-hidden="true">${isOpen ? "▾" : "▸"}</span>${below}</button>` : html`<span class="fold"></span>`}
    <button type="button" class="lane-name" aria-pressed=${isChosen} title=${root === undefined ? "" : pathText(root)} onClick=${() => setFilter("session", isChosen ? "" : session)}>
      <b>${plain(name, 60)}</b> <span class="dim">${plain([session && sessionText(session), own[0]?.machine, root && nameText(root)].filter(Boolean).join(" "), 80)}</span></button>
    <${Brush} from=${from} to=${to}><${LaneStrip} lane=${lane} from=${from} to=${to} /></${Brush}>
    <span class="lane-counts">${denied > 0 && html`<span class="decision is-deny">${denied} denied</span>`}${asked > 0 && html` <span class="decision is-ask">${asked} asked</span>`}<span class="num dim">${own.length.toLocaleString("en")}</span></span>
    ${session !== "" && html`<a href=${`/session/${encodeURIComponent(session)}`} aria-label=${`Open session ${sessionText(session)}`}>open</a>`}
  </div>`;
}

/** A lane over which a time is chosen with the pointer; the list of times does the same with the keyboard. */
function Brush({
  from,
  to,
  children,
}: {
  readonly from: number;
  readonly to: number;
  readonly children?: unknown;
}): VNode {
  const [range, setRange] = useState<readonly [number, number] | undefined>(undefined);
  const placeIn = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  };
  const down = (event: PointerEvent) => {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    setRange([placeIn(event), placeIn(event)]);
  };
  const move = (event: PointerEvent) => range !== undefined && setRange([range[0], placeIn(event)]);
  const up = () => {
    const [start = 0, end = 0] = [...(range ?? [])].sort((one, other) => one - other);
    setRange(undefined);
    if (end - start > MIN_BRUSH) setTime(from + start * (to - from), from + end * (to - from));
  };
  const [low = 0, high = 0] = [...(range ?? [])].sort((one, other) => one - other);
  return html`<div class="brush" onPointerDown=${down} onPointerMove=${move} onPointerUp=${up}>${children}
    ${range !== undefined && html`<span class="brush-range" style=${{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }}></span>`}</div>`;
}

/** A click is not a choice of a time. */
const MIN_BRUSH = 0.01;

interface LaneProps {
  readonly lane: Lane;
  readonly from: number;
  readonly to: number;
  /** How many sub-agents are below it, and whether they are shown. */
  readonly below?: number;
  readonly isOpen?: boolean;
  readonly toggle?: (session: string) => void;
}

const MAX_LANES = 30;
/** How many pages of older calls are read for the next one that was denied. */
const MAX_PAGES = 50;
