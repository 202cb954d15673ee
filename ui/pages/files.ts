import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { LineAuthors, WrittenFile, WrittenFiles } from "../../src/ui-server/wire.ts";
import { address, go, withQuery } from "../address.ts";
import { get, hello } from "../api.ts";
import { Decision } from "../decision.ts";
import { Facts } from "../detail.ts";
import { type FileFilter, fileTree, type TreeNode, treeRows } from "../file-tree.ts";
import { searched } from "../filters.ts";
import { countText, pathsText, plain, sessionText, timeText } from "../format.ts";
import { html } from "../html.ts";
import { Board } from "../intents-board.ts";
import { pageKeys } from "../keys.ts";
import { rowHeight, VirtualList } from "../virtual-list.ts";

/** Who wrote this line: the tree of the project with its intents, and behind each line of a file the call that wrote it. */
export function FilesPage(): VNode {
  const [written, setWritten] = useState<WrittenFiles | Error | undefined>(undefined);
  const [authors, setAuthors] = useState<LineAuthors | Error | undefined>(undefined);
  const [text, setText] = useState("");
  const query = new URLSearchParams(address.value.query);
  const show = (query.get("show") ?? "all") as keyof typeof SHOWS;
  const file = query.get("file") ?? undefined;
  const line = Number(query.get("line")) || undefined;
  const ids = written === undefined || written instanceof Error ? [] : written.intents.map(({ id }) => id);
  const intent = ids.find((id) => id === query.get("intent"));
  const choose = (id: string | undefined) =>
    go(withQuery({ intent: id === intent ? undefined : id }), { replace: true });
  useEffect(() => {
    get<WrittenFiles>("/api/files").then(setWritten).catch(setWritten);
  }, []);
  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "/", does: "search for a file", act: () => document.getElementById("files-search")?.focus() },
      { keys: "i", does: "next intent: shows its scope", act: () => choose(ids[ids.indexOf(intent ?? "") + 1]) },
      {
        keys: "b",
        does: "the board of intents, or the tree",
        act: () => go(query.get("view") === "board" ? "/files" : "/files?view=board"),
      },
      { keys: "j", does: "the tree of files", act: () => focusOn(".files-list .virtual") },
      { keys: "l", does: "the lines of the file", act: () => focusOn(".lines .virtual") },
    ];
  });
  useEffect(() => {
    setAuthors(undefined);
    if (file !== undefined)
      get<LineAuthors>(`/api/authors?file=${encodeURIComponent(file)}`)
        .then(setAuthors)
        .catch(setAuthors);
  }, [file]);

  if (written === undefined) return html`<p class="waiting" role="status">Reading the trace of changes…</p>`;
  if (written instanceof Error) return html`<p class="empty bad" role="alert">${written.message}</p>`;
  const problem =
    written.problem !== undefined &&
    html`<pre class="bad pad said" role="alert">${plain(pathsText(written.problem))}</pre>`;
  if (query.get("view") === "board")
    return html`<div class="page"><header class="page-head"><h1>Intents</h1><a href="/files">The tree of files</a></header>${problem}${written.problem === undefined && html`<${Board} intents=${written.intents} />`}</div>`;
  const known = written.files.find(({ path }) => path === file);
  return html`<div class="files">
    <section class="files-list" aria-label="Files of the project">
      <div class="bar"><h1>Files</h1> ${written.intents.length > 0 && html`<a href="/files?view=board">Board of intents</a>`}<span class="grow"></span>
        <select aria-label="Which files" value=${show} class=${show === "all" ? "" : "set"} onChange=${(event: Event) => go(withQuery({ show: (event.target as HTMLSelectElement).value.replace("all", "") }), { replace: true })}>${Object.entries(SHOWS).map(([name, { title, holds }]) => html`<option value=${name} selected=${name === show}>${title} (${name === "all" ? written.tree.paths.length : written.files.filter(holds).length})</option>`)}</select></div>
      <div class="bar"><input id="files-search" type="search" placeholder="Search  /" aria-label="Search for a file" value=${text} onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)} /></div>
      ${problem || html`<${Intents} written=${written} chosen=${intent} choose=${choose} />`}
      ${written.why !== undefined && html`<p class="note pad">${written.why}</p>`}
      <${Tree} written=${written} text=${text} show=${show} intent=${intent} file=${file} />
    </section>
    <section class="lines" aria-label="Lines">
      ${known?.unexplained !== undefined && html`<p class="note pad">${known.changes === 0 ? "This file differs from the last commit, and no recorded call touched it." : "This file was changed after the last recorded call, by something that was not recorded."}</p>`}
      ${file !== undefined && staleWrites().has(file) && html`<p class="note pad">${countText(staleWrites().get(file) ?? 0, "write")} to this file denied, because it had changed since the session read it. <a href=${`/timeline?action=deny&text=${encodeURIComponent(file)}`}>See them</a></p>`}
      ${file === undefined ? html`<p class="empty">Choose a file to see who wrote each of its lines.</p>` : authors === undefined ? html`<p class="waiting" role="status">Looking…</p>` : authors instanceof Error ? html`<p class="empty bad" role="alert">${authors.message}</p>` : html`<${Lines} authors=${authors} line=${line} />`}
    </section>
  </div>`;
}

