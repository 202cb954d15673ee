import { type ChangeRecord, MUTATION_CLASSES } from "./change-record.ts";
import { mappedIntents } from "./intent-map.ts";

/** One page that shows who changed what for which intent, day by day. It needs no network, and nothing in it can run. */
export function htmlReport(records: readonly ChangeRecord[], project: string, verified: string): string {
  const days = grouped(records);
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${text(`Changes of ${project}`)}</title><style>${STYLE}</style></head><body>`,
    `<h1>Changes of ${text(project)}</h1>`,
    `<p>${text(`${records.length} records. ${verified}`)}</p>`,
    "<h2>By intent</h2>",
    table(
      ["intent", "changes", "files", "lines written", "last"],
      mappedIntents(records).map(({ id, changes, files, last }) => [
        id ?? "without an intent",
        String(changes),
        String(files.length),
        String(files.reduce((sum, { lines }) => sum + lines, 0)),
        last,
      ]),
    ),
    "<h2>Over time</h2>",
    ...[...days]
      .reverse()
      .map(([day, those]) => `<h3>${text(day)}</h3>${table(COLUMNS, [...those].reverse().flatMap(rowsOf))}`),
    "<h2>Kinds of change</h2>",
    table(["kind", "means"], Object.entries(MUTATION_CLASSES)),
    "</body></html>",
    "",
  ].join("\n");
}

function rowsOf({
  timestamp,
  intent_id,
  agent,
  session_id,
  tool,
  mutation_class,
  decision,
  files,
}: ChangeRecord): string[][] {
  return files.map((file) => [
    timestamp.slice(11, 19),
    intent_id ?? "–",
    [agent, session_id].filter(Boolean).join(" "),
    tool ?? "",
    file.relative_path,
    file.deleted ? "deleted" : file.ranges.map(({ start_line, end_line }) => `${start_line}–${end_line}`).join(", "),
    file.mutation_class ?? mutation_class,
    decision?.action ?? "",
  ]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${cells("th", head)}</thead><tbody>${rows.map((row) => cells("td", row)).join("\n")}</tbody></table>`;
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

const COLUMNS = ["time", "intent", "who", "tool", "file", "lines", "kind", "decision"];
const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}th{background:#f4f4f4}@media(prefers-color-scheme:dark){body{background:#16181c;color:#e6e6e6}th{background:#22252b}th,td{border-color:#383c44}}";
