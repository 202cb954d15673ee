import type { VNode } from "preact";
import type { ReplaySummary } from "../src/ui-server/wire-policy.ts";
import { Decision } from "./decision.ts";
import { countText, plain, timeText } from "./format.ts";
import { html } from "./html.ts";

/** What recorded calls would come to: what would open first. */
export function Replayed({ replay }: { readonly replay: ReplaySummary }): VNode {
  const { days, total, judged, cannotTell, changes } = replay;
  const unclear = Object.entries(cannotTell).filter(([, count]) => count > 0);
  const count = changes.reduce((sum, change) => sum + change.count, 0);
  return html`<div class="replayed">
    ${
      total === 0 && days === 0
        ? ""
        : total === 0
          ? html`<p>No call of this project was recorded in the last ${daysText(days)}: there is nothing to judge yet.</p>`
          : html`<p>${days === 0 ? `The latest ${countText(total, "call")} of this project` : `${countText(total, "call")} of the last ${daysText(days)} in this project`}, judged again and not run: ${count === 0 ? "all come to the same." : html`<b>${countText(count, "call")} would come to something else.</b>`}
      ${judged < total && html` <span class="dim">About ${total - judged} it cannot be told (${unclear.map(([why, some]) => `${some} ${WHY[why] ?? why}`).join(", ")}).</span>`}</p>`
    }
    ${replay.state === "more" && html`<p class="dim"><progress aria-label=${`Judging ${daysText(replay.next?.days ?? 1)}`} max="1" value=${replay.next?.part ?? 0}></progress> Judging the calls of the last ${daysText(replay.next?.days ?? 1)}…</p>`}
    ${replay.state === "cut" && html`<p class="note">${total === 0 ? "Judging the recorded calls takes too long here" : `Judging took too long, so only ${days === 0 ? "these" : `those of the last ${daysText(days)}`} were judged`}. <code>sluice replay --since 30d</code> in a terminal has no limit.</p>`}
    ${changes.length > 0 && html`<ul class="effects">${changes.map((change) => html`<li><${Decision} action=${change.from} /> → <${Decision} action=${change.to} /> <b>${change.count}×</b> <code>${plain(change.shape)}</code> <span class="dim">${plain(change.said)}, ${countText(change.sessions, "session")}, last ${timeText(change.last)}</span></li>`)}</ul>`}
  </div>`;
}

function daysText(days: number): string {
  return days === 1 ? "day" : `${days} days`;
}

const WHY: Readonly<Record<string, string>> = {
  redacted: "with a secret taken out",
  cut: "recorded in part",
  needs_run: "that need a run",
};
