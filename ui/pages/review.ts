import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ReviewGroup } from "../../src/ui-server/wire.ts";
import { get, hello, post } from "../api.ts";
import { Decision } from "../decision.ts";
import { Detail } from "../detail.ts";
import { countText, nameText, plain, timeText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { VirtualList } from "../virtual-list.ts";

/** Denials and questions, those that are alike together, to be found right or wrong. */
export function ReviewPage(): VNode {
  const [groups, setGroups] = useState<readonly ReviewGroup[] | Error | undefined>(undefined);
  const [days, setDays] = useState(30);
  const [withRight, setWithRight] = useState(false);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    get<{ groups: ReviewGroup[] }>(`/api/review?days=${days}`)
      .then((found) => setGroups(found.groups))
      .catch(setGroups);
  }, [days]);

  const all = groups === undefined || groups instanceof Error ? [] : groups;
  // The chosen group stays in the list until another one is chosen, also when it has just been found right.
  const items = all.filter(({ key, reviewed }) => withRight || reviewed === undefined || key === chosen);
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === chosen),
  );
  const group = items[at];
  const choose = (to: number) => {
    setProblem(undefined);
    setChosen(items[Math.max(0, Math.min(items.length - 1, to))]?.key);
  };

  const mark = (key: string, reviewed: number | undefined) =>
    setGroups((known) =>
      known === undefined || known instanceof Error
        ? known
        : known.map((one) => {
            if (one.key !== key) return one;
            const { reviewed: _, ...rest } = one;
            return reviewed === undefined ? rest : { ...rest, reviewed };
          }),
    );
  /** Shown at once; taken back when it could not be kept. */
  const right = () => {
    if (group === undefined) return;
    const { key, reviewed } = group;
    const isRight = reviewed === undefined;
    mark(key, isRight ? Date.now() : undefined);
    setChosen(key);
    setProblem(undefined);
    post("/api/review/right", { key, isRight }).catch((error: Error) => {
      mark(key, reviewed);
      setProblem(error.message);
    });
  };
  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "j", does: "next group", act: () => choose(at + 1) },
      { keys: "k", does: "previous group", act: () => choose(at - 1) },
      { keys: "r", does: "right: the call had to be stopped", act: right },
    ];
  });

  if (groups === undefined) return html`<p class="waiting" role="status">Reading the journal…</p>`;
  if (groups instanceof Error) return html`<p class="empty bad" role="alert">${groups.message}</p>`;
  const open = items.filter(({ reviewed }) => reviewed === undefined);
  const count = open.reduce((sum, one) => sum + one.count, 0);
  return html`<div class="review">
    <header class="page-head">
      <h1>Review</h1>
      <span class="dim" role="status">${count === 1 ? "1 denial or question" : `${count.toLocaleString("en")} denials and questions`} in ${countText(open.length, "group")}</span>
      <span class="grow"></span>
      <label>of the last <select value=${String(days)} onChange=${(event: Event) => setDays(Number((event.target as HTMLSelectElement).value))}>${[1, 7, 30, 90].map((value) => html`<option value=${value} selected=${value === days}>${countText(value, "day")}</option>`)}</select></label>
      <label><input type="checkbox" checked=${withRight} onChange=${() => setWithRight(!withRight)} /> also those marked as right</label>
    </header>
    ${
      group === undefined
        ? html`<div class="empty"><p>Nothing waits for you.</p><p>Calls that agents are denied, or that you are asked about, are collected here, so that you can say which were right. The <a href="/playground">playground</a> shows what would be stopped, without an agent.</p></div>`
        : html`<${VirtualList} label="Groups of denials and questions" items=${items} rowHeight=${46} keyOf=${(one: ReviewGroup) => one.key} row=${groupRow} stateOf=${(one: ReviewGroup) => one.reviewed} selected=${group.key} onSelect=${(one: ReviewGroup) => choose(items.indexOf(one))} />
    <section class="group" aria-label="The chosen group">
      <h2><code>${plain(group.shape)}</code></h2>
      <p><${Decision} action=${group.action} /> by <b>${plain(group.hook)}</b>${group.rule && html` <span class="tag">${plain(group.rule)}</span>`}
        <span class="dim"> ${countText(group.count, "time")} in ${countText(group.sessions, "session")} · ${group.agents.map((agent) => plain(agent)).join(", ")} · ${group.projects.map(nameText).join(", ")} · last ${timeText(group.last)}</span></p>
      <div class="acts">
        <button type="button" onClick=${right} aria-keyshortcuts="r">${group.reviewed === undefined ? "Right: it had to be stopped" : "Open it again"} <kbd aria-hidden="true">r</kbd></button>
        <a href=${`/editor?denial=${group.example.id}`}>New hook from it</a>
      </div>
      ${group.reviewed !== undefined && html`<p role="status" class="good">Found right; it comes back when there is a new one.</p>`}
      ${problem !== undefined && html`<p role="alert" class="bad">${plain(problem)}</p>`}
      ${hello.value?.confirms !== true && html`<p class="note">Allowing is confirmed in the terminal of <code>sluice ui</code>, and that is not possible now: ${String(hello.value?.confirms)}.</p>`}
      <${Detail} id=${group.example.id} at=${group.example.at} />
    </section>`
    }
  </div>`;
}

const groupRow = (
  group: ReviewGroup,
): VNode => html`<div class=${group.reviewed === undefined ? "group-row" : "group-row dim"}>
  <span class="num">${group.count}</span>
  <span class="what"><code>${plain(group.shape)}</code><br /><span class="dim">${plain(group.hook)}${group.rule ? ` · ${plain(group.rule)}` : ""}</span></span>
  <${Decision} action=${group.action} />
</div>`;
