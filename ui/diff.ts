import type { VNode } from "preact";
import { changedParts, type DiffLine, lineDiff } from "../src/trust/line-diff.ts";
import { plain } from "./format.ts";
import { html } from "./html.ts";

interface DiffProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

/** Two texts as one list of lines: each changed line with its number, and a few unchanged lines around it. */
export function Diff({ before, after, label }: DiffProps): VNode {
  // A text that is not there has no line, not an empty one.
  const missing = { gone: before === "", new: after === "", same: false };
  const lines = numbered(
    lineDiff(withoutEnd(before), withoutEnd(after)).filter(({ kind, line }) => line !== "" || !missing[kind]),
  );
  const shown = changedParts(lines, AROUND).slice(0, MAX_LINES) as (NumberedLine | undefined)[];
  if (!lines.some(({ kind }) => kind !== "same")) return html`<p class="dim">Nothing differs.</p>`;
  return html`<div class="diff" role="group" aria-label=${label} tabindex="0">${shown.map((line) =>
    line === undefined
      ? html`<div class="diff-line dim"><span></span><span></span><code class="diff-text">⋯</code></div>`
      : html`<div class=${`diff-line diff-${line.kind}`}><span class="num">${line.number}</span><span><span class="hidden">${WORDS[line.kind]} </span><span aria-hidden="true">${SIGNS[line.kind]}</span></span><code class="diff-text">${plain(line.line, 2000)}</code></div>`,
  )}</div>`;
}

interface NumberedLine extends DiffLine {
  /** The line in the text after the change; of a removed line, in the text before it. */
  readonly number: number;
}

function numbered(lines: readonly DiffLine[]): NumberedLine[] {
  let [old, young] = [0, 0];
  return lines.map((line) => {
    if (line.kind !== "new") old++;
    if (line.kind !== "gone") young++;
    return { ...line, number: line.kind === "gone" ? old : young };
  });
}

function withoutEnd(text: string): string {
  return text.replace(/\n$/, "");
}

const SIGNS = { same: "", gone: "−", new: "+" } as const;
const WORDS = { same: "", gone: "removed", new: "added" } as const;
const AROUND = 2;
const MAX_LINES = 400;
