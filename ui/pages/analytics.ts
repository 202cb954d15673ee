import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { FigureRow, Figures } from "../../src/ui-server/wire.ts";
import { get } from "../api.ts";
import { bytesText, countText, msText, pathText, plain, spanText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { saveBlob } from "../save-file.ts";
import { isDark } from "../theme.ts";

/** Decisions of the last days: by day, agent, project, hook and shape. */
export function AnalyticsPage(): VNode {
  const [figures, setFigures] = useState<Figures | Error | undefined>(undefined);
  const [days, setDays] = useState(30);
  useLayoutEffect(() => {
    get<Figures>(`/api/figures?days=${days}`).then(setFigures).catch(setFigures);
    pageKeys.value = [
      { keys: "d", does: "choose the days", act: () => document.getElementById("days")?.focus() },
      {
        keys: "c",
        does: "to the buttons that save",
        act: () => document.querySelector<HTMLElement>(".chart button")?.focus(),
      },
    ];
  }, [days]);
  if (figures === undefined) return html`<p class="waiting" role="status">Adding up the journal…</p>`;
  if (figures instanceof Error) return html`<p class="empty bad" role="alert">${figures.message}</p>`;
  const { calls } = figures;
  return html`<div class="page analytics">
    <header class="page-head"><h1>Analytics</h1><span class="grow"></span>
      <label>over <select id="days" value=${String(days)} onChange=${(event: Event) => setDays(Number((event.target as HTMLSelectElement).value))}>${[1, 7, 30, 90].map((value) => html`<option value=${value} selected=${value === days}>${countText(value, "day")}</option>`)}</select></label></header>
    ${calls === 0 && html`<p class="note pad">No call was recorded in these days. <code>sluice doctor</code> reports whether agents reach Sluice.</p>`}
    <dl class="tiles">${tilesOf(figures).map(([name, value]) => html`<div class="tile"><dt class="tile-name">${name}</dt><dd class="tile-value">${value}</dd></div>`)}</dl>
    <${Chart} title="Decisions by day" rows=${figures.byDay} series=${DECISIONS} unit="" />
    <${Chart} title="Time of a decision by day, in ms" rows=${figures.byDay} series=${TIMES} unit=" ms" />
    <${Table} title="By agent" rows=${figures.byAgent} counts="calls" />
    <${Table} title="By project" rows=${figures.byProject.map((row) => ({ ...row, name: pathText(row.name) }))} counts="calls" />
    <${Table} title="By hook" rows=${figures.byHook} counts="runs" />
    <${Table} title="Calls that were denied or asked about" rows=${figures.byShape} counts="calls" />
  </div>`;
}

function tilesOf({ calls, denied, asked, modified, kept, ms, p50, p95, p99 }: Figures): [string, string][] {
  const ratio = calls === 0 ? 0 : (denied / calls) * 100;
  return [
    ["calls", calls.toLocaleString("en")],
    ["denied", `${denied.toLocaleString("en")} (${ratio.toFixed(1)} %)`],
    ["asked", asked.toLocaleString("en")],
    ["modified", modified.toLocaleString("en")],
    ["time of decisions", spanText(ms)],
    ["kept, so that calls could pass", bytesText(kept)],
    ["p50", timeOf(p50)],
    ["p95", timeOf(p95)],
    ["p99", timeOf(p99)],
  ];
}

/** A percentile; a dash where there was no call. */
function timeOf(ms: number | undefined): string {
  return ms === undefined ? "–" : msText(ms);
}

/** A line of a chart: its name, its colour as a token of app.css, and its value. */
interface Line {
  readonly name: string;
  readonly token: string;
  /** Undefined is a gap in the line. */
  readonly value: (row: FigureRow) => number | undefined;
}

const DECISIONS: readonly Line[] = [
  { name: "continue", token: "--allow", value: (row) => row.calls - row.denied - row.asked - row.modified },
  { name: "deny", token: "--deny", value: (row) => row.denied },
  { name: "ask", token: "--ask", value: (row) => row.asked },
  { name: "modify", token: "--modify", value: (row) => row.modified },
];
const TIMES: readonly Line[] = [
  { name: "p50", token: "--allow", value: (row) => row.p50 },
  { name: "p95", token: "--ask", value: (row) => row.p95 },
  { name: "p99", token: "--deny", value: (row) => row.p99 },
];

function Chart({
  title,
  rows,
  series,
  unit,
}: {
  readonly title: string;
  readonly rows: readonly FigureRow[];
  readonly series: readonly Line[];
  readonly unit: string;
}): VNode {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const colours = isDark.value;
  useEffect(() => {
    const element = holder.current;
    if (element === null || rows.length === 0) return;
    const token = (name: string) => colourOf(name, element);
    const axis = {
      stroke: token("--dim"),
      grid: { stroke: token("--line"), width: 1 },
      ticks: { stroke: token("--line"), width: 1 },
    };
    const options: uPlot.Options = {
      width: element.clientWidth,
      height: 200,
      cursor: { drag: { x: false, y: false } },
      legend: { show: true },
      scales: {
        x: {
          time: true,
          range: (_, least, most) => (least === most ? [least - HALF_DAY, most + HALF_DAY] : [least, most]),
        },
        y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] },
      },
      axes: [
        axis,
        { ...axis, size: (_, values) => 22 + 8 * Math.max(1, ...(values ?? []).map(({ length }) => length)) },
      ],
      series: [
        { label: "day", value: (_, time) => (time === null ? "" : new Date(time * 1000).toLocaleDateString()) },
        ...series.map(({ name, token: colour }) => ({
          label: name,
          value: (_: uPlot, value: number | null) => value?.toLocaleString("en") ?? "",
          stroke: token(colour),
          width: 2,
          points: { show: rows.length < 40, size: 5 },
        })),
      ],
    };
    const times = rows.map(({ name }) => new Date(`${name}T12:00:00`).getTime() / 1000);
    plot.current = new uPlot(
      options,
      [times, ...series.map(({ value }) => rows.map((row) => value(row) ?? null))],
      element,
    );
    const resize = () => plot.current?.setSize({ width: element.clientWidth, height: 200 });
    addEventListener("resize", resize);
    return () => {
      removeEventListener("resize", resize);
      plot.current?.destroy();
    };
  }, [rows, colours]);
  const save = () => plot.current?.ctx.canvas.toBlob((blob) => blob !== null && download(blob, `${title}.png`));
  return html`<section class="part chart"><h2>${title} <${Buttons} csv=${() => download(csvOf(rows), `${title}.csv`)} png=${save} title=${title} /></h2>
    <div ref=${holder} role="img" aria-label=${`${title}: ${countText(rows.filter(({ calls }) => calls > 0).length, "day")} with calls. ${series.map(({ name, value }) => `${name} at most ${Math.max(0, ...rows.map((row) => value(row) ?? 0)).toLocaleString("en")}${unit}`).join(", ")}`}></div>
    ${rows.length === 0 && html`<p class="dim">No call in these days.</p>`}</section>`;
}

