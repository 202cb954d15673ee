import type { SignedEvidence } from "./evidence.ts";
import type { ControlClaim } from "./evidence-controls.ts";

/** Evidence as one page that needs nothing else. The signed content is in it, so that the page can be checked too. */
export function evidencePage(signed: SignedEvidence): string {
  const { evidence, public_key, signature } = signed;
  const { since, created, user, machine, version, calls, approvals, policies, bundle, traces } = evidence;
  const actions = Object.entries(calls.by_action).map(([action, count]) => `${count} ${action}`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Evidence ${text(created.slice(0, 10))}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;border-bottom:1px solid #ccc;padding:.3rem .6rem .3rem 0}code{overflow-wrap:anywhere}</style></head><body>
<h1>Evidence</h1>
<p>${text(machine)}, ${text(user)}, Sluice ${text(version)}: from ${text(since)} to ${text(created)}.
${calls.total} calls${actions.length === 0 ? "" : ` (${text(actions.join(", "))})`}. ${evidence.unreadable_lines} lines of the journal could not be read.</p>
<h2>Who approved what</h2>
${table(
  ["time", "act", "what was recorded", "record"],
  approvals.map((one) => [one.time, one.act, one.text.join(" "), one.record]),
  "No person let anything pass in this time.",
)}
<h2>Which policy was in force</h2>
<p>${bundle === null ? "No signed bundle is in force on this machine." : `Bundle ${bundle.version}, <code>${text(bundle.hash)}</code>, signed by <code>${text(bundle.key)}</code>.`}</p>
${table(
  ["policy", "first call", "last call", "calls"],
  policies.map((one) => [one.policy, one.first, one.last, String(one.calls)]),
  "No call was decided in this time.",
)}
<h2>Whether the trace verifies</h2>
${table(
  ["project", "records", "verifies"],
  traces.map((one) => [one.project, String(one.records), one.verifies ? "yes" : `no: ${one.why ?? ""}`]),
  "No project with recorded calls has a trace of changes.",
)}
${Object.entries(evidence.controls).map(controls).join("\n")}
<h2>Signature</h2>
<p>Ed25519, public key <code>${text(public_key)}</code>, signature <code>${text(signature)}</code>. <code>sluice evidence verify &lt;evidence.json&gt;</code> checks it.</p>
<script type="application/json" id="evidence">${JSON.stringify(signed).replaceAll("<", "\\u003c")}</script>
</body></html>
`;
}

function controls([catalogue, claims]: readonly [string, readonly ControlClaim[]]): string {
  const rows = claims.map(({ id, title, claim, tests }) => [`${id} ${title}`, claim ?? "No claim.", tests.join(", ")]);
  return `<h2>${text(catalogue)}</h2>\n${table(["control", "what Sluice does", "tests"], rows, "")}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return `<p>${text(empty)}</p>`;
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${text(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>${line(head, "th")}${rows.map((row) => line(row, "td")).join("")}</table>`;
}

function text(value: string): string {
  return value.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
