import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readAssets } from "./assets.ts";
import { callDetail } from "./call-routes.ts";
import { callRow } from "./timeline-routes.ts";
import type { SourceRecord } from "./call-source.ts";
import type { UiContext } from "./route.ts";
import type { CallDetail, CallRow, ExportedCalls } from "./wire.ts";

/** One file that shows calls without a server, and how many of them it holds. */
export interface ExportedPage {
  readonly html: string;
  readonly calls: number;
  readonly detailed: number;
}

/** Puts calls, newest first, into one page. Records hold no secrets; the user's home is taken out of them as well. */
export async function exportPage(
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
  range: string,
  context: Pick<UiContext, "env" | "hello">,
  assets: string,
): Promise<ExportedPage> {
  const rows: CallRow[] = [];
  const details: Record<string, CallDetail> = {};
  let [told, others] = [0, 0];
  for await (const record of records) {
    if (rows.length >= MOST_ROWS) break;
    const row = callRow(record);
    rows.push(row);
    const isTelling = row.action !== "continue" || row.failed || row.would !== undefined || row.kept;
    if (isTelling ? told++ >= MOST_TELLING : others++ >= MOST_OTHERS) continue;
    details[`id=${record.id}&at=${row.at}`] = await callDetail(record, context);
  }
  const { root, home, version } = context.hello;
  const data: ExportedCalls = { hello: { version, root, home: "", confirms: "this is a file" }, range, rows, details };
  const text = JSON.stringify(data);
  const html = page(home.length > 1 ? text.replaceAll(home, "~") : text, assets);
  return { html, calls: rows.length, detailed: Object.keys(details).length };
}

function page(data: string, folder: string): string {
  const { style, files } = readAssets(folder);
  const css = files.get(style)?.bytes.toString("utf8") ?? "";
  const script = readFileSync(join(folder, "export.js"), "utf8").trim().replaceAll("</script", "<\\/script");
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(css)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sluice</title>
<style>${css}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="sluice-data">${data.replaceAll("<", "\\u003c")}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const MOST_ROWS = 20_000;
/** Calls that hooks said something about, and calls that just passed, of which more than a line is kept. */
const MOST_TELLING = 1000;
const MOST_OTHERS = 300;
