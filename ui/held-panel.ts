import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { HeldCall, HeldChange, HeldOutcome } from "../src/ui-server/wire-summary.ts";
import { get, post } from "./api.ts";
import { confirming, usePin } from "./confirming.ts";
import { Diff } from "./diff.ts";
import { countText, plain } from "./format.ts";
import { html } from "./html.ts";

interface HeldPanelProps {
  readonly id: string;
  /** Where it is shown what a person has decided, if not here. */
  readonly onDecided?: (text: string) => void;
}

/** What a contained call has changed and a person keeps or drops, all of it or some: what it deletes comes first. */
export function HeldPanel({ id, onDecided }: HeldPanelProps): VNode {
  const [held, setHeld] = useState<HeldCall | Error | undefined>(undefined);
  const [told, setTold] = useState<{ readonly text: string; readonly tone: string } | undefined>(undefined);
  const load = () =>
    get<HeldCall>(`/api/held?id=${encodeURIComponent(id)}`)
      .then(setHeld)
      .catch(setHeld);
  useEffect(() => void load(), [id]);
  const decide = async (act: "keep" | "drop", body: object, proof: () => Promise<object>) => {
    try {
      const { done, left, undo } = await post<HeldOutcome>(`/api/held/${act}`, { ...body, ...(await proof()) });
      const back = undo === undefined ? "" : ` In a terminal, sluice undo ${undo} takes it back.`;
      const alone = left.map(({ path, why }) => ` ${path} is left alone: ${why}.`).join("");
      const text = `${countText(done, "change")} ${act === "keep" ? "kept" : "dropped"}.${back}${alone}`;
      if (onDecided === undefined) setTold({ text, tone: left.length > 0 ? "note" : "good" });
      else onDecided(text);
      await load();
    } catch (error) {
      const { message, fix } = error as Error & { fix?: string };
      setTold({ text: [message, fix].filter(Boolean).join(" "), tone: "bad" });
    }
  };
  const tell = (text: string) => setTold({ text, tone: "note" });
  const isSettled = held instanceof Error && told?.tone !== "bad" && told !== undefined;
  return html`<div class="preview" role="group" aria-label=${`Held changes of ${id}`}>
    ${held === undefined && html`<p class="dim" role="status">Looking at what is held…</p>`}
    ${held instanceof Error && !isSettled && html`<p class="bad" role="alert">${plain(held.message)}</p>`}
    ${held !== undefined && !(held instanceof Error) && html`<${HeldChanges} key=${held.changes.length} held=${held} decide=${decide} tell=${tell} />`}
    ${told !== undefined && html`<p role=${told.tone === "bad" ? "alert" : "status"} class=${told.tone}>${plain(told.text)}</p>`}
  </div>`;
}

interface HeldChangesProps {
  readonly held: HeldCall;
  readonly decide: (act: "keep" | "drop", body: object, proof: () => Promise<object>) => Promise<void>;
  readonly tell: (text: string) => void;
}

function HeldChanges({ held, decide, tell }: HeldChangesProps): VNode {
  const { id, changes, more, isInterrupted } = held;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isSure, setSure] = useState(false);
  const { typed, clear, isMissing, note, field } = usePin(held, `the changes of ${id}`);
  const chosen = changes.filter(({ path }) => !left.has(path));
  const isAll = chosen.length === changes.length;
  const count = countText(isAll ? changes.length + more : chosen.length, "change");
  const body = { id, ...(isAll ? {} : { paths: chosen.map(({ path }) => path) }) };
  const choose = (path: string) => {
    const next = new Set(left);
    if (!next.delete(path)) next.add(path);
    setLeft(next);
    setSure(false);
  };
  const keep = (event: SubmitEvent) => {
    event.preventDefault();
    clear();
    void decide("keep", { ...body, ...typed }, () =>
      confirming({ path: "/api/held/proof", body, asks: held, ...typed }, tell),
    );
  };
  const drop = () => (isSure ? void decide("drop", body, async () => ({})) : setSure(true));
  return html`${isInterrupted && html`<p class="note">The call was interrupted before its changes were judged: nothing objected to them, and nothing allowed them.</p>`}
    <ul class="held-list">${changes.map((change) => html`<li class="held-change" key=${change.path}><${Change} change=${change} isChosen=${!left.has(change.path)} choose=${choose} /></li>`)}</ul>
    ${more > 0 && html`<p class="note">${countText(more, "change")} more. In a terminal: <code>sluice inside --show ${id} --diff</code></p>`}
    ${note}
    <form class="answers" aria-label=${`Keep changes of ${id}`} onSubmit=${keep}>${field}
      <button type="submit" class="main" disabled=${isMissing || chosen.length === 0}>Keep ${count}</button>
      <button type="button" disabled=${chosen.length === 0} onClick=${drop}>${isSure ? `Really drop ${count}` : `Drop ${count}…`}</button></form>`;
}

interface ChangeProps {
  readonly change: HeldChange;
  readonly isChosen: boolean;
  readonly choose: (path: string) => void;
}

function Change({ change: { path, change, kind, why, texts }, isChosen, choose }: ChangeProps): VNode {
  return html`<label class="held-path"><input type="checkbox" checked=${isChosen} onChange=${() => choose(path)} />
      <span class=${`tag is-${change === "deleted" ? "deletes" : "writes"}`}>${change}</span> <code>${plain(path)}${kind === "folder" ? "/" : ""}</code></label>
    ${why !== undefined && html`<p class="dim">${plain(why)}</p>`}
    ${texts !== undefined && html`<${Diff} before=${texts.before ?? ""} after=${texts.after ?? ""} label=${`${change} ${path}`} />`}`;
}
