import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, go, withQuery } from "../address.ts";
import type { ChoiceName } from "../call-counts.ts";
import { type Call, calls, isReading } from "../calls.ts";
import { Decision } from "../decision.ts";
import { Detail } from "../detail.ts";
import { choices, FILTERS, type FilterName, filters, type ShownCalls, setFilter, shown } from "../filters.ts";
import { countText, msText, nameText, pathText, plain, sessionText, spanText, timeText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { familiesOf, type Lane, type LaneMap, LaneStrip, lanesOf, spanOf, withNewer } from "../lanes.ts";
import { VirtualList } from "../virtual-list.ts";

/** Whether the list stands still while calls go on. */
const isPaused = signal(false);

/** Every call of every agent as it happens. */
export function TimelinePage(): VNode {
  const frozen = useRef(shown.value);
  if (!isPaused.value) frozen.current = shown.value;
  const { items, denied } = frozen.current;
  const waiting = shown.value.items.length - items.length;
  const selected = new URLSearchParams(address.value.query).get("call") ?? undefined;
  const select = (call: Call | undefined) => go(withQuery({ call: call?.key }), { replace: true });
  const open = useMemo(() => {
    const isSelected = ({ key }: Call) => key === selected;
    return selected === undefined ? undefined : (items.find(isSelected) ?? calls.find(isSelected));
  }, [items, selected]);
  const [follows, setFollows] = useState(true);
  const next = () => {
    const at = items.findIndex(({ key }) => key === selected);
    const found =
      items.slice(at + 1).find(({ action }) => action === "deny") ?? items.find(({ action }) => action === "deny");
    if (found !== undefined) select(found);
  };

  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "n", does: "next call that was denied", act: next },
      { keys: "p", does: "pause or go on", act: () => (isPaused.value = !isPaused.value) },
      { keys: "f", does: "follow the newest call", act: () => setFollows(!follows) },
      { keys: "/", does: "search", act: () => document.getElementById("filter-text")?.focus() },
      { keys: "Escape", does: "close the call", act: () => select(undefined) },
      { keys: "j", does: "next call", act: () => document.querySelector<HTMLElement>(".virtual")?.focus() },
    ];
  });

  return html`<div class=${open === undefined ? "timeline" : "timeline has-detail"}>
    <h1 class="hidden">Timeline</h1>
    <${Lanes} shown=${frozen.current} />
    <section class="calls" aria-label="Calls">
      <div class="bar">
        <${Filters} />
        <span class="grow"></span>
        <span class="dim" role="status">${countText(items.length, "call")}, ${denied} denied${isReading.value ? ", reading…" : ""}</span>
        <button type="button" onClick=${next} disabled=${denied === 0}>Next denial</button>
        <button type="button" aria-pressed=${follows} onClick=${() => setFollows(!follows)}>Follow</button>
        <button type="button" aria-pressed=${isPaused.value} onClick=${() => (isPaused.value = !isPaused.value)}>${isPaused.value ? `Go on${waiting > 0 ? ` (${waiting})` : ""}` : "Pause"}</button>
      </div>
      <div class="call head" aria-hidden="true"><span>time</span><span>gap</span><span>agent</span><span>tool</span><span>what</span><span>decision</span><span>hook</span><span class="num">took</span></div>
      ${
        items.length === 0
          ? html`<${Nothing} />`
          : html`<${VirtualList} label="Calls, newest first" items=${items} rowHeight=${28} keyOf=${keyOf} row=${row} stateOf=${gapOf} selected=${selected}
            onSelect=${select} onOpen=${(call: Call) => call.session && go(`/session/${encodeURIComponent(call.session)}`)} follows=${follows && !isPaused.value} />`
      }
    </section>
    ${open !== undefined && html`<${Detail} id=${open.id} at=${open.at} onClose=${() => select(undefined)} />`}
  </div>`;
}

function Nothing(): VNode {
  if (isReading.value) return html`<p class="empty" role="status">Reading the journal…</p>`;
  if (calls.length > 0)
    return html`<p class="empty">No call fits these filters. <button type="button" onClick=${() => go("/timeline")}>Take them away</button></p>`;
  return html`<p class="empty">No call is recorded yet. <code>sluice install</code> connects your agents; or try <code>sluice fire "rm -rf /"</code> in a terminal: it runs nothing. <code>sluice doctor</code> says whether agents reach Sluice, and the <a href="/playground">playground</a> what would come of a call.</p>`;
}

const keyOf = (call: Call) => call.key;
/** The gap before a call is known when the call before it is. */
export const gapOf = (call: Call) => call.gap;

