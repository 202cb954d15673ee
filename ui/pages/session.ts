import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CallDetail } from "../../src/ui-server/wire.ts";
import { address, go, withQuery } from "../address.ts";
import { exported, get } from "../api.ts";
import { allCalls, type Call, type CallList } from "../calls.ts";
import { Decision } from "../decision.ts";
import { Detail, editsIn, Facts } from "../detail.ts";
import { Diff } from "../diff.ts";
import { searched } from "../filters.ts";
import { countText, pathText, plain, sessionText, spanText, timeText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { saveText } from "../save-file.ts";
import { type ChangedFile, figuresOf, type SessionFigures, type Turn, turnsOf } from "../session-story.ts";
import { rowHeight, VirtualList } from "../virtual-list.ts";
import { row, stateOf } from "./timeline.ts";

/** One session: as a story of prompts and what came of them, as a list of calls, or beside another session. */
export function SessionPage(): VNode {
  const session = decodeURIComponent(address.value.path.split("/")[2] ?? "");
  const query = new URLSearchParams(address.value.query);
  const other = query.get("with") ?? undefined;
  const isList = query.get("view") === "calls" || query.has("call");
  const [withSubs, setWithSubs] = useState(true);
  const list = useAll(session);
  const version = list.changes.value;
  const all = useMemo(() => callsOf(list, session), [list, version]);
  const items = withSubs ? all : all.filter(({ above }) => above === undefined);
  const subs = new Set(all.flatMap(({ above, thread }) => (above === undefined ? [] : [thread])));
  const selected = query.get("call") ?? items[0]?.key;
  const select = (call: Call) => go(withQuery({ call: call.key }), { replace: true });
  const open = items.find(({ key }) => key === selected);
  const jump = (step: 1 | -1) => {
    const at = items.findIndex(({ key }) => key === selected);
    const found = (step === 1 ? items.slice(at + 1) : items.slice(0, Math.max(0, at)).reverse()).find(
      ({ action, tool }) => action !== "continue" && tool !== undefined,
    );
    if (found !== undefined) select(found);
  };
  const view = (name: string | undefined) =>
    go(withQuery({ view: name, call: undefined, with: undefined }), { replace: true });

  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "n", does: "next call that did not just continue", act: () => jump(1) },
      { keys: "N", does: "the one before", act: () => jump(-1) },
      { keys: "s", does: "the story", act: () => view(undefined) },
      { keys: "l", does: "the list of calls", act: () => view("calls") },
      { keys: "j", does: "next call", act: () => document.querySelector<HTMLElement>(".virtual")?.focus() },
    ];
  });

  if (session === "")
    return html`<p class="empty">No session is named. <a href="/timeline">The timeline</a> lists them.</p>`;
  if (items.length === 0)
    return html`<h1 class="hidden">Session</h1><p class="empty" role="status">${list.isReading.value ? "Reading the journal…" : "No call of this session is in the journal."} <a href="/timeline">The timeline</a> lists the sessions that are.</p>`;
  const isStory = !isList && other === undefined;
  return html`<div class=${isList && open !== undefined ? "session has-detail" : "session is-story"}>
    <header class="page-head">
      <h1>Session <code>${plain(session, 80)}</code></h1>
      <${Facts} rows=${facts(items)} />
      <div class="bar">
        <button type="button" aria-pressed=${isStory} onClick=${() => view(undefined)}>Story</button>
        <button type="button" aria-pressed=${isList} onClick=${() => view("calls")}>Calls</button>
        ${isList && html`<button type="button" onClick=${() => jump(-1)}>Previous denial or question</button><button type="button" onClick=${() => jump(1)}>Next denial or question</button>`}
        ${subs.size > 0 && html`<button type="button" aria-pressed=${withSubs} onClick=${() => setWithSubs(!withSubs)}>With ${countText(subs.size, "sub-agent")}</button>`}
        ${items[0]?.parent !== undefined && items[0].session === session && items[0].parent !== session && html`<a href=${`/session/${encodeURIComponent(items[0].parent)}`}>The session that started it</a>`}
        <${CompareWith} session=${session} other=${other} />
        ${exported === undefined && html`<${Share} session=${session} />`}
      </div>
    </header>
    ${
      other !== undefined
        ? html`<${Compared} session=${session} other=${other} />`
        : isList
          ? html`<section class="calls" aria-label="Calls of the session">
      <${VirtualList} label="Calls, oldest first" items=${items} rowHeight=${rowHeight.value} keyOf=${(call: Call) => call.key} row=${row} stateOf=${stateOf} selected=${selected} onSelect=${select} />
    </section>${open !== undefined && html`<${Detail} id=${open.id} at=${open.at} phases=${open.phases} />`}`
          : html`<${Story} items=${items} />`
    }
  </div>`;
}

/** All calls of a session, read page by page. */
function useAll(session: string): CallList {
  const list = searched({ session });
  const isReading = list.isReading.value;
  useEffect(() => {
    if (!isReading && list.hasOlder && list !== allCalls && list.calls.length < MAX_LISTED) void list.readOlder();
  }, [list, isReading]);
  return list;
}

