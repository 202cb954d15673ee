import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readAssets } from "./assets.ts";
import { callDetail } from "./call-routes.ts";
import type { SourceRecord } from "./call-source.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import { lineTest } from "./row-filters.ts";
import { callRow } from "./timeline-routes.ts";
import type { CallDetail, CallRow, ExportedCalls } from "./wire.ts";

/** One file that shows calls without a server, and how many of them it holds. */
export interface ExportedPage {
  readonly html: string;
  readonly calls: number;
  readonly detailed: number;
}

/** One call as a page that needs no server. */
export const exportCall: UiRoute = async ({ query }, context) => {
  const record = await context.source.find(query.get("id") ?? "", Number(query.get("at") ?? Number.NaN));
  if (record === undefined) return refusedReply(404, "This call is no longer recorded.");
  const options = { range: `the call ${record.id}`, withoutArguments: query.has("redact"), assets: context.assets };
  return { json: await exportPage([record], context, options) };
};

/** One session, with those of its sub-agents, as a page that needs no server. */
export const exportSession: UiRoute = async ({ query, signal }, context) => {
  const session = query.get("session") ?? "";
  const found: SourceRecord[] = [];
  for await (const { record } of context.source.search({ mayFit: lineTest({ session }), signal }))
    if (record.session_id === session || record.parent_session === session) found.push(record);
  if (session === "" || found.length === 0) return refusedReply(404, "No call of this session is recorded.");
  const options = { range: `the session ${session}`, withoutArguments: query.has("redact"), assets: context.assets };
  return { json: await exportPage(found, context, options) };
};

/** How calls are exported. */
export interface ExportOptions {
  /** Which calls these are, for a person. */
  readonly range: string;
  /** Leaves out what was passed to tools: commands, paths, contents, and what hooks report about them. */
  readonly withoutArguments: boolean;
  /** The folder into which the build has written the pages. */
  readonly assets: string;
}

/** Puts calls, newest first, into one page. Records hold no secrets; the user's home is removed from them as well. */
export async function exportPage(
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
  context: Pick<UiContext, "env" | "hello">,
  { range, withoutArguments, assets }: ExportOptions,
): Promise<ExportedPage> {
  const rows: CallRow[] = [];
  const details: Record<string, CallDetail> = {};
  let [told, others] = [0, 0];
  for await (const record of records) {
    if (rows.length >= MAX_ROWS) break;
    const row = withoutArguments ? bareRow(callRow(record)) : callRow(record);
    rows.push(row);
    const isTelling = row.action !== "continue" || row.failed || row.would !== undefined || row.kept;
    if (isTelling ? told++ >= MAX_TELLING : others++ >= MAX_OTHERS) continue;
    details[`id=${record.id}&at=${row.at}`] = withoutArguments
      ? bareDetail(await callDetail(record, context))
      : await callDetail(record, context);
  }
  const { root, home, version } = context.hello;
  const data: ExportedCalls = { hello: { version, root, home: "", confirms: "this is a file" }, range, rows, details };
  const text = JSON.stringify(data);
  const html = page(home.length > 1 ? text.replaceAll(home, "~") : text, assets);
  return { html, calls: rows.length, detailed: Object.keys(details).length };
}

/** A row without the arguments of its call. */
function bareRow({ text: _, root: __, ...row }: CallRow): CallRow {
  return { ...row, text: LEFT_OUT };
}

/** A detail without arguments: rules and reasons may repeat them, so only the names of hooks are left. */
function bareDetail(detail: CallDetail): CallDetail {
  const { input: _, act: __, cwd: ___, root: ____, ...rest } = detail;
  return {
    ...rest,
    reasons: detail.reasons.length > 0 ? [LEFT_OUT] : [],
    input: LEFT_OUT,
    changes: detail.changes.map(({ field }) => ({ field })),
    told: [],
    traced: [],
    notes: [],
    results: detail.results.map(
      ({ rules: _____, reason: ______, error: _______, file: ________, ...result }) => result,
    ),
  };
}

const LEFT_OUT = "[left out]";

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

const MAX_ROWS = 20_000;
/** Calls that hooks said something about, and calls that just passed, of which more than a line is kept. */
const MAX_TELLING = 1000;
const MAX_OTHERS = 300;
