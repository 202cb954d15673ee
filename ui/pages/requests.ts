import type { VNode } from "preact";
import { address, go } from "../address.ts";
import { isLoggedIn } from "../api.ts";
import { countText, plain } from "../format.ts";
import { html } from "../html.ts";
import { RequestCard, useRequests } from "../requests.ts";

/** Calls that wait for an answer, and the answers that are in force. With the link of a notification, one call. */
export function RequestsPage(): VNode {
  const { list, message, answer, revoke } = useRequests();
  if (list === undefined)
    return html`<div class="page"><h1>Requests</h1>${message || html`<p class="waiting" role="status">Looking for requests…</p>`}</div>`;
  const [, , chosen] = address.value.path.split("/");
  const pending = chosen === undefined ? list.pending : list.pending.filter(({ id }) => id === chosen);
  return html`<div class="page requests">
    <header class="page-head"><h1>${chosen === undefined ? "Requests" : "Request"}</h1>
      <span class="dim" role="status">${countText(pending.length, "call")} ${pending.length === 1 ? "waits" : "wait"} for an answer</span>
      ${chosen !== undefined && isLoggedIn.value === true && html`<button type="button" class="quiet" onClick=${() => go("/requests")}>All requests</button>`}</header>
    ${message}
    ${pending.map((request) => html`<${RequestCard} key=${request.id} request=${request} asks=${list} answer=${answer} />`)}
    ${
      pending.length === 0 &&
      html`<div class="empty"><p>No call waits for an answer.</p>
      <p>A call appears here when a hook answers <code>ask</code>. Calls that were denied are in <a href="/review">Review</a>. With <code>approvals</code> in your configuration a notification is sent for each request.</p></div>`
    }
    ${
      list.grants.length > 0 &&
      html`<section aria-label="Answers in force"><h2>In force</h2><ul class="grants">${list.grants.map(
        ({ id, answer: kind, on, shape, left, until, by, channel }) =>
          html`<li class="grant"><code>${plain(shape || id)}</code> <span>${kind === "deny" ? "denied" : on === "shape" ? "this shape" : "this call"}, ${left} left, until ${new Date(until).toLocaleTimeString()}, ${by} through ${channel}</span> <button type="button" onClick=${() => revoke(id)} aria-label=${`End the answer ${id}`}>End</button></li>`,
      )}</ul></section>`
    }
  </div>`;
}
