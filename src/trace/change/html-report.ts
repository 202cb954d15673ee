import { type ChangeRecord, MUTATION_CLASSES } from "./change-record.ts";
import { type MappedIntent, mappedIntents } from "./intent-map.ts";
import { REPORT_STYLE } from "./report-style.ts";

/** One page that shows who changed what for which intent, day by day. It needs no network, and nothing in it can run. */
export function htmlReport(records: readonly ChangeRecord[], project: string, verified: string): string {
  const intents = mappedIntents(records);
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${text(`Changes of ${project}`)}</title><style>${REPORT_STYLE}</style></head><body>`,
    `<h1>Changes of ${text(project)}</h1>`,
    `<p class="verdict">${text(verified)}</p>`,
    figures(records, intents),
    "<h2>By intent</h2>",
    table(INTENT_COLUMNS, intents.map(intentRow)),
    "<h2>Over time</h2>",
    ...[...grouped(records)]
      .reverse()
      .map(([day, those]) => `<h3>${text(day)}</h3>${table(COLUMNS, [...those].reverse().flatMap(rowsOf))}`),
    "<h2>Kinds of change</h2>",
    table(KIND_COLUMNS, Object.entries(MUTATION_CLASSES)),
    "</body></html>",
    "",
  ].join("\n");
}

function figures(records: readonly ChangeRecord[], intents: readonly MappedIntent[]): string {
  const files = intents.flatMap((intent) => intent.files);
  const counts = {
    records: records.length,
    intents: intents.filter(({ id }) => id !== null).length,
    files: new Set(files.map(({ path }) => path)).size,
    "lines written": linesOf(files),
  };
  const each = Object.entries(counts).map(([name, count]) => `<div><dt>${name}</dt><dd>${count}</dd></div>`);
  return `<dl class="figures">${each.join("")}</dl>`;
}

function intentRow({ id, changes, files, last }: MappedIntent): string[] {
  const when = `${last.slice(0, 10)} ${last.slice(11, 19)}`;
  return [id ?? "without an intent", String(changes), String(files.length), String(linesOf(files)), when];
}

function linesOf(files: MappedIntent["files"]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

function rowsOf(record: ChangeRecord): string[][] {
  const { timestamp, intent_id, agent, session_id, tool, mutation_class, decision, files } = record;
  return files.map((file) => [
    timestamp.slice(11, 19),
    intent_id ?? "–",
    [agent, session_id].filter(Boolean).join(" "),
    tool ?? "",
    file.relative_path,
    file.deleted ? "deleted" : file.ranges.map(rangeText).join(", "),
    file.mutation_class ?? mutation_class,
    decision?.action ?? "",
  ]);
}

function rangeText({ start_line, end_line }: { readonly start_line: number; readonly end_line: number }): string {
  return start_line === end_line ? `${start_line}` : `${start_line}–${end_line}`;
}

/** One column: its title, and what it looks like when it is not plain. */
interface Column {
  readonly title: string;
  readonly look?: "count" | "file" | "kind" | "means";
}

/** A kind of change also carries its own name, to be coloured. */
function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const head = columns.map(({ title, look = "" }) => `<th class="${look}">${title}</th>`);
  const cell = (value: string, at: number) => {
    const { look = "" } = columns[at] ?? {};
    const colour = look === "kind" && Object.hasOwn(MUTATION_CLASSES, value) ? ` ${value}` : "";
    return `<td class="${look}${colour}">${text(value)}</td>`;
  };
  const body = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`);
  return `<div class="sheet"><table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

/** Everything that comes from a record is text. */
function text(value: unknown): string {
  return String(value).replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function grouped(records: readonly ChangeRecord[]): Map<string, ChangeRecord[]> {
  const days = new Map<string, ChangeRecord[]>();
  for (const record of records) {
    const day = days.get(dayOf(record)) ?? [];
    day.push(record);
    days.set(dayOf(record), day);
  }
  return days;
}

function dayOf({ timestamp }: ChangeRecord): string {
  return timestamp.slice(0, 10);
}

const INTENT_COLUMNS: readonly Column[] = [
  { title: "intent" },
  { title: "changes", look: "count" },
  { title: "files", look: "count" },
  { title: "lines written", look: "count" },
  { title: "last" },
];
const COLUMNS: readonly Column[] = [
  { title: "time" },
  { title: "intent" },
  { title: "who" },
  { title: "tool" },
  { title: "file", look: "file" },
  { title: "lines" },
  { title: "kind", look: "kind" },
  { title: "decision" },
];
const KIND_COLUMNS: readonly Column[] = [
  { title: "kind", look: "kind" },
  { title: "means", look: "means" },
];
