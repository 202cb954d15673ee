import { toJsonText } from "../event/json.ts";
import {
  openings,
  opens,
  otherPolicyLines,
  type ReplayChange,
  type ReplayReport,
  unchangedText,
} from "./replay-report.ts";

/** A replay as one page for a browser. It needs no network, and nothing in it can run. */
export function replayPage(report: ReplayReport, names: { readonly before: string; readonly after: string }): string {
  const { total, judged, cannot_tell, made, changes, hash } = report;
  const sections = SECTIONS.map(({ title, isMeant }) => ({ title, those: changes.filter(isMeant) }));
  const figures = {
    calls: total,
    judged,
    redacted: cannot_tell.redacted,
    cut: cannot_tell.cut,
    "need a run": cannot_tell.needs_run,
    "by sub-agents": made["sub-agent"],
    "by programs": made.sdk,
  };
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Replay</title><style>${STYLE}</style></head><body>`,
    `<h1>${text(names.after)} against ${text(names.before)}</h1>`,
    `<dl>${Object.entries(figures)
      .map(([name, count]) => `<div><dt>${name}</dt><dd>${count}</dd></div>`)
      .join("")}</dl>`,
    ...sections.filter(({ those }) => those.length > 0).map(({ title, those }) => `<h2>${title}</h2>${tableOf(those)}`),
    ...[...otherPolicyLines(report), unchangedText(report) ?? (total === 0 ? "No call was judged." : "")]
      .filter((line) => line !== "")
      .map((line) => `<p>${text(line)}</p>`),
    openings(changes).length === 0 ? "" : `<p>What opens is named <code>${hash}</code>.</p>`,
    "</body></html>",
    "",
  ].join("\n");
}

const SECTIONS: readonly { readonly title: string; readonly isMeant: (change: ReplayChange) => boolean }[] = [
  { title: "Would open", isMeant: (one) => one.cause === "change" && opens(one) },
  { title: "Would be stopped or changed", isMeant: (one) => one.cause === "change" && !opens(one) },
  { title: "Drift since it was recorded", isMeant: (one) => one.cause === "drift" },
];

function tableOf(changes: readonly ReplayChange[]): string {
  const head = COLUMNS.map((title) => `<th scope="col">${title}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${changes.map(rowOf).join("\n")}</tbody></table>`;
}

function rowOf(change: ReplayChange): string {
  const { from, to, count, sessions, agents, said, rule, shape, example, first, last } = change;
  const place = rule === null || rule.file === null ? "" : `${rule.file}${rule.line === null ? "" : `:${rule.line}`}`;
  const cells = [
    `${from} → ${to}`,
    String(count),
    String(sessions),
    agents.join(", "),
    [said, place].filter(Boolean).join(" "),
    shape,
    first === last ? first : `${first} – ${last}`,
  ];
  const input = toJsonText(example.input).slice(0, MAX_INPUT);
  const about = [example.id, example.tool].filter(Boolean).join(" ");
  return `<tr>${cells.map((cell) => `<td>${text(cell)}</td>`).join("")}<td><code>${text(`${about} ${input}`)}</code></td></tr>`;
}

/** What a page shows of a text from outside: no markup, and no signs that turn the order of others around. */
function text(value: string): string {
  return value.replaceAll(TURNING, "\ufffd").replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const TURNING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const COLUMNS = ["verdict", "calls", "sessions", "agents", "said by", "shape", "when", "example"];
const MAX_INPUT = 600;
const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{margin:2rem auto;max-width:80rem;padding:0 1rem}
h1{font-size:1.4rem}dl{display:flex;flex-wrap:wrap;gap:1.5rem}dt{opacity:.7}dd{margin:0;font-size:1.3rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid #8884}
code{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85em}`;
