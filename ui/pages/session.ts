import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { address, go, withQuery } from "../address.ts";
import { type Call, calls, changes, isReading } from "../calls.ts";
import { Detail, Facts } from "../detail.ts";
import { countText, pathText, spanText, timeText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { VirtualList } from "../virtual-list.ts";
import { gapOf, row } from "./timeline.ts";

/** One session from its first call to its last, each opening to what is known about it. */
export function SessionPage(): VNode {
  const session = decodeURIComponent(address.value.path.split("/")[2] ?? "");
  const [withSubs, setWithSubs] = useState(true);
  const version = changes.value;
  const all = useMemo(
    () => calls.filter((call) => call.session === session || call.parent === session).reverse(),
    [version, session],
  );
  const items = withSubs ? all : all.filter((call) => call.session === session);
  const subs = new Set(
    all.flatMap((call) => (call.session !== session && call.session !== undefined ? [call.session] : [])),
  );
  const selected = new URLSearchParams(address.value.query).get("call") ?? items[0]?.key;
  const select = (call: Call) => go(withQuery({ call: call.key }), { replace: true });
  const open = items.find(({ key }) => key === selected);
  const jump = (step: 1 | -1) => {
    const at = items.findIndex(({ key }) => key === selected);
    const found = (step === 1 ? items.slice(at + 1) : items.slice(0, Math.max(0, at)).reverse()).find(
      ({ action }) => action !== "continue",
    );
    if (found !== undefined) select(found);
  };

  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "n", does: "next call that did not just continue", act: () => jump(1) },
      { keys: "N", does: "the one before", act: () => jump(-1) },
      { keys: "j", does: "next call", act: () => document.querySelector<HTMLElement>(".virtual")?.focus() },
      { keys: "u", does: "back to the timeline", act: () => go("/timeline") },
    ];
  });

  if (session === "")
    return html`<p class="empty">No session is named. <a href="/timeline">The timeline</a> lists them.</p>`;
  if (items.length === 0)
    return html`<p class="empty" role="status">${isReading.value ? "Reading the journal…" : "No call of this session is in the journal."} <a href="/timeline">The timeline</a> lists the sessions that are.</p>`;
  return html`<div class=${open === undefined ? "session" : "session has-detail"}>
    <header class="page-head">
      <h1>Session <code>${session}</code></h1>
      <${Facts} rows=${facts(items)} />
      <div class="bar">
        <button type="button" onClick=${() => jump(-1)}>Previous denial or question</button>
        <button type="button" onClick=${() => jump(1)}>Next denial or question</button>
        ${subs.size > 0 && html`<button type="button" aria-pressed=${withSubs} onClick=${() => setWithSubs(!withSubs)}>With ${countText(subs.size, "sub-agent")}</button>`}
        ${items[0]?.parent !== undefined && items[0].session === session && html`<a href=${`/session/${encodeURIComponent(items[0].parent)}`}>The session that started it</a>`}
      </div>
    </header>
    <section class="calls" aria-label="Calls of the session">
      <${VirtualList} label="Calls, oldest first" items=${items} rowHeight=${28} keyOf=${(call: Call) => call.key} row=${row} stateOf=${gapOf} selected=${selected} onSelect=${select} />
    </section>
    ${open !== undefined && html`<${Detail} id=${open.id} at=${open.at} />`}
  </div>`;
}

function facts(items: readonly Call[]): (readonly [string, string])[] {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = (action: string) => items.reduce((sum, call) => sum + Number(call.action === action), 0);
  const rows: (readonly [string, string])[] = [
    ["agent", first.agent ?? ""],
    ["project", first.root === undefined ? "" : pathText(first.root)],
    ["began", `${timeText(first.at)}, lasted ${spanText(last.at - first.at)}`],
    ["calls", `${items.length}: ${count("deny")} denied, ${count("ask")} asked, ${count("modify")} modified`],
  ];
  return rows.filter(([, value]) => value !== "");
}