/** The calls of a session and of its sub-agents, oldest first. */
function callsOf({ calls }: CallList, session: string): Call[] {
  return calls.filter((call) => call.session === session || call.parent === session).reverse();
}

function facts(items: readonly Call[]): (readonly [string, string])[] {
  const [first] = items;
  if (first === undefined) return [];
  const figures = figuresOf(items);
  const rows: (readonly [string, string])[] = [
    ["agent", first.agent ?? ""],
    ["project", first.root === undefined ? "" : pathText(first.root)],
    ["began", `${timeText(first.at)}, lasted ${spanText(figures.ms)}`],
    ["calls", `${figures.calls}: ${figures.denied} denied, ${figures.asked} asked, ${figures.modified} modified`],
    ["cost", costText(figures)],
  ];
  return rows.filter(([, value]) => value !== "");
}

/** What the agent reports; nothing is estimated. */
function costText({ cost, tokens }: SessionFigures): string {
  return [
    ...(cost === undefined ? [] : [`$${cost.toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString("en")} tokens`]),
  ].join(", ");
}

function Story({ items }: { readonly items: readonly Call[] }): VNode {
  const turns = useMemo(() => turnsOf(items), [items]);
  const [follows, setFollows] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (follows) end.current?.scrollIntoView({ block: "end" });
  }, [items.length, follows]);
  return html`<div class="story" tabindex="0" role="group" aria-label="Story of the session">
    ${turns.map((turn) => html`<${OneTurn} key=${turn.key} turn=${turn} />`)}
    <div ref=${end} class="bar"><button type="button" aria-pressed=${follows} onClick=${() => setFollows(!follows)}>Follow what comes</button></div>
  </div>`;
}

function OneTurn({ turn }: { readonly turn: Turn }): VNode {
  const { prompt, at, calls: own, objections, files, intents } = turn;
  const tooled = own.filter(({ tool }) => tool !== undefined);
  const answer = own.findLast(({ event }) => event === "session:stop");
  const last = own.at(-1)?.at ?? at;
  return html`<article class="turn">
    <h2><time>${timeText(at)}</time> ${prompt === undefined ? html`<span class="dim">Before the first prompt</span>` : html`<span class="prompt">${plain(prompt.text)}</span>`}</h2>
    ${tooled.length === 0 && own.some(({ event }) => event === "session:start") && html`<p>${plain(own.find(({ event }) => event === "session:start")?.text ?? "")}</p>`}
    <p class="dim">${countText(tooled.length, "call")}${last > at ? ` in ${spanText(last - at)}` : ""}${intents.length > 0 ? `, for ${intents.map((id) => plain(id, 80)).join(", ")}` : ""}</p>
    ${objections.map(
      ({ call, instead }) => html`<div class=${`objection is-${call.action}`}>
      <p><${Decision} action=${call.action} /> <a href=${addressOf(call)}><code>${plain(call.text)}</code></a> <span class="dim">${plain(call.hooks?.join(", ") ?? "", 160)}</span></p>
      <p class="dim">${instead === undefined ? "Nothing came after it." : html`Then: ${plain(instead.tool ?? "", 60)} <a href=${addressOf(instead)}><code>${plain(instead.text)}</code></a> <${Decision} action=${instead.action} />`}</p></div>`,
    )}
    ${files.length > 0 && html`<section class="turn-files"><h3>${countText(files.length, "file")} changed</h3>${files.map((file) => html`<${FileOfTurn} key=${file.path} file=${file} />`)}</section>`}
    ${tooled.length > 0 && html`<details><summary>${countText(tooled.length, "call")}</summary><ul>${tooled.slice(0, MAX_CALLS).map((call) => html`<li><time>${timeText(call.at)}</time> ${plain(call.tool ?? "", 60)} <a href=${addressOf(call)}><code>${plain(call.text)}</code></a> <${Decision} action=${call.action} would=${call.would} /></li>`)}</ul>${tooled.length > MAX_CALLS && html`<p class="dim">and ${tooled.length - MAX_CALLS} more in the list of calls</p>`}</details>`}
    ${answer !== undefined && html`<p class="answer">${plain(answer.text)}</p>`}
  </article>`;
}

function addressOf(call: Call): string {
  return `/session/${encodeURIComponent(call.session ?? "")}?call=${encodeURIComponent(call.key)}`;
}

/** A file, and what its edits replaced; read when it is opened. */
function FileOfTurn({ file }: { readonly file: ChangedFile }): VNode {
  const [details, setDetails] = useState<readonly CallDetail[] | Error | undefined>(undefined);
  const load = (event: Event) => {
    if (!(event.currentTarget as HTMLDetailsElement).open || details !== undefined) return;
    const found = file.calls
      .slice(0, MAX_EDITS)
      .map(({ id, at }) => get<CallDetail>(`/api/call?id=${encodeURIComponent(id)}&at=${at}`));
    Promise.all(found).then(setDetails).catch(setDetails);
  };
  return html`<details onToggle=${load}><summary><code>${plain(file.path)}</code> ${countText(file.calls.length, "change")}</summary>
    ${details === undefined ? html`<p class="dim">Reading…</p>` : details instanceof Error ? html`<p class="bad">${plain(details.message)}</p>` : details.map((detail) => html`<${Edits} detail=${detail} />`)}</details>`;
}

