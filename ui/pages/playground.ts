import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TriedAnswer, TriedHook, TryResult } from "../../src/ui-server/wire.ts";
import type { PolicyFile } from "../../src/ui-server/wire-policy.ts";
import { address } from "../address.ts";
import { get, post, type RequestError } from "../api.ts";
import { Decision } from "../decision.ts";
import { Effect, Rules, Section, Value } from "../detail.ts";
import { GALLERY } from "../examples.ts";
import { pathsText, pathText, plain } from "../format.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";

/** What is tried; all of it is after the # of the address. */
interface Trial {
  readonly text: string;
  /** The file whose text is tried before it is saved, and that text. */
  readonly path?: string;
  readonly draft?: string;
}

/** What would come of a call, before anything runs it. */
export function PlaygroundPage(): VNode {
  const [trial, setTrial] = useState<Trial>(fromHash);
  const [result, setResult] = useState<TryResult | RequestError | undefined>(undefined);
  const [files, setFiles] = useState<readonly PolicyFile[]>([]);
  const input = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    get<PolicyFile[]>("/api/policies")
      .then(setFiles)
      .catch(() => {});
  }, []);
  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "/", does: "write what to try", act: () => input.current?.focus() },
      { keys: "e", does: "begin with an example", act: () => document.getElementById("examples")?.focus() },
      { keys: "o", does: "choose the policy", act: () => document.getElementById("policy")?.focus() },
      { keys: "c", does: "copy the address", act: () => void share() },
    ];
  });

  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      history.replaceState(null, "", hashOf(trial));
      setShared(undefined);
      if (trial.text.trim() === "") return setResult(undefined);
      const drafts =
        trial.path !== undefined && trial.draft !== undefined ? [{ path: trial.path, text: trial.draft }] : [];
      post<TryResult>("/api/try", { text: trial.text, drafts }, stop.signal)
        .then(setResult)
        .catch((error) => !stop.signal.aborted && setResult(error));
    }, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [trial]);

  const [shared, setShared] = useState<string | undefined>(undefined);
  const share = async () => {
    history.replaceState(null, "", hashOf(trial));
    await navigator.clipboard.writeText(location.href).then(
      () => setShared("copied"),
      () => setShared("The browser does not let it be copied; take it from the address bar."),
    );
  };
  const choose = (path: string) => {
    const file = files.find((one) => one.path === path);
    const { path: _, draft: __, ...rest } = trial;
    setTrial(file === undefined ? rest : { ...rest, path, draft: file.text });
  };
  return html`<div class="playground">
    <section class="try" aria-label="What to try">
      <h1>Playground</h1>
      <p class="dim">A command line, a tool call as JSON, or what an agent sends. Nothing is run.</p>
      <label class="field">Begin with an example
        <select id="examples" onChange=${(event: Event) => {
          const select = event.target as HTMLSelectElement;
          const found = GALLERY[Number(select.value)];
          if (found !== undefined) setTrial({ ...trial, text: found.text });
        }}><option value="">choose one of ${GALLERY.length}…</option>${GALLERY.map(({ title }, index) => html`<option value=${index}>${title}</option>`)}</select></label>
      <label class="field">Call
        <textarea ref=${input} class="code" rows=${Math.min(18, Math.max(4, trial.text.split("\n").length + 1))} spellcheck=${false} value=${trial.text}
          placeholder="rm -rf build" onInput=${(event: Event) => setTrial({ ...trial, text: (event.target as HTMLTextAreaElement).value })}></textarea></label>
      <p><button type="button" onClick=${() => void share()}>Copy the address</button> <span class="dim" role="status">${shared ?? "it holds the call and the unsaved policy"}</span></p>
      <label class="field">Policy
        <select id="policy" value=${trial.path ?? ""} onChange=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
          <option value="">as it is saved</option>
          ${files.filter(({ isWritable }) => isWritable).map(({ path, exists }) => html`<option value=${path} selected=${path === trial.path}>with changes to ${pathText(path)}${exists ? "" : " (new)"}</option>`)}</select></label>
      ${
        trial.path !== undefined &&
        html`<label class="field">Text of ${pathText(trial.path)}, not saved
        <textarea class="code" rows="16" spellcheck=${false} value=${trial.draft} onInput=${(event: Event) => setTrial({ ...trial, draft: (event.target as HTMLTextAreaElement).value })}></textarea></label>`
      }
    </section>
    <section class="outcome" aria-label="What would come of it" aria-live="polite">
      <h2 class="hidden">What would come of it</h2>
      ${result === undefined ? html`<p class="empty">${trial.text.trim() === "" ? "Write a call, or begin with an example." : "Working out what would happen…"}</p>` : result instanceof Error ? html`<${Failed} error=${result} />` : html`<${Outcome} result=${result} />`}
    </section>
  </div>`;
}

function hashOf(trial: Trial): string {
  return `#${encodeURIComponent(JSON.stringify(trial))}`;
}

function fromHash(): Trial {
  try {
    const { text, path, draft } = JSON.parse(decodeURIComponent(address.value.hash)) as Trial;
    return { text: String(text ?? ""), ...(typeof path === "string" && typeof draft === "string" && { path, draft }) };
  } catch {
    return { text: GALLERY[5]?.text ?? "" };
  }
}

