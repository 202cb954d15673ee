import type { VNode } from "preact";
import { html } from "./html.ts";

/** What a person can do who has no call yet. */
export function NoCalls(): VNode {
  return html`<p class="empty">No call is recorded yet. <code>sluice install</code> connects your agents; or try <code>sluice fire "rm -rf /"</code> in a terminal: it runs nothing. <code>sluice doctor</code> reports whether agents reach Sluice, and the <a href="/playground">playground</a> shows what would happen to a call.</p>`;
}
