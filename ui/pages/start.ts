import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { KeptForUndo, Summary } from "../../src/ui-server/wire-summary.ts";
import { go } from "../address.ts";
import { get, hello } from "../api.ts";
import { allCalls, type Call } from "../calls.ts";
import { Decision } from "../decision.ts";
import { searched } from "../filters.ts";
import { bytesText, countText, pathsText, pathText, plain, sessionText, timeText } from "../format.ts";
import { HeldPanel } from "../held-panel.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { NoCalls } from "../no-calls.ts";
import { RequestCard, useRequests } from "../requests.ts";
import { UndoPanel } from "../undo-panel.ts";

/** What waits for the person, each with its next step. */
export function StartPage(): VNode {
  const [summary, setSummary] = useState<Summary | Error | undefined>(undefined);
  const { list: asked, message, answer } = useRequests();
  const [decided, setDecided] = useState("");
  const [visit] = useState(lastVisit);
  const list = searched({ action: "deny", from: String(visit) });
  const version = list.changes.value;
  const load = () => get<Summary>("/api/summary").then(setSummary).catch(setSummary);
  useEffect(() => {
    void load();
    const timer = setInterval(load, REFRESH_MS);
    // What is on the screen now is not new at the next visit.
    const left = () => localStorage.setItem(VISIT, JSON.stringify({ since: visit, left: Date.now() }));
    addEventListener("pagehide", left);
    return () => {
      clearInterval(timer);
      removeEventListener("pagehide", left);
      left();
    };
  }, []);
  const denied = list.calls.filter(({ action, at }) => action === "deny" && at >= visit).slice(0, MAX_DENIED);
  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "n", does: "the latest denial", act: () => denied[0] && go(addressOf(denied[0])) },
      { keys: "r", does: "the requests", act: () => go("/requests") },
    ];
  }, [version]);
  if (summary === undefined) return html`<p class="waiting" role="status">Looking at what waits for you…</p>`;
  if (summary instanceof Error) return html`<p class="empty bad" role="alert">${summary.message}</p>`;
  const requests = asked?.pending ?? [];
  const onDecided = (text: string) => {
    setDecided(text);
    void load();
  };
  const { held, broke, never, problems, agents, kept } = summary;
  const sections = [requests, held, denied, broke, problems, agents].filter((list) => list.length > 0).length;
  return html`<div class="page start">
    <header class="page-head"><h1>What waits for you</h1><span class="dim">${pathText(hello.value?.root ?? "")}</span></header>
    ${sections === 0 && html`<p class="good pad" role="status">${list.isReading.value ? "Reading the journal…" : "Nothing waits: no request, no new denial, no broken hook."}</p>`}
    ${!list.isReading.value && allCalls.calls.length === 0 && !allCalls.isReading.value && html`<${NoCalls} />`}
    <div class="cards">
      ${message}
      ${decided !== "" && html`<p role="status" class="good pad">${plain(decided)}</p>`}
      <${Card} title="Requests that wait for an answer" count=${requests.length} tone="ask" more=${["/requests", "All requests"]}>
        ${requests.slice(0, MAX_SHOWN).map((request) => html`<${RequestCard} key=${request.id} request=${request} asks=${asked ?? NO_PROOF} answer=${answer} />`)}
      </${Card}>
      <${Card} title="Changes of contained calls that are held" count=${held.length} tone="ask">
        <ul>${held.slice(0, MAX_SHOWN).map((one) => html`<${Held} key=${one.id} held=${one} onDecided=${onDecided} />`)}</ul>
      </${Card}>
      <${Card} title=${`Denials since ${timeText(visit)}`} count=${denied.length} tone="deny" more=${["/review", "Review them"]}>
        <ul>${denied.slice(0, MAX_SHOWN).map((call) => html`<li><a class="card-line" href=${addressOf(call)}><time>${timeText(call.at)}</time> <${Decision} action=${call.action} /> <code class="call-text">${plain(call.text, 160)}</code> <span class="dim">${plain([call.agent, call.session && sessionText(call.session), call.hooks?.join(", ")].filter(Boolean).join(" · "), 160)}</span></a></li>`)}</ul>
      </${Card}>
      <${Card} title="Hooks that broke this week" count=${broke.length} tone="deny" more=${["/rules?show=broke", "Show them"]}>
        <ul>${broke.slice(0, MAX_SHOWN).map((one) => html`<li><a class="card-line" href=${`/rules?hook=${encodeURIComponent(one.hook)}`}><b>${plain(one.hook, 80)}</b> <span class=${one.letPass > 0 ? "bad" : "note"}>${plain(one.why, 80)}, ${one.letPass > 0 ? `${countText(one.letPass, "call")} passed without it; on_error: deny blocks them` : `last ${timeText(one.at)}`}</span></a></li>`)}</ul>
      </${Card}>
      <${Card} title="Errors of the configuration" count=${problems.length} tone="deny" more=${["/editor", "Open the editor"]}>
        <ul>${problems.slice(0, MAX_SHOWN).map((problem) => html`<li class="pre problem">${plain(pathsText(problem), 600)}</li>`)}</ul>
      </${Card}>
      <${Card} title="Agents that are installed and not seen working yet" count=${agents.length} tone="ask">
        <ul>${agents.map(({ id, title }) => html`<li>Start <b>${title}</b>, let it run <code>ls</code>, and look here again. <code>sluice doctor</code> tests its settings; <code>sluice log --agent ${id}</code> shows its calls.</li>`)}</ul>
      </${Card}>
      <${Card} title="Hooks that never fired in 30 days" count=${never.length} tone="" more=${["/rules?show=never", "Show them"]}>
        <p class="dim">${never
          .slice(0, 12)
          .map((name) => plain(name, 60))
          .join(
            ", ",
          )}${never.length > 12 ? ` and ${never.length - 12} more` : ""}. Try one in the <a href="/playground">playground</a>, or turn it off.</p>
      </${Card}>
      <${Card} title="Kept before it was destroyed" count=${kept.length} tone="">
        <ul>${kept.map((one) => html`<${Kept} key=${one.id} kept=${one} />`)}</ul>
      </${Card}>
    </div>
  </div>`;
}

