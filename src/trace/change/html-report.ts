import { type ChangeRecord, MUTATION_CLASSES } from "./change-record.ts";
import { type MappedIntent, mappedIntents } from "./intent-map.ts";

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

/** How the report looks, by day and by night, on a wide screen and on a narrow one. */
const REPORT_STYLE = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1b1f24;--quiet:#667080;--line:#dfe3e8;--blue:#2456c7;--green:#1a7f37;--violet:#7a3fb5;--red:#b42318}
@media(prefers-color-scheme:dark){:root{--ground:#14161a;--card:#1c1f25;--ink:#e4e7eb;--quiet:#98a1ae;--line:#2d323a;--blue:#86a8ff;--green:#57c271;--violet:#c79bf2;--red:#ff8a7e}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.25rem 3rem;max-width:76rem;font:14px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
h1{margin:0;font-size:1.5rem}
h2{margin:2rem 0 .6rem;font-size:1.05rem}
h3{margin:1.25rem 0 .5rem;font-size:.9rem;color:var(--quiet)}
.verdict{margin:.25rem 0 1.25rem;color:var(--quiet)}
.figures{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}
.figures div{flex:1 1 8rem;max-width:12rem;padding:.6rem .9rem;background:var(--card);border:1px solid var(--line);border-radius:8px}
.figures dt{font-size:.8rem;color:var(--quiet)}
.figures dd{margin:0;font-size:1.4rem;font-weight:600}
.sheet{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .8rem;text-align:left;vertical-align:baseline;white-space:nowrap}
th{font-size:.8rem;font-weight:500;color:var(--quiet)}
td{border-top:1px solid var(--line)}
.count{text-align:right;font-variant-numeric:tabular-nums}
td.file{font:12.5px/1.6 ui-monospace,monospace;white-space:normal;overflow-wrap:anywhere;min-width:14rem}
td.means{white-space:normal;min-width:14rem}
td.kind{font-size:.78rem;font-weight:600;color:var(--quiet)}
td.INTENT_EVOLUTION{color:var(--blue)}
td.AST_REFACTOR{color:var(--violet)}
td.FORMAT_ONLY{color:var(--green)}
td.UNKNOWN{color:var(--red)}
`;
