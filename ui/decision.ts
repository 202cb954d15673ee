import type { VNode } from "preact";
import { html } from "./html.ts";

/** A decision as a word in its colour; for a call that passed, what hooks in monitor mode would have decided. */
export function Decision({ action, would }: { readonly action: string; readonly would?: string | undefined }): VNode {
  const isWatched = action === "continue" && would !== undefined;
  const word = isWatched ? `would ${would}` : action;
  return html`<span class=${`decision is-${isWatched ? "watch" : action}`}>${word}</span>`;
}