interface CardProps {
  readonly title: string;
  readonly count: number;
  readonly tone: "deny" | "ask" | "";
  /** Where all of it is, and what the link is called. */
  readonly more?: readonly [string, string];
  readonly children?: unknown;
}

/** One kind of thing that waits; nothing of it is shown if there is none. */
function Card({ title, count, tone, more, children }: CardProps): VNode | null {
  if (count === 0) return null;
  return html`<section class=${`card ${tone === "" ? "" : `is-${tone}`}`} aria-label=${title}>
    <h2>${title} <span class="count">${count}</span>${more !== undefined && html` <a href=${more[0]}>${more[1]}</a>`}</h2>${children}</section>`;
}

interface HeldProps {
  readonly held: Summary["held"][number];
  readonly onDecided: (text: string) => void;
}

/** A contained call whose changes wait for the person. */
function Held({ held: { id, at, command, changes }, onDecided }: HeldProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const named = (changes ?? []).slice(0, 4).map(({ path, change }) => plain(`${change} ${path}`, 80));
  const what = changes === undefined ? "interrupted" : countText(changes.length, "change");
  return html`<li><div class="card-line"><time>${timeText(at)}</time> <code>${plain(command, 160)}</code> <span class="dim">${[what, named.join(", ")].filter(Boolean).join(": ")}</span>${" "}
    <button type="button" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Keep or drop…<span class="hidden"> ${plain(command, 80)}</span></button></div>
    ${isOpen && html`<${HeldPanel} id=${id} onDecided=${onDecided} />`}</li>`;
}

/** What one call was about to destroy, and the way back. */
function Kept({ kept: { id, at, text, files, bytes } }: { readonly kept: KeptForUndo }): VNode {
  const [isOpen, setOpen] = useState(false);
  const names = files
    .slice(0, 3)
    .map(({ path }) => plain(path, 80))
    .join(", ");
  return html`<li><div class="card-line"><time>${timeText(at)}</time> <code>${plain(text, 120)}</code> <span class="dim">${names}${files.length > 3 ? ` and ${files.length - 3} more` : ""}, ${bytesText(bytes)}</span>${" "}
    <button type="button" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Undo…<span class="hidden"> ${plain(text, 80)}</span></button></div>
    ${isOpen && html`<${UndoPanel} id=${id} />`}</li>`;
}

function addressOf(call: Call): string {
  return `/timeline?call=${encodeURIComponent(call.key)}`;
}

/** From when on denials are new: since the last visit, which has ended when the page was left for a while; else the last day. */
function lastVisit(): number {
  const day = Date.now() - DAY_MS;
  try {
    const { since, left } = JSON.parse(localStorage.getItem(VISIT) ?? "{}") as { since?: number; left?: number };
    return Number(Date.now() - (left ?? 0) < PAUSE_MS ? since : left) || day;
  } catch {
    return day;
  }
}

const PAUSE_MS = 30 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const VISIT = "sluice-visit";
const REFRESH_MS = 5000;
const MAX_SHOWN = 6;
const MAX_DENIED = 200;
const NO_PROOF = { pin: false, passkey: false };
