import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { HookMatch, PolicyPicture } from "../src/ui-server/wire-policy.ts";
import { get } from "./api.ts";
import { Rules } from "./detail.ts";
import { searched } from "./filters.ts";
import { countText, msText, pathText, plain, timeText } from "./format.ts";
import { html } from "./html.ts";

type EventRow = PolicyPicture["events"][number];
type HookBox = EventRow["hooks"][number];

/** The policy as a picture: for each event the hooks that listen to it, in the order in which they run. */
export function Picture({ days }: { readonly days: number }): VNode {
  const [picture, setPicture] = useState<PolicyPicture | Error | undefined>(undefined);
  const [chosen, setChosen] = useState<{ readonly event: string; readonly box: HookBox } | undefined>(undefined);
  useEffect(() => {
    get<PolicyPicture>(`/api/picture?days=${days}`).then(setPicture).catch(setPicture);
  }, [days]);
  if (picture === undefined) return html`<p class="waiting" role="status">Reading the policy…</p>`;
  if (picture instanceof Error) return html`<p class="empty bad" role="alert">${picture.message}</p>`;
  if (picture.events.length === 0) return html`<p class="empty">No hook listens to any event here.</p>`;
  return html`<div class="picture">${picture.events.map(
    (row) => html`<section class="picture-event" aria-label=${row.event}>
      <h2>${row.event} <span class=${row.isGate ? "tag" : "tag dim"}>${row.isGate ? "can stop it" : "can only report"}</span> <span class="picture-when">${row.when}</span></h2>
      <ol>${boxesOf(row).map((item) =>
        "guards" in item
          ? html`<li><details><summary>${countText(item.guards.length, "guard")}, ${countText(
              item.guards.reduce((sum, { fired }) => sum + fired, 0),
              "time",
            )} fired</summary><ol>${item.guards.map((box) => html`<li><${Box} box=${box} event=${row.event} chosen=${chosen} choose=${setChosen} /></li>`)}</ol></details></li>`
          : html`<li><${Box} box=${item} event=${row.event} chosen=${chosen} choose=${setChosen} /></li>`,
      )}</ol>
      ${chosen?.event === row.event && html`<${Match} box=${chosen.box} event=${row.event} />`}
    </section>`,
  )}</div>`;
}

/** Guards that follow one another are one box until it is opened. */
function boxesOf({ hooks }: EventRow): (HookBox | { readonly guards: HookBox[] })[] {
  const found: (HookBox | { readonly guards: HookBox[] })[] = [];
  for (const box of hooks) {
    const last = found.at(-1);
    if (!box.isGuard) found.push(box);
    else if (last !== undefined && "guards" in last) last.guards.push(box);
    else found.push({ guards: [box] });
  }
  return found;
}

interface BoxProps {
  readonly box: HookBox;
  readonly event: string;
  readonly chosen: { readonly event: string; readonly box: HookBox } | undefined;
  readonly choose: (chosen: { readonly event: string; readonly box: HookBox } | undefined) => void;
}

function Box({ box, event, chosen, choose }: BoxProps): VNode {
  const isChosen = chosen?.event === event && chosen.box.hook === box.hook && chosen.box.layer === box.layer;
  const state = box.off ?? (box.mode === "monitor" ? "only watches" : undefined);
  return html`<button type="button" class=${`picture-box${box.off === undefined ? "" : " is-off"}`} aria-pressed=${isChosen} onClick=${() => choose(isChosen ? undefined : { event, box })}>
    <b>${plain(box.hook, 80)}</b> <span class="tag">${box.layer}</span>${box.parallel && html` <span class="tag">parallel</span>`}${box.async && html` <span class="tag">async</span>`}${state !== undefined && html` <span class="tag is-failed">${plain(state, 60)}</span>`}
    <span class="dim">${box.kind}, priority ${box.priority}</span>
    <span class="dim">${box.ran === 0 ? "has not run" : `ran ${box.ran.toLocaleString("en")}×, fired ${box.fired.toLocaleString("en")}×, ${msText(box.p50)}`}</span></button>`;
}

/** Why the hook matched one of the latest calls of this event, or did not. */
function Match({ box, event }: { readonly box: HookBox; readonly event: string }): VNode {
  const list = searched({ event });
  const version = list.changes.value;
  const recent = useMemo(
    () => list.calls.flatMap(({ phases }) => phases.filter((row) => row.event === event)).slice(0, MAX_CALLS),
    [list, version, event],
  );
  const [key, setKey] = useState<string | undefined>(undefined);
  const call = recent.find((row) => `${row.at} ${row.id}` === key) ?? recent[0];
  const [match, setMatch] = useState<HookMatch | Error | undefined>(undefined);
  useEffect(() => {
    setMatch(undefined);
    if (call === undefined) return;
    const query = new URLSearchParams({ hook: box.hook, layer: box.layer, id: call.id, at: String(call.at) });
    get<HookMatch>(`/api/match?${query}`).then(setMatch).catch(setMatch);
  }, [box.hook, box.layer, call?.id, call?.at]);
  const place =
    box.file === undefined ? "built in" : `${pathText(box.file)}${box.line === undefined ? "" : `:${box.line}`}`;
  return html`<div class="preview" role="group" aria-label=${`Does ${box.hook} match?`}>
    <p><b>${plain(box.hook, 80)}</b> <span class="dim">${plain(place, 160)}, listens to <code>${plain(box.pattern, 200)}</code></span></p>
    ${
      call === undefined
        ? html`<p class="dim">No call of this event is recorded yet. The <a href="/playground">playground</a> tries one.</p>`
        : html`<label class="field">Call <select value=${key ?? ""} onChange=${(event_: Event) => setKey((event_.target as HTMLSelectElement).value)}>${recent.map((row) => html`<option value=${`${row.at} ${row.id}`}>${timeText(row.at)} ${plain(`${row.tool ?? ""} ${row.text}`, 100)}</option>`)}</select></label>
      <div role="status">${match === undefined ? html`<p class="dim">Looking…</p>` : match instanceof Error ? html`<p class="bad">${plain(match.message)}</p>` : html`<p><span class=${match.matches ? "held yes" : "held no"}>${match.matches ? "matches" : "does not match"}</span> ${plain(match.why)}${match.wouldRun ? "; it would have to run before its answer is known" : ""}.</p>${match.rules && html`<${Rules} rules=${match.rules} />`}`}</div>`
    }</div>`;
}

const MAX_CALLS = 40;