function Edits({ detail }: { readonly detail: CallDetail }): VNode {
  const edits = editsIn(detail.input);
  const { content } = Object(detail.input) as { readonly content?: unknown };
  const all = edits.length > 0 ? edits : typeof content === "string" ? [["", content] as const] : [];
  if (all.length === 0) return html`<p class="dim">What it wrote is not in the record.</p>`;
  return html`${all.map(([before, after]) => html`<${Diff} before=${before} after=${after} label=${`Change of ${timeText(detail.at)}`} />`)}`;
}

function CompareWith({ session, other }: { readonly session: string; readonly other: string | undefined }): VNode {
  const version = allCalls.changes.value;
  const sessions = useMemo(() => {
    const found = new Map<string, Call>();
    for (const call of allCalls.calls)
      if (
        call.session !== undefined &&
        call.session !== session &&
        call.above === undefined &&
        !found.has(call.session)
      )
        found.set(call.session, call);
    return [...found].slice(0, MAX_SESSIONS);
  }, [version, session]);
  return html`<select aria-label="Compare with another session" onFocus=${() => void readSome()} value=${other ?? ""} onChange=${(event: Event) => go(withQuery({ with: (event.target as HTMLSelectElement).value, call: undefined, view: undefined }), { replace: true })}>
    <option value="">compare with…</option>${sessions.map(([id, call]) => html`<option value=${id} selected=${id === other}>${plain(`${call.agent ?? ""} ${sessionText(id)}, ${timeText(call.at)}`, 80)}</option>`)}</select>`;
}

/** Reads so many calls that sessions of some days can be chosen. */
async function readSome(): Promise<void> {
  while (allCalls.hasOlder && allCalls.calls.length < MAX_CHOSEN_FROM) await allCalls.readOlder();
}

/** Two sessions beside each other: their figures, their tools, and the files that each changed. */
function Compared({ session, other }: { readonly session: string; readonly other: string }): VNode {
  const lists = [useAll(session), useAll(other)];
  const sides = [session, other].map((id, at) => ({ id, figures: figuresOf(callsOf(lists[at] ?? allCalls, id)) }));
  const names = [...new Set(sides.flatMap(({ figures }) => [...figures.tools.keys()]))].sort();
  const paths = [...new Set(sides.flatMap(({ figures }) => figures.files))].sort();
  const line = (title: string, value: (figures: SessionFigures) => string | number) =>
    html`<tr><th scope="row">${title}</th>${sides.map(({ figures }) => html`<td class="num">${value(figures)}</td>`)}</tr>`;
  return html`<div class="scroll compared" tabindex="0" role="group" aria-label="Comparison of two sessions"><table class="table">
    <thead><tr><th scope="col">session</th>${sides.map(({ id }) => html`<th scope="col" class="num"><a href=${`/session/${encodeURIComponent(id)}`}>${plain(sessionText(id), 40)}</a></th>`)}</tr></thead>
    <tbody>${line("lasted", ({ ms }) => spanText(ms))}${line("calls", ({ calls: count }) => count)}${line("denied", ({ denied }) => denied)}${line("asked", ({ asked }) => asked)}${line("modified", ({ modified }) => modified)}${line("cost", (figures) => costText(figures) || "not reported")}
    ${names.map((name) => line(`calls of ${plain(name, 60)}`, ({ tools }) => tools.get(name) ?? 0))}
    ${paths.map((path) => line(`changed ${plain(path, 120)}`, ({ files }) => (files.includes(path) ? "yes" : "no")))}</tbody></table></div>`;
}

/** The session as one file, with or without what was passed to tools. */
function Share({ session }: { readonly session: string }): VNode {
  const [withoutArguments, setWithout] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const save = () =>
    get<{ html: string }>(
      `/api/session/page?session=${encodeURIComponent(session)}${withoutArguments ? "&redact=1" : ""}`,
    )
      .then((page) =>
        saveText(page.html, `sluice-session-${session.replaceAll(/[^\w-]/g, "").slice(0, 12)}.html`, "text/html"),
      )
      .catch((error: Error) => setProblem(error.message));
  return html`<label><input type="checkbox" checked=${withoutArguments} onChange=${() => setWithout(!withoutArguments)} /> without arguments</label>
    <button type="button" onClick=${save}>Save as a page</button>
    ${problem !== undefined && html`<span role="alert" class="bad">${plain(problem)}</span>`}`;
}

const MAX_CALLS = 200;
const MAX_EDITS = 20;
const MAX_SESSIONS = 60;
const MAX_LISTED = 20_000;
const MAX_CHOSEN_FROM = 10_000;