const staleCalls = () => searched({ action: "stale", project: hello.value?.root ?? "" });

/** How many writes to each file of the project were denied, because it had changed since their session read it. */
function staleWrites(): Map<string, number> {
  const found = new Map<string, number>();
  for (const { stale, root, text } of staleCalls().calls)
    if (stale && root === hello.value?.root) found.set(text, (found.get(text) ?? 0) + 1);
  return found;
}

function focusOn(place: string): void {
  document.querySelector<HTMLElement>(place)?.focus();
}

/** Which files the tree shows. */
const SHOWS = {
  all: { title: "all files", holds: () => true },
  changed: { title: "changed by agents", holds: ({ changes }: WrittenFile) => changes > 0 },
  unexplained: { title: "unexplained changes", holds: ({ unexplained }: WrittenFile) => unexplained !== undefined },
  free: {
    title: "changed without an intent",
    holds: ({ intents, changes }: WrittenFile) => changes > 0 && intents.length === 0,
  },
  outside: {
    title: "changed outside of the intent's scope",
    holds: ({ intents, owners }: WrittenFile) => intents.some((id) => !owners.includes(id)),
  },
} as const satisfies Record<string, { readonly title: string; readonly holds: (file: WrittenFile) => boolean }>;

interface IntentsProps {
  readonly written: WrittenFiles;
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
}

/** The intents, each with its scope; the tree marks the scope of the one that is chosen. */
function Intents({ written: { intents, tree }, chosen, choose }: IntentsProps): VNode {
  if (intents.length === 0)
    return html`<p class="dim pad">No intent is declared here. Intents say which files a piece of work may change: <code>.orchestration/active_intents.yaml</code>.</p>`;
  const count = (id: string) => tree.owners.filter((at) => tree.ownerSets[at]?.includes(id)).length;
  return html`<div class="intents" role="group" aria-label="Intents: choose one to see its scope">${intents.map(
    (intent) => html`<button type="button" aria-pressed=${intent.id === chosen} onClick=${() => choose(intent.id)}>
      <b>${plain(intent.id)}</b> ${plain(intent.name)} <span class="tag">${intent.status.toLowerCase().replaceAll("_", " ")}</span> <span class="dim">${count(intent.id) === 0 ? "no file yet" : countText(count(intent.id), "file")}</span>
      ${intent.id === chosen && html`<br /><code>${intent.scope.map((pattern) => plain(pattern)).join("  ")}</code>`}</button>`,
  )}</div>`;
}

interface TreeProps {
  readonly written: WrittenFiles;
  readonly text: string;
  readonly show: keyof typeof SHOWS;
  readonly intent: string | undefined;
  readonly file: string | undefined;
}

