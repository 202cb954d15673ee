import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { UndoPreview } from "../src/ui-server/wire-summary.ts";
import { get, post } from "./api.ts";
import { bytesText, countText, plain } from "./format.ts";
import { html } from "./html.ts";

/** What an undo of a call would bring back, then what it has brought back. */
export function UndoPanel({ id }: { readonly id: string }): VNode {
  const [preview, setPreview] = useState<UndoPreview | Error | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    get<UndoPreview>(`/api/undo?id=${encodeURIComponent(id)}`)
      .then(setPreview)
      .catch(setPreview);
  }, [id]);
  if (preview === undefined) return html`<p class="dim" role="status">Looking at what was kept…</p>`;
  if (preview instanceof Error) return html`<p class="bad" role="alert">${plain(preview.message)}</p>`;
  const { restored, same, left, bytes, isDone } = preview;
  const run = () =>
    post<UndoPreview>("/api/undo", { id })
      .then(setPreview)
      .catch((error: Error) => setProblem(error.message));
  return html`<div class="preview" role="group" aria-label="Undo">
    <h3>${isDone ? "What came back" : `What would come back (${bytesText(bytes)})`}</h3>
    ${isDone && html`<p role="status" class=${left.length > 0 ? "note" : "good"}>${countText(restored.length, "item")} brought back${left.length > 0 ? `, ${left.length} left alone` : ""}.</p>`}
    ${problem !== undefined && html`<p role="alert" class="bad">${plain(problem)}</p>`}
    <ul class="effects">${restored.slice(0, MAX_SHOWN).map((path) => html`<li><code>${plain(path)}</code></li>`)}
      ${restored.length > MAX_SHOWN && html`<li class="dim">and ${restored.length - MAX_SHOWN} more</li>`}
      ${left.map(({ path, why }) => html`<li class="bad">left alone: <code>${plain(path)}</code>: ${plain(why)}</li>`)}</ul>
    ${same.length > 0 && html`<p class="dim">${countText(same.length, "item")} already as before.</p>`}
    ${!isDone && restored.length > 0 && html`<button type="button" class="main" onClick=${run}>Bring back</button>`}
    ${!isDone && restored.length === 0 && html`<p class="dim">Nothing would be written.</p>`}
  </div>`;
}

const MAX_SHOWN = 30;
