import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter } from "@codemirror/lint";
import { MergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { KnownNames } from "../src/ui-server/wire-policy.ts";
import { completionsAt } from "./schema-words.ts";

/** An editor of a text of hooks. */
export interface CodeEditor {
  text(): string;
  /** Puts another text in, as one step that can be undone. */
  replace(text: string): void;
  goTo(line: number): void;
  focus(): void;
  destroy(): void;
}

/** Makes an editor; `lint` is asked for problems a moment after each change. */
export function codeEditor(
  parent: HTMLElement,
  {
    path,
    text,
    onChange,
    lint,
    names,
  }: {
    path: string;
    text: string;
    onChange: (text: string) => void;
    lint: (text: string) => Promise<readonly LintProblem[]>;
    /** The names that exist here, once they are known. */
    names: () => KnownNames | undefined;
  },
): CodeEditor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...looks(),
        lintGutter(),
        linter(async ({ state }) => (await lint(state.doc.toString())).map((problem) => diagnostic(problem, state)), {
          delay: 250,
        }),
        autocompletion({ override: [(context: CompletionContext) => complete(context, path, names())] }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
        EditorView.contentAttributes.of({ "aria-label": `Text of ${path}` }),
      ],
    }),
  });
  view.scrollDOM.tabIndex = 0;
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => view.dispatch({ changes: smallestChange(view.state.doc.toString(), next) }),
    goTo: (line) => {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines))).from;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Shows two texts beside each other, what differs marked. */
export function codeDiff(parent: HTMLElement, before: string, after: string): { destroy(): void } {
  const extensions = [...looks(), EditorState.readOnly.of(true), EditorView.editable.of(false)];
  const view = new MergeView({
    parent,
    a: { doc: before, extensions },
    b: { doc: after, extensions },
    collapseUnchanged: {},
  });
  for (const { scrollDOM } of [view.a, view.b]) scrollDOM.tabIndex = 0;
  return view;
}

/** A problem with its place, counted from 1. */
export interface LintProblem {
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly fix?: string;
}

function diagnostic({ line, column, severity, message, fix }: LintProblem, { doc }: EditorState): Diagnostic {
  const found = doc.line(Math.max(1, Math.min(line, doc.lines)));
  const from = Math.min(found.to, found.from + Math.max(0, column - 1));
  return { from, to: found.to, severity, message: [message, fix].filter(Boolean).join("\n") };
}

function complete(context: CompletionContext, path: string, names?: KnownNames): CompletionResult | null {
  const word = context.matchBefore(/[\w$@:.*-]*/);
  if (word === null || (word.from === word.to && !context.explicit) || !/\.ya?ml$/.test(path)) return null;
  const options = completionsAt(context.state.doc.toString(), word.from, names);
  return options.length === 0 ? null : { from: word.from, options: [...options] };
}

function looks(): Extension[] {
  const nonce = document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    basicSetup,
    syntaxHighlighting(COLOURS),
    // JSON is YAML as well, so one grammar colours both.
    yaml(),
    EditorView.theme({
      "&": { color: "var(--ink)", backgroundColor: "var(--panel)", fontSize: "12px", height: "100%" },
      ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--ink)" },
      ".cm-scroller": { fontFamily: "var(--mono)" },
      ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
      ".cm-activeLine, .cm-activeLineGutter": {
        backgroundColor: "color-mix(in srgb, var(--accent-soft) 40%, transparent)",
      },
      "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
        backgroundColor: "var(--accent-soft) !important",
      },
      ".cm-cursor": { borderLeftColor: "var(--ink)" },
      ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line-strong)" },
      ".cm-collapsedLines": { background: "var(--ground)", color: "var(--dim)" },
      ".cm-collapsedLines::before, .cm-collapsedLines::after": { content: '""' },
    }),
  ];
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--allow)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--modify)" },
  { tag: tags.comment, color: "var(--dim)", fontStyle: "italic" },
  { tag: [tags.content, tags.punctuation, tags.separator], color: "var(--ink)" },
]);

/** Only the lines that differ are put in, so that the cursor and the folds stay where they are. */
function smallestChange(before: string, after: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  let end = 0;
  while (end < before.length - from && end < after.length - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