/** The project's folders and files: which intents cover them, what agents changed, and what nothing explains. */
function Tree({ written, text, show, intent, file }: TreeProps): VNode {
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [selected, setSelected] = useState(file);
  const isNarrow = text !== "" || show !== "all";
  const tree = useMemo(() => {
    const holds: FileFilter = (path, own) =>
      path.toLowerCase().includes(text.toLowerCase()) &&
      (show === "all" || (own !== undefined && (SHOWS[show] ?? SHOWS.all).holds(own)));
    return fileTree(written, staleWrites(), holds);
  }, [written, text, show, staleCalls().changes.value]);
  const isSmall = tree.files <= OPEN_ALL;
  const isOpen = (node: TreeNode) =>
    turned.get(node.path) ?? (isNarrow || isSmall || node.changed + node.since + node.unexplained + node.stale > 0);
  const toggle = (node: TreeNode) => setTurned(new Map(turned).set(node.path, !isOpen(node)));
  const rows = treeRows(tree, isOpen);
  const select = (node: TreeNode) => {
    setSelected(node.path);
    if (node.children === undefined) go(withQuery({ file: node.path, line: undefined }), { replace: true });
  };
  const row = useMemo(() => (node: TreeNode) => treeRow(node, intent), [intent]);
  if (rows.length === 0)
    return html`<p class="empty">${isNarrow ? "No such file. Take the search or the choice above away." : "There is no file in this project yet."}</p>`;
  return html`<p class="dim bar" role="status">${countText(tree.files, "file")}${written.tree.isCut ? " (the project has more)" : ""}${intent === undefined ? "" : `, ${tree.covered.get(intent) ?? 0} in the scope of ${intent}`}${tree.since > 0 ? `, ${tree.since} changed since` : ""}${tree.unexplained > 0 ? `, ${tree.unexplained} unexplained` : ""}${tree.stale > 0 ? `, ${countText(tree.stale, "stale write")} denied` : ""}</p>
    <${VirtualList} label="Files" items=${rows} rowHeight=${Math.min(rowHeight.value, 44)} keyOf=${(node: TreeNode) => node.path} row=${row} selected=${selected} onSelect=${select}
      onOpen=${(node: TreeNode) => (node.children === undefined ? focusOn(".lines .virtual") : toggle(node))}
      tree=${{ levelOf: (node: TreeNode) => node.level, isOpen: (node: TreeNode) => (node.children === undefined ? undefined : isOpen(node)), toggle }} />`;
}

/** A project with so few files is shown with all its folders open. */
const OPEN_ALL = 60;

function treeRow(node: TreeNode, intent: string | undefined): VNode {
  const { name, level, children, files, covered, since, unexplained, stale, written } = node;
  const isIn = intent === undefined ? undefined : (covered.get(intent) ?? 0) === files;
  const mark = intent === undefined ? "" : isIn ? " in-scope" : covered.has(intent) ? " part-scope" : " out-of-scope";
  const tags = [...covered].map(([id, some]) => ({ id, text: some === files ? id : `${id} ${some}/${files}` }));
  const strays = written?.intents.filter((id) => !written.owners.includes(id)) ?? [];
  return html`<div class=${`tree-row${mark}`} style=${{ paddingLeft: `${level * 14 - 4}px` }}>
    <span class="what">${children === undefined ? "" : html`<b class="twist" aria-hidden="true"></b>`}${plain(name)}${children === undefined ? "" : "/"}${written && written.changes > 0 ? html` <span class="dim">${written.changes}×</span>` : ""}</span>
    <span class="tags">
      ${since > 0 && html`<span class="tag is-failed" title="changed after the last recorded call">${children ? `${since} ` : ""}changed since</span>`}
      ${unexplained > 0 && html`<span class="tag is-failed" title="no recorded call touched it">${children ? `${unexplained} ` : ""}unexplained</span>`}
      ${stale > 0 && html`<span class="tag is-stale" title="writes that were denied because the file had changed since its session read it">${countText(stale, "stale write")}</span>`}
      ${strays.map((id) => html`<span class="tag is-failed" title="it was changed for this intent, and is outside of its scope now">${plain(id)} outside</span>`)}
      ${tags.slice(0, MAX_TAGS).map(({ id, text }) => html`<span class=${id === intent ? "tag is-scope chosen" : "tag is-scope"} title=${`in the scope of ${id}`}>${plain(text)}</span>`)}
      ${tags.length > MAX_TAGS && html`<span class="tag" title=${tags.map(({ text }) => text).join(", ")}>+${tags.length - MAX_TAGS}</span>`}
    </span></div>`;
}

const MAX_TAGS = 3;

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
    ["kind", change.kind.toLowerCase().replaceAll("_", " ")],
  ];
}