/** One call on one line. */
export const row = (call: Call): VNode => html`<div class=${`call is-${call.action}`}>
  <time>${timeText(call.at)}</time>
  <span class="dim">${call.gap !== undefined && call.gap >= 2000 ? `+${spanText(call.gap).split(" ").slice(0, 2).join(" ")}` : ""}</span>
  <span class="who">${call.parent !== undefined && html`<span class="sub" title="a sub-agent">↳</span>`}${call.agent ?? ""} <span class="dim">${[call.machine, call.session && sessionText(call.session)].filter(Boolean).join(" ")}</span></span>
  <span>${call.tool ?? call.event}</span>
  <span class="what" title=${plain(call.text)}>${call.tool !== undefined && call.event !== BEFORE && html`<span class="tag" title=${call.event}>${phaseText(call.event)}</span> `}${plain(call.text)}</span>
  <span><${Decision} action=${call.action} would=${call.would} />${call.kept && html` <span class="tag">kept</span>`}${call.failed && html` <span class="tag is-failed">broke</span>`}</span>
  <span class="what dim">${call.hooks?.join(", ") ?? ""}</span>
  <span class="num">${msText(call.ms)}</span>
</div>`;

/** The event of most calls; all others of a tool are marked. */
const BEFORE = "tool:pre_execute";

/** What an event of a tool tells beyond its name: `tool:post_execute` comes after it ran. */
function phaseText(event: string): string {
  const name = event.slice(event.indexOf(":") + 1);
  return name === "post_execute" ? "after" : name.replaceAll("_", " ");
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
  const sorted = useRef<{ readonly items: readonly Call[]; readonly lanes: LaneMap }>({ items: [], lanes: new Map() });
  const { items } = useSoon(now, now.came === undefined ? SOON_MS : ONE_MORE_MS);
  const toggle = useCallback((session: string) => setOpen((before) => toggled(before, session)), []);
  // The same lanes are handed over as they were: nothing of them is looked at again.
  return useMemo(() => {
    const { items: before, lanes } = sorted.current;
    const came = items.length - before.length;
    const isMore = came >= 0 && before.length > 0 && items[came] === before[0] && items.at(-1) === before.at(-1);
    sorted.current = { items, lanes: isMore ? withNewer(lanes, items.slice(0, came)) : lanesOf(items) };
    return drawnLanes(sorted.current.lanes, items, open, toggle);
  }, [items, open]);
}

function toggled(open: ReadonlySet<string>, session: string): ReadonlySet<string> {
  const now = new Set(open);
  if (!now.delete(session)) now.add(session);
  return now;
}

function drawnLanes(
  lanes: LaneMap,
  items: readonly Call[],
  open: ReadonlySet<string>,
  toggle: (session: string) => void,
): VNode {
  const { from, to } = spanOf(items, Date.now());
  const families = familiesOf(lanes);
  const most = families.slice(0, MOST_LANES);
  return html`<section class="lanes" aria-label="Sessions">
    <div class="lanes-head dim"><span>Sessions (${families.length})</span><span class="grow"></span><span>last ${spanText(to - from)}</span></div>
    <ul>${most.map(
      ({ lane, children }) => html`<li key=${`${lane.agent} ${lane.session}`}>
      <${LaneLine} lane=${lane} from=${from} to=${to} below=${children.length} isOpen=${open.has(lane.session)} toggle=${toggle} />
      ${open.has(lane.session) && html`<ul>${children.slice(0, MOST_LANES).map((child) => html`<li key=${`${child.agent} ${child.session}`}><${LaneLine} lane=${child} from=${from} to=${to} /></li>`)}</ul>`}
    </li>`,
    )}</ul>
    ${families.length > most.length && html`<p class="dim">and ${families.length - most.length} older sessions; filters find them</p>`}
  </section>`;
}

function LaneLine({ lane, from, to, below = 0, isOpen, toggle }: LaneProps): VNode {
  const { session, agent, calls: own, denied, asked } = lane;
  const isChosen = filters.value.session === session;
  const root = own[0]?.root;
  return html`<div class=${isChosen ? "lane chosen" : "lane"}>
    ${below > 0 ? html`<button type="button" class="fold" aria-expanded=${isOpen === true} aria-label=${`Sub-agents of ${sessionText(session)}`} onClick=${() => toggle?.(session)}>${isOpen ? "▾" : "▸"}${below}</button>` : html`<span class="fold"></span>`}
    <button type="button" class="lane-name" aria-pressed=${isChosen} title=${root === undefined ? "" : pathText(root)} onClick=${() => setFilter("session", isChosen ? "" : session)}>
      <b>${agent || "no agent"}</b> <span class="dim">${[session && sessionText(session), own[0]?.machine, root && nameText(root)].filter(Boolean).join(" ")}</span></button>
    <${LaneStrip} lane=${lane} from=${from} to=${to} />
    <span class="lane-counts">${denied > 0 && html`<span class="decision is-deny">${denied} denied</span>`}${asked > 0 && html` <span class="decision is-ask">${asked} asked</span>`}</span>
    <span class="num dim">${own.length}</span>
    ${session !== "" && html`<a href=${`/session/${encodeURIComponent(session)}`} aria-label=${`Open session ${sessionText(session)}`}>open</a>`}
  </div>`;
}

interface LaneProps {
  readonly lane: Lane;
  readonly from: number;
  readonly to: number;
  /** How many sub-agents lie below it, and whether they are shown. */
  readonly below?: number;
  readonly isOpen?: boolean;
  readonly toggle?: (session: string) => void;
}

const MOST_LANES = 30;
