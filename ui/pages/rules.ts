import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { ActOutcome, RuleRow } from "../../src/ui-server/wire.ts";
import { address, go, withQuery } from "../address.ts";
import { get, hello, post } from "../api.ts";
import { countText, msText, pathsText, pathText, plain, spanText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { Picture } from "../policy-picture.ts";

type Order = "hook" | "lastFired" | "fired" | "p95" | "share";

/** Every hook that is in force here: what it does, how often, how fast, and what is wrong with it. */
export function RulesPage(): VNode {
  const [found, setFound] = useState<
    { readonly rules: readonly RuleRow[]; readonly problems: readonly string[] } | undefined
  >(undefined);
  const [days, setDays] = useState(30);
  const [order, setOrder] = useState<Order>("fired");
  const [isReversed, setIsReversed] = useState(false);
  const shown = (new URLSearchParams(address.value.query).get("show") ?? "all") as Show;
  const [withGuards, setWithGuards] = useState(true);
  const [text, setText] = useState(() => new URLSearchParams(address.value.query).get("hook") ?? "");
  const [told, setTold] = useState<{ readonly text: string; readonly isBad: boolean } | undefined>(undefined);
  const showNever = () => {
    const now = new URLSearchParams(address.value.query).get("show");
    go(withQuery({ show: now === "never" ? undefined : "never" }), { replace: true });
  };
  const showView = () => {
    const now = new URLSearchParams(address.value.query).get("view");
    go(withQuery({ view: now === "order" ? undefined : "order" }), { replace: true });
  };
  const load = () => get<{ rules: RuleRow[]; problems: string[] }>(`/api/rules?days=${days}`).then(setFound);
  useLayoutEffect(() => {
    void load().catch((error: Error) => setTold({ text: error.message, isBad: true }));
    pageKeys.value = [
      { keys: "/", does: "search", act: () => document.getElementById("rules-search")?.focus() },
      { keys: "n", does: "only what never fired, or all", act: showNever },
      { keys: "s", does: "choose which hooks are shown", act: () => document.getElementById("rules-show")?.focus() },
      { keys: "v", does: "the policy as a picture, or as a table", act: showView },
      { keys: "d", does: "choose the days", act: () => document.getElementById("rules-days")?.focus() },
    ];
  }, [days]);

  const change = async (rule: RuleRow, to: string) => {
    setTold({ text: "Answer the question in the terminal in which sluice ui runs…", isBad: false });
    try {
      const layer = rule.layer === "user" ? "user" : "project";
      const { told: lines, done } = await post<ActOutcome>("/api/rules/switch", { hook: rule.hook, to, layer });
      setTold({ text: lines.at(-1) ?? (done ? "Done." : "Nothing was changed."), isBad: false });
      await load();
    } catch (error) {
      const { message, fix } = error as Error & { fix?: string };
      setTold({ text: [message, fix].filter(Boolean).join(" "), isBad: true });
    }
  };

  if (found === undefined) return html`<p class="waiting" role="status">${told?.text ?? "Adding up the journal…"}</p>`;
  const isPicture = new URLSearchParams(address.value.query).get("view") === "order";
  const words = text.toLowerCase();
  const rows = found.rules
    .filter(
      (rule) =>
        (withGuards || rule.file !== undefined) &&
        (SHOWS[shown] ?? SHOWS.all).holds(rule) &&
        `${rule.hook} ${rule.event} ${rule.rules.map((one) => one.text).join(" ")}`.toLowerCase().includes(words),
    )
    .sort((one, other) => (isReversed ? -1 : 1) * ORDERS[order](one, other));
  const sortBy = (name: Order) => {
    setIsReversed(name === order && !isReversed);
    setOrder(name);
  };
  const isRising = (order === "hook") !== isReversed;
  const head = (name: Order, title: string, isNumber = true) =>
    html`<th scope="col" class=${isNumber ? "num" : ""} aria-sort=${order === name ? (isRising ? "ascending" : "descending") : undefined}><button type="button" class="quiet" onClick=${() => sortBy(name)}>${title}${order === name ? (isRising ? " ↑" : " ↓") : ""}</button></th>`;
  return html`<div class="page">
    <header class="page-head">
      <h1>Rules</h1>
      <span class="dim" role="status">${countText(rows.length, "hook")}, ${rows.filter(({ fired }) => fired === 0).length} never fired</span>
      <button type="button" aria-pressed=${isPicture} onClick=${showView}>Picture</button>
      <span class="grow"></span>
      ${
        !isPicture &&
        html`<input id="rules-search" type="search" placeholder="Search  /" aria-label="Search in rules" value=${text} onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
      <label>show <select id="rules-show" value=${shown} onChange=${(event: Event) => go(withQuery({ show: (event.target as HTMLSelectElement).value }), { replace: true })}>${Object.entries(SHOWS).map(([name, { title, holds }]) => html`<option value=${name} selected=${name === shown}>${title} (${found.rules.filter(holds).length})</option>`)}</select></label>
      <label><input type="checkbox" checked=${withGuards} onChange=${() => setWithGuards(!withGuards)} /> with guards</label>`
      }
      <label>over <select id="rules-days" value=${String(days)} onChange=${(event: Event) => setDays(Number((event.target as HTMLSelectElement).value))}>${[1, 7, 30, 90].map((value) => html`<option value=${value} selected=${value === days}>${countText(value, "day")}</option>`)}</select></label>
    </header>
    ${hello.value?.confirms !== true && html`<p class="note pad">Changes are confirmed in the terminal of <code>sluice ui</code>, and that is not possible now: ${String(hello.value?.confirms)}.</p>`}
    ${told !== undefined && html`<p role="status" class=${told.isBad ? "bad pad" : "note pad"}>${plain(told.text)}</p>`}
    ${found.problems.map((problem) => html`<pre class="said pad">${plain(pathsText(problem))}</pre>`)}
    ${isPicture ? html`<${Picture} days=${days} />` : ""}
    <div class="scroll" hidden=${isPicture} tabindex="0" role="group" aria-label="Table of hooks"><table class="table rules-table"><thead><tr>
      ${head("hook", "hook", false)}<th scope="col">where</th>${head("lastFired", "last fired")}${head("fired", "fired")}<th scope="col" class="num">ran</th><th scope="col" class="num">p50</th>${head("p95", "p95")}${head("share", "time")}<th scope="col">state</th></tr></thead>
    <tbody>${rows.map((rule) => html`<${Row} key=${`${rule.layer} ${rule.file} ${rule.hook}`} rule=${rule} days=${days} change=${change} />`)}</tbody></table></div>
    ${rows.length === 0 && html`<p class="empty">${found.rules.length > 0 ? "No hook fits what is chosen above." : html`No hook is in force here yet. <code>sluice init</code> in a terminal writes a first configuration with guards; the <a href="/editor">editor</a> begins with a template.`}</p>`}
  </div>`;
}

type Show = keyof typeof SHOWS;

/** What the table can be narrowed to. */
const SHOWS = {
  all: { title: "all hooks", holds: () => true },
  never: { title: "never fired", holds: ({ fired }: RuleRow) => fired === 0 },
  shadowed: { title: "shadowed", holds: ({ shadowed }: RuleRow) => shadowed.length > 0 },
  together: { title: "always together", holds: ({ always }: RuleRow) => always !== undefined },
  broke: { title: "broke", holds: ({ broke }: RuleRow) => broke > 0 },
  off: { title: "switched off", holds: ({ off }: RuleRow) => off !== undefined },
  watches: { title: "only watches", holds: ({ mode }: RuleRow) => mode === "monitor" },
} as const satisfies Record<string, { readonly title: string; readonly holds: (rule: RuleRow) => boolean }>;

const ORDERS: Readonly<Record<Order, (one: RuleRow, other: RuleRow) => number>> = {
  hook: (one, other) => one.hook.localeCompare(other.hook),
  lastFired: (one, other) => (other.lastFired ?? 0) - (one.lastFired ?? 0),
  fired: (one, other) => other.letPass - one.letPass || other.fired - one.fired || other.ran - one.ran,
  p95: (one, other) => other.p95 - one.p95,
  share: (one, other) => other.share - one.share,
};

function Row({
  rule,
  days,
  change,
}: {
  readonly rule: RuleRow;
  readonly days: number;
  readonly change: (rule: RuleRow, to: string) => void;
}): VNode {
  const place =
    rule.file === undefined ? "built in" : `${pathText(rule.file)}${rule.line === undefined ? "" : `:${rule.line}`}`;
  const counts = [
    rule.denied && `${rule.denied} denied`,
    rule.asked && `${rule.asked} asked`,
    rule.would && `${rule.would} would deny or ask`,
  ]
    .filter(Boolean)
    .join(", ");
  return html`<tr class=${rule.letPass > 0 ? "alarm" : ""}>
    <th scope="row">${rule.hook} <span class="dim">${rule.event}</span>
      ${rule.rules.length > 0 && html`<details><summary>${countText(rule.rules.length, "rule")}</summary>${rule.rules.map(({ text, fired, last }) => html`<pre>${plain(text)} <span class="dim">${fired === undefined ? "fired: the journal does not tell which rule it was" : fired === 0 ? `not in ${days} days` : `fired ${countText(fired, "time")}${last === undefined ? "" : `, last ${spanText(Date.now() - last)} ago`}`}</span></pre>`)}</details>`}
      ${rule.letPass > 0 && html`<p class="bad">broke ${countText(rule.letPass, "time")} and let the call pass; <code>on_error: deny</code> blocks it instead</p>`}
      ${rule.broke > rule.letPass && html`<p class="note">broke ${countText(rule.broke - rule.letPass, "time")}</p>`}
      ${rule.shadowed.map((why) => html`<p class="note">${plain(why)}</p>`)}
      ${rule.always !== undefined && html`<p class="dim">always together with ${rule.always}</p>`}</th>
    <td><span class="tag">${rule.layer}</span><br /> <span class="dim">${place}</span></td>
    <td class="num" data-name="last fired">${rule.lastFired === undefined ? html`<span class="dim">not in ${days} days</span>` : `${spanText(Date.now() - rule.lastFired)} ago`}</td>
    <td class="num" data-name="fired">${rule.fired}<br /> <span class="dim">${counts}</span></td>
    <td class="num" data-name="ran">${rule.ran}</td>
    <td class="num" data-name="p50">${rule.ran === 0 ? "–" : msText(rule.p50)}</td>
    <td class=${rule.p95 > 500 ? "num bad" : "num"} data-name="p95">${rule.ran === 0 ? "–" : msText(rule.p95)}</td>
    <td class="num" data-name="time">${(rule.share * 100).toFixed(1)} %</td>
    <td>${rule.off !== undefined ? html`<span class="decision">${rule.off}</span>` : rule.mode === "monitor" ? html`<span class="decision is-ask">only watches</span>` : html`<span class="decision is-continue">decides</span>`}
      ${
        rule.isWritable &&
        html`<div class="acts">
        <button type="button" onClick=${() => change(rule, rule.enabled ? "off" : "on")}>${rule.enabled ? "Turn off…" : "Turn on…"}<span class="hidden"> ${rule.hook}</span></button>
        <button type="button" onClick=${() => change(rule, rule.mode === "monitor" ? "enforce" : "monitor")}>${rule.mode === "monitor" ? "Let decide…" : "Only watch…"}<span class="hidden"> ${rule.hook}</span></button></div>`
      }</td></tr>`;
}