/** A token's colour in the colours that the page has now. */
function colourOf(token: string, near: HTMLElement): string {
  const { color: before } = near.style;
  near.style.color = `var(${token})`;
  const { color } = getComputedStyle(near);
  near.style.color = before;
  return color;
}

const HALF_DAY = 12 * 60 * 60;

function Table({ title, rows, counts }: TableProps): VNode {
  const most = Math.max(1, ...rows.map(({ calls }) => calls));
  const sum = (key: "calls" | "denied" | "asked" | "ms") => rows.reduce((total, row) => total + row[key], 0);
  const cells = (row: Pick<FigureRow, "calls" | "denied" | "asked" | "ms" | "p50" | "p95" | "p99">) => html`
    <td data-name=${counts} class="num">${row.calls.toLocaleString("en")}</td><td data-name="denied" class=${row.denied > 0 ? "num bad" : "num"}>${row.denied.toLocaleString("en")}</td><td data-name=${`of ${counts}`} class="num">${((row.denied / Math.max(1, row.calls)) * 100).toFixed(1)} %</td><td data-name="asked" class="num">${row.asked.toLocaleString("en")}</td><td data-name="time" class="num">${msText(row.ms)}</td><td data-name="p50" class="num">${timeOf(row.p50)}</td><td data-name="p95" class="num">${timeOf(row.p95)}</td><td data-name="p99" class="num">${timeOf(row.p99)}</td>`;
  return html`<section class="part"><h2>${title} <${Buttons} csv=${() => download(csvOf(rows), `${title}.csv`)} title=${title} /></h2>
    <div class="scroll" tabindex="0" role="group" aria-label=${title}><table class="table"><thead><tr><th scope="col">name</th><th scope="col" class="num">${counts}</th><th scope="col" class="num">denied</th><th scope="col" class="num">of ${counts}</th><th scope="col" class="num">asked</th><th scope="col" class="num">time</th><th scope="col" class="num">p50</th><th scope="col" class="num">p95</th><th scope="col" class="num">p99</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr><th scope="row"><span class="bar-of" style=${{ width: `${(row.calls / most) * 100}%` }}></span>${plain(row.name, 200) || "not known"}</th>${cells(row)}</tr>`)}</tbody>
    ${rows.length > 1 && html`<tfoot><tr class="table-sum"><th scope="row">all</th>${cells({ calls: sum("calls"), denied: sum("denied"), asked: sum("asked"), ms: sum("ms") })}</tr></tfoot>`}</table></div>
    ${counts === "runs" && html`<p class="dim">A call has as many runs as hooks that matched it, so runs are more than calls.</p>`}</section>`;
}

interface TableProps {
  readonly title: string;
  readonly rows: readonly FigureRow[];
  /** What a row counts. */
  readonly counts: "calls" | "runs";
}

function Buttons({
  csv,
  png,
  title,
}: {
  readonly csv: () => void;
  readonly png?: () => void;
  readonly title: string;
}): VNode {
  return html`<button type="button" class="quiet" onClick=${csv} aria-label=${`Save ${title} as CSV`}>CSV</button>${png && html`<button type="button" class="quiet" onClick=${png} aria-label=${`Save ${title} as PNG`}>PNG</button>`}`;
}

/** A text that a spreadsheet takes for a formula is marked as text. */
function csvOf(rows: readonly FigureRow[]): Blob {
  const keys = ["name", "calls", "denied", "asked", "modified", "kept", "ms", "p50", "p95", "p99"] as const;
  const cell = (value: string | number) => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [keys.join(","), ...rows.map((row) => keys.map((key) => cell(row[key] ?? "")).join(","))];
  return new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" });
}

function download(blob: Blob, name: string): void {
  saveBlob(blob, name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-"));
}
