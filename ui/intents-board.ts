import type { VNode } from "preact";
import type { WrittenFiles } from "../src/ui-server/wire.ts";
import { countText, plain, sessionText, timeText } from "./format.ts";
import { html } from "./html.ts";

type IntentRow = WrittenFiles["intents"][number];

/** The intents by their status: what each has to meet, which sessions worked on it, and what was against it. */
export function Board({ intents }: { readonly intents: readonly IntentRow[] }): VNode {
  if (intents.length === 0)
    return html`<p class="empty">No intent is declared here. <code>sluice intents new</code> declares one.</p>`;
  const statuses = [...new Set([...ORDER, ...intents.map(({ status }) => status)])];
  return html`<div class="board">${statuses.map((status) => {
    const own = intents.filter((intent) => intent.status === status);
    return (
      own.length > 0 &&
      html`<section aria-label=${status}><h2>${plain(status.toLowerCase().replaceAll("_", " "))} <span class="dim">${own.length}</span></h2>${own.map((intent) => html`<${Card} key=${intent.id} intent=${intent} />`)}</section>`
    );
  })}</div>`;
}

const ORDER = ["IN_PROGRESS", "BLOCKED", "PENDING", "COMPLETED", "CANCELLED"];

function Card({ intent }: { readonly intent: IntentRow }): VNode {
  const { id, name, scope, criteria, sessions, changes, lastChange, violations, outside } = intent;
  const met = criteria.filter(({ progress }) => progress === "met").length;
  const list = (title: string, texts: readonly string[]) =>
    texts.length > 0 &&
    html`<h4>${title}</h4><ul>${texts.slice(0, MAX_SHOWN).map((text) => html`<li>${plain(text, 200)}</li>`)}${texts.length > MAX_SHOWN && html`<li class="dim">and ${texts.length - MAX_SHOWN} more</li>`}</ul>`;
  return html`<article class="card"><h3><a href=${`/files?intent=${encodeURIComponent(id)}`}>${plain(id, 80)}</a> ${plain(name, 160)}</h3>
    <p class="dim">${countText(changes, "change")}, ${countText(sessions.length, "session")}${criteria.length > 0 && `, ${met} of ${criteria.length} criteria met`}${lastChange !== null && html`, last change <time>${timeText(Date.parse(lastChange))}</time>`}</p>
    ${list("Scope", scope)}${list(
      "Has to meet",
      criteria.map(({ text, progress }) => `${MARKS[progress]} ${text}`),
    )}
    ${sessions.length > 0 && html`<h4>Sessions</h4><p>${sessions.slice(0, MAX_SHOWN).map((session) => html`<a href=${`/session/${encodeURIComponent(session)}`}>${plain(sessionText(session), 40)}</a> `)}</p>`}
    ${violations.length > 0 && html`<h4>Denied in its sessions</h4><ul>${violations.slice(0, MAX_SHOWN).map(({ reason, count }) => html`<li>${plain(reason, 200)}${count > 1 && html` <span class="dim">${count} times</span>`}</li>`)}</ul>`}
    ${
      outside.length > 0 &&
      html`<p class="bad">Changed outside of its scope: ${outside
        .slice(0, MAX_SHOWN)
        .map((path) => plain(path, 120))
        .join(", ")}</p>`
    }
  </article>`;
}

/** How a criterion is marked: met, open, or not known. */
const MARKS = { met: "✓", open: "○", unknown: "–" } as const;
const MAX_SHOWN = 8;
