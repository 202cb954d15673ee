import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ActOutcome, CallDetail } from "../src/ui-server/wire.ts";
import type { AllowPreview } from "../src/ui-server/wire-policy.ts";
import { go } from "./address.ts";
import { exported, get, hello, post } from "./api.ts";
import { markdownOf } from "./call-markdown.ts";
import { Diff } from "./diff.ts";
import { pathText, plain } from "./format.ts";
import { HeldPanel } from "./held-panel.ts";
import { html } from "./html.ts";
import { actKeys } from "./keys.ts";
import { useLiveReplay } from "./live-replay.ts";
import { Replayed } from "./replay-summary.ts";
import { saveText } from "./save-file.ts";
import { UndoPanel } from "./undo-panel.ts";

/** What came of an act. It is shown at the call that it was done for, wherever the person has gone meanwhile. */
interface Outcome {
  readonly text: string;
  readonly kind: "waits" | "done" | "failed";
}

const outcomes = signal<ReadonlyMap<string, Outcome>>(new Map());

/** Does something for a call, and shows at that call how it ended. */
function actFor({ id, at }: CallDetail, waiting: string, run: () => Promise<string>): void {
  const key = `${at} ${id}`;
  const tell = (outcome: Outcome) => {
    outcomes.value = new Map(outcomes.value).set(key, outcome);
  };
  if (outcomes.value.get(key)?.kind === "waits") return;
  tell({ text: waiting, kind: "waits" });
  run().then(
    (text) => tell({ text, kind: "done" }),
    (error: Error & { fix?: string }) =>
      tell({ text: [error.message, error.fix].filter(Boolean).join(" "), kind: "failed" }),
  );
}

/** What asks for the person: the terminal of `sluice ui`. */
const ASKS = "Answer the question in the terminal in which sluice ui runs…";

/** Which panel is open below the buttons. */
type Panel = "exception" | "undo" | "held" | undefined;

interface Act {
  readonly key: string;
  readonly label: string;
  /** Why it is not offered for this call; undefined if it is. */
  readonly whyNot?: string | undefined;
  readonly act: () => void;
}

/** Everything that a person may do about a call, each with its key. */
export function CallActs({ call }: { readonly call: CallDetail }): VNode {
  const [panel, setPanel] = useState<Panel>(undefined);
  useEffect(() => setPanel(undefined), [call.id, call.at]);
  const toggle = (name: Panel) => () => setPanel((now) => (now === name ? undefined : name));
  const acts = actsOf(call, toggle);
  const offered = acts.filter(({ whyNot }) => whyNot === undefined);
  useLayoutEffect(() => {
    actKeys.value = offered.map(({ key, label, act }) => ({ keys: key, does: label.replace("…", ""), act }));
    return () => {
      actKeys.value = [];
    };
  }, [call, panel]);
  const outcome = outcomes.value.get(`${call.at} ${call.id}`);
  const refused = acts.filter(({ whyNot }) => whyNot !== undefined && whyNot !== "");
  return html`<div class="call-acts">
    <div class="acts" role="group" aria-label="Actions for this call">${offered.map(({ key, label, act }) => html`<button type="button" onClick=${act} aria-keyshortcuts=${key}>${label} <kbd aria-hidden="true">${key}</kbd></button>`)}</div>
    ${refused.length > 0 && html`<p class="dim">${refused.map(({ label, whyNot }) => `${label.replace("…", "")}: ${whyNot}`).join(" ")}</p>`}
    ${outcome !== undefined && html`<p role="status" class=${OUTCOME_CLASSES[outcome.kind]}>${plain(outcome.text)}</p>`}
    ${panel === "exception" && html`<${ExceptionPanel} call=${call} />`}
    ${panel === "undo" && html`<${UndoPanel} id=${keptBy(call) ?? ""} />`}
    ${panel === "held" && html`<${HeldPanel} id=${call.contained?.id ?? ""} />`}
  </div>`;
}

const OUTCOME_CLASSES = { waits: "note", done: "good", failed: "bad" } as const;