function Failed({ error }: { readonly error: RequestError }): VNode {
  return html`<div class="said"><p>${plain(error.message)}</p>${error.fix && html`<p>${plain(error.fix)}</p>`}</div>`;
}

function Outcome({ result }: { readonly result: TryResult }): VNode {
  const { read, matched, near, answers, act, problems } = result;
  const taken =
    read.as === "payload"
      ? `a payload of ${read.agent}, ${read.hookEvent}`
      : read.as === "command"
        ? "a command line"
        : "a tool call";
  const silent = matched.filter((hook) => !isTelling(hook));
  const running = matched.filter(({ wouldRun }) => wouldRun);
  return html`<div class="outcome-body">
    <p class="verdict"><${Decision} action=${result.action} /> <span class="dim">read as ${taken}: ${result.event}${result.tool ? `, ${result.tool}` : ""}</span></p>
    ${result.reasons.length > 0 && html`<div class="said">${result.reasons.map((reason) => html`<p>${plain(reason)}</p>`)}</div>`}
    ${running.length > 0 && result.action !== "deny" && html`<p class="note">${running.map(({ hook }) => hook).join(", ")} would run first, and could decide otherwise.</p>`}
    ${problems.length > 0 && html`<div class="said">${problems.map((problem) => html`<p class="pre">${plain(pathsText(problem))}</p>`)}</div>`}
    ${result.input !== undefined && html`<${Section} title="The input as hooks change it"><${Value} value=${result.input} /></${Section}>`}
    ${
      act &&
      html`<${Section} title="What the call does"><ul class="effects">
      ${act.commands.map((command) => html`<li><span class="tag">runs</span> <code>${plain(command)}</code></li>`)}
      ${act.effects.map((effect) => html`<li><${Effect} text=${effect} /></li>`)}</ul></${Section}>`
    }
    <${Section} title=${`Hooks that match (${matched.length})`}>
      ${matched.length === 0 && html`<p class="dim">None. <a href="/rules">Rules</a> lists what is in force here.</p>`}
      ${matched.filter(isTelling).map((hook) => html`<${Tried} hook=${hook} />`)}
      ${silent.length > 0 && html`<details><summary>${silent.length} that objected to nothing</summary>${silent.map((hook) => html`<${Tried} hook=${hook} />`)}</details>`}</${Section}>
    ${near.length > 0 && html`<${Section} title=${`Hooks that nearly match (${near.length})`}><ul class="effects">${near.map((one) => html`<li><b>${one.hook}</b> does not: ${one.why} <span class="dim">${one.file ? pathText(one.file) : ""}${one.line ? `:${one.line}` : ""}</span></li>`)}</ul></${Section}>`}
    <${Section} title="What each agent would be answered"><${Answers} answers=${answers} /></${Section}>
  </div>`;
}

/** Whether a hook decides something, would run, or is the user's own. */
function isTelling({ action, wouldRun, file }: TriedHook): boolean {
  return wouldRun || file !== undefined || (action !== undefined && action !== "continue");
}

function Tried({ hook }: { readonly hook: TriedHook }): VNode {
  const place =
    hook.file === undefined ? "" : `${pathText(hook.file)}${hook.line === undefined ? "" : `:${hook.line}`}`;
  const isWatching = hook.mode === "monitor";
  return html`<div class="result"><p class="result-head">
      ${hook.action === undefined ? html`<span class="decision">${hook.wouldRun ? "would run" : "not reached"}</span>` : html`<${Decision} action=${isWatching ? "continue" : hook.action} would=${isWatching && hook.action !== "continue" ? hook.action : undefined} />`}
      <b> ${hook.hook}</b> <span class="dim">${[hook.kind, hook.layer, hook.mode === "enforce" ? "" : hook.mode, place].filter(Boolean).join(" · ")}</span></p>
    ${hook.reason && html`<p class="pre">${plain(hook.reason)}</p>`}
    ${hook.rules && html`<${Rules} rules=${hook.rules} />`}</div>`;
}

function Answers({ answers }: { readonly answers: readonly TriedAnswer[] }): VNode {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Answers by agent"><table class="table"><thead><tr><th scope="col">agent</th><th scope="col">told</th><th scope="col">exit</th><th scope="col">answer</th></tr></thead>
    <tbody>${answers.map(
      (answer) => html`<tr><th scope="row">${answer.title}<br /><span class="dim">${answer.hookEvent ?? ""}</span></th>
      <td>${answer.action === undefined ? html`<span class="dim">nothing</span>` : html`<${Decision} action=${answer.action} />`}</td>
      <td class="num">${answer.exitCode ?? ""}</td>
      <td><${Answer} answer=${answer} />${answer.notes.map((note) => html`<p class="note">${plain(note)}</p>`)}</td></tr>`,
    )}</tbody></table></div>`;
}

function Answer({ answer: { stdout, stderr, action } }: { readonly answer: TriedAnswer }): VNode {
  const lines = [...(stdout ? [stdout] : []), ...(stderr ? [`stderr: ${stderr}`] : [])];
  if (lines.length === 0) return html`<span class="dim">${action === undefined ? "" : "nothing is printed"}</span>`;
  return html`<details><summary><code>${plain((lines[0] ?? "").slice(0, 76))}${(lines[0] ?? "").length > 76 || lines.length > 1 ? "…" : ""}</code></summary>${lines.map((line) => html`<pre class="value" tabindex="0">${plain(line)}</pre>`)}</details>`;
}
