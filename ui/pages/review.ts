import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { ActOutcome, ReviewGroup } from "../../src/ui-server/wire.ts";
import type { AllowPreview } from "../../src/ui-server/wire-policy.ts";
import { get, hello, post } from "../api.ts";
import { Decision } from "../decision.ts";
import { Detail } from "../detail.ts";
import { countText, nameText, pathText, plain, timeText } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { Replayed } from "../replay-summary.ts";
import { VirtualList } from "../virtual-list.ts";

/** What is going on with an act that the terminal has to confirm. */
interface Doing {
  readonly key: string;
  readonly text: string;
  readonly kind: "waits" | "done" | "failed";
}

/** Denials and questions, those that are alike together, to be found right or wrong. */
export function ReviewPage(): VNode {
  const [groups, setGroups] = useState<readonly ReviewGroup[] | undefined>(undefined);
  const [days, setDays] = useState(30);
  const [withRight, setWithRight] = useState(false);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [doing, setDoing] = useState<Doing | undefined>(undefined);
  const load = () =>
    get<{ groups: ReviewGroup[] }>(`/api/review?days=${days}`).then((found) => setGroups(found.groups));
  useEffect(() => {
    void load().catch((error: Error) => setDoing({ key: "", text: error.message, kind: "failed" }));
  }, [days]);

  const items = (groups ?? []).filter(({ reviewed }) => withRight || reviewed === undefined);
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === chosen),
  );
  const group = items[at];

  const act = async (text: string, run: (group: ReviewGroup) => Promise<string>) => {
    if (group === undefined || doing?.kind === "waits") return;
    setDoing({ key: group.key, text, kind: "waits" });
    try {
      setDoing({ key: group.key, text: await run(group), kind: "done" });
      setChosen(items[at + 1]?.key ?? group.key);
    } catch (error) {
      const { message, fix } = error as Error & { fix?: string };
      setDoing({ key: group.key, text: [message, fix].filter(Boolean).join(" "), kind: "failed" });
    }
  };
  const mark = (key: string, reviewed: number | undefined) =>
    setGroups((all) =>
      all?.map((one) => {
        if (one.key !== key) return one;
        const { reviewed: _, ...rest } = one;
        return reviewed === undefined ? rest : { ...rest, reviewed };
      }),
    );
  /** Shown at once, so that the next key is for the next group; put back when it could not be kept. */
  const right = () => {
    if (group === undefined) return;
    const { key, reviewed } = group;
    const isRight = reviewed === undefined;
    mark(key, isRight ? Date.now() : undefined);
    setChosen(items[at + 1]?.key ?? items[at - 1]?.key);
    const text = isRight ? "Found right; it comes back when there is a new one." : "It is open again.";
    setDoing({ key, text, kind: "done" });
    post("/api/review/right", { key, isRight }).catch((error: Error) => {
      mark(key, reviewed);
      setDoing({ key, text: error.message, kind: "failed" });
    });
  };
  const test = () =>
    act("Writing the test…", async ({ example: { id, at: time } }) => {
      const { file } = await post<{ file: string }>("/api/review/test", { id, at: time });
      return `Written into ${pathText(file)}; \`sluice test\` fails until the policy lets it pass.`;
    });
  const confirmed = (path: string) => () =>
    act("Answer the question in the terminal in which sluice ui runs…", async ({ example: { id } }) => {
      const { done, told } = await post<ActOutcome>(path, { id });
      return told.at(-1) ?? (done ? "Done." : "Nothing was changed.");
    });
  const [preview, setPreview] = useState<(AllowPreview & { readonly key: string }) | undefined>(undefined);
  const write = confirmed("/api/act/allow");
  const shown = preview !== undefined && preview.key === group?.key ? preview : undefined;
  const look = async () => {
    if (group === undefined) return;
    setDoing({ key: group.key, text: "Judging the calls of the last 30 days…", kind: "waits" });
    try {
      setPreview({ ...(await post<AllowPreview>("/api/review/preview", { id: group.example.id })), key: group.key });
      setDoing(undefined);
    } catch (error) {
      const { message, fix } = error as Error & { fix?: string };
      setDoing({ key: group.key, text: [message, fix].filter(Boolean).join(" "), kind: "failed" });
    }
  };
  const allow = () => (shown === undefined ? look() : write());
  const once = confirmed("/api/act/once");
  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "j", does: "next group", act: () => setChosen(items[Math.min(items.length - 1, at + 1)]?.key) },
      { keys: "k", does: "the group before", act: () => setChosen(items[Math.max(0, at - 1)]?.key) },
      { keys: "r", does: "right: it had to be stopped", act: right },
      { keys: "w", does: "wrong: make a test", act: test },
      {
        keys: "a",
        does: "allow from now on: shows what it would let pass, then asks at the terminal",
        act: () => group?.may.always && allow(),
      },
      { keys: "o", does: "let the latest pass once (asks at the terminal)", act: () => group?.may.once && once() },
    ];
  });

  if (groups === undefined) return html`<p class="waiting" role="status">${doing?.text ?? "Reading the journal…"}</p>`;
  const count = items.reduce((sum, one) => sum + one.count, 0);
  return html`<div class="review">
    <header class="page-head">
      <h1>Review</h1>
      <span class="dim" role="status">${count === 1 ? "1 denial or question" : `${count.toLocaleString("en")} denials and questions`} in ${countText(items.length, "group")}</span>
      <span class="grow"></span>
      <label>of the last <select value=${String(days)} onChange=${(event: Event) => setDays(Number((event.target as HTMLSelectElement).value))}>${[1, 7, 30, 90].map((value) => html`<option value=${value} selected=${value === days}>${countText(value, "day")}</option>`)}</select></label>
      <label><input type="checkbox" checked=${withRight} onChange=${() => setWithRight(!withRight)} /> with those found right</label>
    </header>
    ${
      group === undefined
        ? html`<div class="empty"><p>Nothing waits for you.</p><p>Calls that agents are denied, or that you are asked about, are collected here, so that you can say which were right. The <a href="/playground">playground</a> shows what would be stopped, without an agent.</p></div>`
        : html`<${VirtualList} label="Groups of denials and questions" items=${items} rowHeight=${46} keyOf=${(one: ReviewGroup) => one.key} row=${groupRow} selected=${group.key} onSelect=${(one: ReviewGroup) => setChosen(one.key)} />
    <section class="group" aria-label="The chosen group">
      <h2><code>${plain(group.shape)}</code></h2>
      <p><${Decision} action=${group.action} /> by <b>${group.hook}</b>${group.rule && html` <span class="tag">${group.rule}</span>`}
        <span class="dim"> ${countText(group.count, "time")} in ${countText(group.sessions, "session")} · ${group.agents.join(", ")} · ${group.projects.map(nameText).join(", ")} · last ${timeText(group.last)}</span></p>
      <div class="acts">
        <button type="button" onClick=${right}>${group.reviewed === undefined ? "Right" : "Open it again"} <kbd>r</kbd></button>
        <button type="button" onClick=${test}>Wrong: make a test <kbd>w</kbd></button>
        <button type="button" disabled=${!group.may.always} onClick=${allow} title=${group.may.always ? "The narrowest exception of the guard, as sluice allow makes it" : "Only what a guard alone has stopped can become an exception; change the hook instead"}>Allow from now on… <kbd>a</kbd></button>
        <button type="button" disabled=${!group.may.once} onClick=${once}>Once… <kbd>o</kbd></button>
        <a href=${`/editor?denial=${group.example.id}`}>New hook from it</a>
      </div>
      ${hello.value?.confirms !== true && html`<p class="note">Allowing is confirmed in the terminal of <code>sluice ui</code>, and that is not possible now: ${String(hello.value?.confirms)}.</p>`}
      ${doing !== undefined && html`<p role="status" class=${doing.kind === "failed" ? "bad" : doing.kind === "waits" ? "note" : "good"}>${plain(doing.text)}</p>`}
      ${
        shown !== undefined &&
        html`<div class="preview"><h3>${pathText(shown.file)} as it would be</h3><pre class="value" tabindex="0">${shown.lines.map(({ kind, line }) => html`<span class=${`diff-${kind.replace(" ", "-")}`}>${{ same: "  ", gone: "- ", new: "+ ", "left out": "  " }[kind]}${plain(line)}\n</span>`)}</pre>
        <${Replayed} replay=${shown.replay} /><button type="button" class="main" onClick=${write}>Ask at the terminal…</button></div>`
      }
      <${Detail} id=${group.example.id} at=${group.example.at} />
    </section>`
    }
  </div>`;
}

const groupRow = (group: ReviewGroup): VNode => html`<div class="group-row">
  <span class="num">${group.count}</span>
  <span class="what"><code>${plain(group.shape)}</code><br /><span class="dim">${group.hook}${group.rule ? ` · ${group.rule}` : ""}</span></span>
  <${Decision} action=${group.action} />
</div>`;