function actsOf(call: CallDetail, toggle: (panel: Panel) => () => void): Act[] {
  const { id, at, may, action, contained } = call;
  const isLocal = call.machine === undefined && exported === undefined;
  const isObjection = action === "deny" || action === "ask";
  const rule = call.results.find((result) => result.action !== "continue" || result.monitor !== undefined);
  const acts: (Act | false)[] = [
    isLocal &&
      isObjection && {
        key: "o",
        label: "Allow once…",
        whyNot: may.once ? undefined : "this denial cannot be lifted.",
        act: () => actFor(call, ASKS, () => confirmed("/api/act/once", { id })),
      },
    isLocal &&
      isObjection && {
        key: "a",
        label: "Exception…",
        whyNot: may.always ? undefined : "only what guards alone have stopped can become one; change the hook instead.",
        act: toggle("exception"),
      },
    isLocal && {
      key: "w",
      label: isObjection ? "Test: must pass" : "Test: must be denied",
      act: () =>
        actFor(call, "Writing the test…", async () => {
          const expect = isObjection ? "continue" : "deny";
          const { file } = await post<{ file: string }>("/api/review/test", { id, at, expect });
          return `Written to ${pathText(file)}. \`sluice test\` fails until the policy ${isObjection ? "lets the call pass" : "denies the call"}.`;
        }),
    },
    rule !== undefined && isLocal && { key: "e", label: "Open the rule", act: () => go(placeOf(rule)) },
    isLocal &&
      (contained?.state === "held" || contained?.state === "interrupted") && {
        key: "h",
        label: "Keep or drop…",
        act: toggle("held"),
      },
    isLocal && keptBy(call) !== undefined && { key: "u", label: "Undo…", act: toggle("undo") },
    {
      key: "m",
      label: "Copy as Markdown",
      act: () =>
        actFor(call, "Copying…", () =>
          navigator.clipboard.writeText(markdownOf(call)).then(
            () => "Copied.",
            () => {
              throw new Error("The browser does not allow copying.");
            },
          ),
        ),
    },
    isLocal && {
      key: "x",
      label: "Save as a page",
      act: () =>
        actFor(call, "Writing the page…", async () => {
          const page = await get<{ html: string }>(`/api/call/page?id=${encodeURIComponent(id)}&at=${at}`);
          saveText(page.html, `sluice-call-${id}.html`, "text/html");
          return `Saved as sluice-call-${id}.html. It opens in any browser.`;
        }),
    },
  ];
  return acts.filter((act) => act !== false);
}

/** The id of what was kept of a call, or of its contained run. */
function keptBy({ kept, contained }: CallDetail): string | undefined {
  return kept?.id ?? contained?.undo;
}

/** Where a rule is shown: its line in the editor, or the row of a guard. */
function placeOf({ hook, file, line }: CallDetail["results"][number]): string {
  if (file?.startsWith("/") === true)
    return `/editor?file=${encodeURIComponent(file)}${line === undefined ? "" : `&line=${line}`}`;
  return `/rules?hook=${encodeURIComponent(hook)}`;
}

async function confirmed(path: string, body: object): Promise<string> {
  const { done, told } = await post<ActOutcome>(path, body);
  if (!done) throw new Error(told.at(-1) ?? "Nothing was changed.");
  return told.at(-1) ?? "Done.";
}

const WIDTHS = [
  ["exact", "Exactly this call"],
  ["folder", "Everything in its folder"],
  ["options", "This program with these options, whatever follows"],
] as const;

/** The exception in three widths, each with the change of the file and what it would have let pass. */
function ExceptionPanel({ call }: { readonly call: CallDetail }): VNode {
  const { id } = call;
  const [width, setWidth] = useState<(typeof WIDTHS)[number][0]>("exact");
  const [preview, setPreview] = useState<AllowPreview | Error | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    setPreview(undefined);
    post<AllowPreview>("/api/review/preview", { id, width }, stop.signal)
      .then(setPreview)
      .catch((error) => !stop.signal.aborted && setPreview(error));
    return () => stop.abort();
  }, [id, width]);
  const shown = preview instanceof Error ? undefined : preview;
  const replay = useLiveReplay(shown?.file ?? "", shown?.after ?? "", shown !== undefined);
  const write = () =>
    actFor(call, ASKS, async () => {
      const told = await confirmed("/api/act/allow", { id, width });
      return told;
    });
  return html`<div class="preview" role="group" aria-label="Exception">
    <fieldset class="widths"><legend>How much passes</legend>${WIDTHS.map(([value, text]) => html`<label><input type="radio" name="width" value=${value} checked=${value === width} onChange=${() => setWidth(value)} /> ${text}</label>`)}</fieldset>
    ${preview === undefined && html`<p class="dim" role="status">Working out the exception…</p>`}
    ${preview instanceof Error && html`<p class="bad" role="alert">${plain([preview.message, (preview as Error & { fix?: string }).fix].filter(Boolean).join(" "))}</p>`}
    ${
      shown !== undefined &&
      html`<h3>${pathText(shown.file)} as it would be</h3><${Diff} before=${shown.before} after=${shown.after} label="Change of the configuration" />
      <div role="status">${replay === undefined ? html`<p class="dim">Judging the recorded calls by it…</p>` : "problem" in replay ? html`<p class="bad">${plain(replay.problem)}</p>` : html`<${Replayed} replay=${replay.summary} />`}</div>
      ${hello.value?.confirms !== true && html`<p class="note">This is confirmed in the terminal of <code>sluice ui</code>, which is not possible now: ${String(hello.value?.confirms)}.</p>`}
      <button type="button" class="main" onClick=${write}>Write the exception…</button>`
    }
  </div>`;
}
