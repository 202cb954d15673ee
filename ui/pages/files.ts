import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { LineAuthors, WrittenFile, WrittenFiles } from "../../src/ui-server/wire.ts";
import { address, go, withQuery } from "../address.ts";
import { get } from "../api.ts";
import { Decision } from "../decision.ts";
import { Facts } from "../detail.ts";
import { countText, plain, sessionText, timeText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { VirtualList } from "../virtual-list.ts";

/** Who wrote this line: the files that agents have changed, and behind each line the call that wrote it. */
export function FilesPage(): VNode {
  const [written, setWritten] = useState<WrittenFiles | Error | undefined>(undefined);
  const [authors, setAuthors] = useState<LineAuthors | Error | undefined>(undefined);
  const [text, setText] = useState("");
  const [show, setShow] = useState<keyof typeof SHOWS>("all");
  const query = new URLSearchParams(address.value.query);
  const file = query.get("file") ?? undefined;
  const line = Number(query.get("line")) || undefined;
  useEffect(() => {
    get<WrittenFiles>("/api/files").then(setWritten).catch(setWritten);
    pageKeys.value = [
      { keys: "/", does: "search for a file", act: () => document.getElementById("files-search")?.focus() },
    ];
  }, []);
  useEffect(() => {
    setAuthors(undefined);
    if (file !== undefined)
      get<LineAuthors>(`/api/authors?file=${encodeURIComponent(file)}`)
        .then(setAuthors)
        .catch(setAuthors);
  }, [file]);

  if (written === undefined) return html`<p class="waiting" role="status">Reading the trace of changes…</p>`;
  if (written instanceof Error) return html`<p class="empty bad" role="alert">${written.message}</p>`;
  const items = written.files.filter(
    (one) => SHOWS[show].holds(one) && one.path.toLowerCase().includes(text.toLowerCase()),
  );
  return html`<div class="files">
    <section class="files-list" aria-label="Files that agents have changed">
      <div class="bar"><h1>Files</h1><span class="grow"></span><span class="dim" role="status">${countText(items.length, "file")}</span></div>
      <div class="bar"><input id="files-search" type="search" placeholder="Search  /" aria-label="Search for a file" value=${text} onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} />
        <select aria-label="Which files" value=${show} onChange=${(event: Event) => setShow((event.target as HTMLSelectElement).value as keyof typeof SHOWS)}>${Object.entries(SHOWS).map(([name, { title, holds }]) => html`<option value=${name} selected=${name === show}>${title} (${written.files.filter(holds).length})</option>`)}</select></div>
      ${written.intents.length > 0 && html`<details class="bar"><summary>${countText(written.intents.length, "intent")} and what ${written.intents.length === 1 ? "it owns" : "they own"}</summary><ul class="effects">${written.intents.map((intent) => html`<li><b>${plain(intent.id)}</b> ${plain(intent.name)} <span class="tag">${intent.status}</span><br /><code>${intent.scope.map((pattern) => plain(pattern)).join("  ")}</code> <span class="dim">${countText(written.files.filter(({ owners }) => owners.includes(intent.id)).length, "changed file")}</span></li>`)}</ul></details>`}
      ${items.length === 0 ? html`<p class="empty">${written.why ?? "No file has such a name."}</p>` : html`<${VirtualList} label="Files, the last changed first" items=${items} rowHeight=${44} keyOf=${(one: WrittenFile) => one.path} row=${fileRow} selected=${file} onSelect=${(one: WrittenFile) => go(withQuery({ file: one.path, line: undefined }), { replace: true })} />`}
    </section>
    <section class="lines" aria-label="Lines">
      ${file === undefined ? html`<p class="empty">Choose a file to see who wrote each of its lines.</p>` : authors === undefined ? html`<p class="waiting" role="status">Looking…</p>` : authors instanceof Error ? html`<p class="empty bad" role="alert">${authors.message}</p>` : html`<${Lines} authors=${authors} line=${line} />`}
    </section>
  </div>`;
}

/** Which files the list shows. */
const SHOWS = {
  all: { title: "all", holds: () => true },
  unexplained: { title: "unexplained", holds: ({ unexplained }: WrittenFile) => unexplained !== undefined },
  free: { title: "without an intent", holds: ({ intents }: WrittenFile) => intents.length === 0 },
  outside: {
    title: "outside of the intent's scope",
    holds: ({ intents, owners }: WrittenFile) => intents.some((id) => !owners.includes(id)),
  },
} as const satisfies Record<string, { readonly title: string; readonly holds: (file: WrittenFile) => boolean }>;

const fileRow = (file: WrittenFile): VNode => {
  const facts = [timeText(file.last), countText(file.changes, "change"), file.agents.join(", ")].filter(Boolean);
  return html`<div class="file-row"><span class="what">${plain(file.path)}<br /><span class="dim">${facts.join(" · ")}</span></span>
  <span>${file.unexplained !== undefined && html`<span class="tag is-failed" title=${file.unexplained}>${file.changes === 0 ? "unexplained" : "changed since"}</span> `}${file.intents.map((id) => html`<span class=${file.owners.includes(id) ? "tag" : "tag is-failed"} title=${file.owners.includes(id) ? "in the scope of this intent" : "outside of the scope of this intent now"}>${id}</span>`)}</span></div>`;
};

interface NumberedLine {
  readonly number: number;
  readonly text: string;
  readonly by?: number;
  readonly isRewritten?: true;
}

function Lines({ authors, line }: { readonly authors: LineAuthors; readonly line: number | undefined }): VNode {
  const items: NumberedLine[] = authors.lines.map((one, index) => ({ number: index + 1, ...one }));
  const chosen = line === undefined ? undefined : items[line - 1];
  const change = chosen?.by === undefined ? undefined : authors.changes[chosen.by];
  const row = ({ number, text, by, isRewritten }: NumberedLine): VNode => {
    const one = by === undefined ? undefined : authors.changes[by];
    const isFirst = authors.lines[number - 2]?.by !== by;
    return html`<div class=${`line-row${by === undefined ? "" : ` shade-${by % 2}`}`}><span class="dim who">${isFirst && one ? `${isRewritten ? "? " : ""}${one.intent ?? "no intent"} · ${one.agent ?? "unknown"}` : ""}</span><span class="num dim">${number}</span><code>${plain(text, 2000)}</code></div>`;
  };
  return html`<h2 class="bar"><code>${plain(authors.path)}</code></h2>
    <${VirtualList} label=${`Lines of ${authors.path}`} items=${items} rowHeight=${20} keyOf=${(one: NumberedLine) => String(one.number)} row=${row} selected=${line === undefined ? undefined : String(line)} onSelect=${(one: NumberedLine) => go(withQuery({ line: String(one.number) }), { replace: true })} />
    ${chosen !== undefined && html`<div class="line-detail" role="status">${change === undefined ? html`<p>Line ${chosen.number}: no recorded call wrote it.</p>` : html`<${Facts} rows=${factsOf(change, chosen)} />`}</div>`}`;
}

function factsOf(
  change: LineAuthors["changes"][number],
  { number, isRewritten }: NumberedLine,
): (readonly [string, string | VNode])[] {
  return [
    ["line", `${number}${isRewritten ? ", changed since by something that was not recorded" : ""}`],
    ["intent", change.intent ?? "none"],
    ["when", timeText(change.at)],
    ["agent", `${change.agent ?? "unknown"}${change.tool ? `, with ${change.tool}` : ""}`],
    [
      "session",
      change.session
        ? html`<a href=${`/session/${encodeURIComponent(change.session)}`}>${sessionText(change.session)}</a>`
        : "unknown",
    ],
    ["decision", html`<${Decision} action=${change.action ?? "unknown"} /> ${plain(change.reasons.join("; "))}`],
    ["kind", change.kind],
  ];
}
