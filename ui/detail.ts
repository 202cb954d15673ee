import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ROLES, type Role } from "../src/effects/effect.ts";
import type { CallDetail, CallRow, WireCondition, WireResult, WireRule } from "../src/ui-server/wire.ts";
import { get } from "./api.ts";
import { CallActs } from "./call-acts.ts";
import { Decision } from "./decision.ts";
import { Diff } from "./diff.ts";
import { bytesText, countText, msText, pathText, plain, sessionText, timeText } from "./format.ts";
import { html } from "./html.ts";
import { isNarrow } from "./virtual-list.ts";

/** Everything that is known about one call: what `sluice why` reports. */
export function Detail({ id: first, at: firstAt, phases = [], onClose }: DetailProps): VNode {
  const [chosen, setChosen] = useState<CallRow | undefined>(undefined);
  useEffect(() => setChosen(undefined), [first, firstAt]);
  const { id, at } = chosen ?? { id: first, at: firstAt };
  const [shown, setShown] = useState<CallDetail | string | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    setShown(undefined);
    get<CallDetail>(`/api/call?id=${encodeURIComponent(id)}&at=${at}`, stop.signal)
      .then(setShown)
      .catch((error: Error) => !stop.signal.aborted && setShown(error.message));
    return () => stop.abort();
  }, [id, at]);
  // On a narrow screen it is below the list.
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (onClose !== undefined && isNarrow.matches) place.current?.scrollIntoView({ block: "start" });
  }, [first, firstAt, shown === undefined]);
  return html`<aside class="detail" ref=${place} aria-label=${`Call ${id}`}>
    <header class="detail-head">
      <h2><code>${id}</code></h2>
      ${typeof shown === "object" && html`<${Decision} action=${shown.action} would=${shown.would} />`}
      <span class="grow"></span>
      ${onClose && html`<button type="button" class="quiet" onClick=${onClose} aria-label="Close the call">Close</button>`}
    </header>
    ${phases.length > 1 && html`<div class="phases" role="group" aria-label="Records of this call">${phases.map((row) => html`<button type="button" aria-pressed=${row.id === id && row.at === at} onClick=${() => setChosen(row)}>${PHASES[row.event] ?? row.event}</button>`)}</div>`}
    ${shown === undefined ? html`<p class="dim" role="status">Reading…</p>` : typeof shown === "string" ? html`<p class="bad" role="alert">${shown}</p>` : html`<${Known} call=${shown} />`}
  </aside>`;
}

const PHASES: Readonly<Record<string, string>> = {
  "tool:pre_execute": "Before it ran",
  "tool:post_execute": "After it ran",
  "tool:error": "It failed",
  "permission:check": "Permission",
  "permission:prompt": "Question",
  "permission:granted": "Granted",
  "permission:denied": "Denied",
};

interface DetailProps {
  readonly id: string;
  readonly at: number;
  /** All records of the call. */
  readonly phases?: readonly CallRow[];
  readonly onClose?: () => void;
}

function Known({ call }: { readonly call: CallDetail }): VNode {
  return html`<div class="detail-body">
    ${call.reasons.length > 0 && html`<div class="said">${call.reasons.map((reason) => html`<p>${plain(reason)}</p>`)}</div>`}
    <${CallActs} call=${call} />
    <${Facts} rows=${factRows(call)} />
    ${call.input !== undefined && html`<${Section} title="Input"><${Value} value=${call.input} /></${Section}>`}
    ${editsIn(call.input).map(([before, after]) => html`<${Section} title="What the edit replaces"><${Diff} before=${before} after=${after} label="The edit" /></${Section}>`)}
    ${
      call.changes.length > 0 &&
      html`<${Section} title=${`Hooks changed the ${call.changed ?? "input"}`}>
      ${call.changes.map(
        ({ field, before, after }) => html`<div class="change"><b>${field}</b>
        ${before !== undefined && html`<del aria-label="before"><${Value} value=${before} /></del>`}
        ${after !== undefined && html`<ins aria-label="after"><${Value} value=${after} /></ins>`}</div>`,
      )}
    </${Section}>`
    }
    ${
      call.act &&
      html`<${Section} title="What the call does">
      <ul class="effects">${call.act.commands.map((command) => html`<li><span class="tag">runs</span> <code>${plain(command)}</code></li>`)}
      ${call.act.effects.map((effect) => html`<li><${Effect} text=${effect} /></li>`)}</ul>
    </${Section}>`
    }
    <${Section} title=${`Hooks (${call.results.length}${call.quiet > 0 ? `, and ${call.quiet} guards that objected to nothing` : ""})`}>
      ${call.results.length === 0 && html`<p class="dim">No hook objected or changed anything.</p>`}
      ${call.results.map((result) => html`<${Result} result=${result} />`)}
    </${Section}>
    ${call.told.length > 0 && html`<${Section} title="What the agent was told">${call.told.map((text) => html`<p class="pre">${plain(text)}</p>`)}</${Section}>`}
    ${call.kept && html`<${Section} title="Kept for undo"><p>${countText(call.kept.files, "file")}, ${bytesText(call.kept.bytes)}. In a terminal: <code>sluice undo ${call.kept.id}</code></p></${Section}>`}
    ${
      call.traced.length > 0 &&
      html`<${Section} title="Changes that it made">
      <ul class="effects">${call.traced.map((one) => html`<li><span class="tag">${one.kind}</span> <code>${plain(one.path)}</code> <span class="dim">${one.intent ?? "no intent"}</span></li>`)}</ul>
    </${Section}>`
    }
    ${call.notes.length > 0 && html`<${Section} title="Notes">${call.notes.map((note) => html`<p>${plain(note)}</p>`)}</${Section}>`}
  </div>`;
}

/** The texts that an edit replaces, and what with, as the editing tools of agents name them. */
export function editsIn(input: unknown): (readonly [string, string])[] {
  if (typeof input !== "object" || input === null) return [];
  const fields = input as Readonly<Record<string, unknown>>;
  const own = Object.entries(fields).flatMap(([name, before]) => {
    const after = fields[name.replace(/^old/i, "new")];
    return /^old/i.test(name) && typeof before === "string" && typeof after === "string"
      ? [[before, after] as const]
      : [];
  });
  return [...own, ...(Array.isArray(fields.edits) ? fields.edits.slice(0, MAX_EDITS).flatMap(editsIn) : [])];
}

const MAX_EDITS = 20;

function factRows(call: CallDetail): (readonly [string, string | VNode])[] {
  const rows: (readonly [string, string | VNode | undefined])[] = [
    ["when", timeText(call.at)],
    ["event", call.event],
    ["tool", call.tool],
    ["machine", call.machine],
    ["agent", call.agent],
    [
      "session",
      call.session && html`<a href=${`/session/${encodeURIComponent(call.session)}`}>${sessionText(call.session)}</a>`,
    ],
    ["folder", call.cwd && pathText(call.cwd)],
    ["took", msText(call.ms)],
    ["contained", call.contained && `${call.contained.id}, ${call.contained.backend}: ${call.contained.state}`],
  ];
  return rows.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const]));
}

/** Names and their values, in two columns. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, string | VNode])[] }): VNode {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${typeof value === "string" ? plain(value) : value}</dd></div>`)}</dl>`;
}

/** A part of a page with a heading of its own. */
export function Section({ title, children }: { readonly title: string; readonly children?: unknown }): VNode {
  return html`<section class="part"><h3>${title}</h3>${children}</section>`;
}

/** A value of an input: texts as they are, everything else as JSON. */
export function Value({ value }: { readonly value: unknown }): VNode {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const fields = Object.entries(value);
    if (fields.every(([, inner]) => typeof inner !== "object" || inner === null))
      return html`<dl class="facts">${fields.map(([name, inner]) => html`<div><dt>${plain(name)}</dt><dd class="pre">${plain(String(inner))}</dd></div>`)}</dl>`;
  }
  return html`<pre class="value" tabindex="0">${plain(typeof value === "string" ? value : JSON.stringify(value, null, 2))}</pre>`;
}

/** One effect, its verb as a tag. */
export function Effect({ text }: { readonly text: string }): VNode {
  const [, what, target] = /^(?:file )?(.+) flows to (.+)$/.exec(text) ?? [];
  if (what !== undefined)
    return html`<span class="tag is-sends">sends</span> ${plain(`${what} to ${target === "network" ? "the network" : target}`)}`;
  const roles = text.split(" ").map((word) => (Object.hasOwn(ROLES, word) ? ROLES[word as Role] : undefined));
  if (roles.every((role) => role !== undefined)) return html`<span class="tag">does</span> ${roles.join("; ")}`;
  const [word = "", ...rest] = text.split(" ");
  if (!VERBS.has(word)) return html`<span class="tag">is</span> ${plain(text)}`;
  const where = rest.join(" ").replace(/(^| )\?$/, "$1a place that the call does not name");
  return html`<span class=${`tag is-${word}`}>${word}</span> ${plain(where)}`;
}

const VERBS: ReadonlySet<string> = new Set(["reads", "writes", "deletes", "sends", "talks", "runs", "moves", "links"]);

/** What one hook returned, with its rules part by part. */
function Result({ result }: { readonly result: WireResult }): VNode {
  const { hook, layer, file, line, kind, action, monitor, reason, failure, error, ms, rules, since, caution } = result;
  const place = file === undefined ? "" : `${pathText(file)}${line === undefined ? "" : `:${line}`}`;
  return html`<div class="result">
    <p class="result-head"><${Decision} action=${action} would=${monitor} /> <b>${hook}</b>
      <span class="dim">${[kind, layer, place, msText(ms)].filter(Boolean).join(" · ")}</span></p>
    ${reason && html`<p class="pre">${plain(reason)}</p>`}
    ${failure && html`<p class="bad">Broke (${failure})${error ? `: ${plain(error)}` : ""}</p>`}
    ${since === "changed" && html`<p class="dim">This hook was changed since; what it returns now is not what it returned then.</p>`}
    ${since === "gone" && html`<p class="dim">This hook is no longer there, so its rules cannot be shown.</p>`}
    ${caution && html`<p class="dim">${caution}</p>`}
    ${rules && rules.length > 0 && html`<${Rules} rules=${rules} />`}
  </div>`;
}

/** Rules, each part coloured by whether it held; those that do not match are folded away beside one that does. */
export function Rules({ rules }: { readonly rules: readonly WireRule[] }): VNode {
  const told = rules.filter(({ matched }) => matched);
  const others = rules.filter(({ matched }) => !matched);
  if (told.length === 0 && others.length <= 2)
    return html`<ol class="rules">${others.map((rule) => html`<${OneRule} rule=${rule} />`)}</ol>`;
  return html`<ol class="rules">${told.map((rule) => html`<${OneRule} rule=${rule} />`)}</ol>
    ${others.length > 0 && html`<details><summary>${others.length === 1 ? "1 rule that does not match" : `${others.length} rules that do not match`}</summary><ol class="rules">${others.map((rule) => html`<${OneRule} rule=${rule} />`)}</ol></details>`}`;
}

function OneRule({ rule }: { readonly rule: WireRule }): VNode {
  return html`<li class=${rule.decides ? "decides" : ""}><code>${plain(rule.text)}</code>
    <span class="dim">${rule.decides ? "matches and decides" : rule.matched ? "matches, but another rule decided before it" : "does not match"}</span>
    <ul class="tree"><${Condition} condition=${rule.condition} /></ul></li>`;
}

function Condition({ condition }: { readonly condition: WireCondition }): VNode {
  const { held, text, values = [], of = [], kind } = condition;
  return html`<li><span class=${held ? "held yes" : "held no"}>${held ? "yes" : "no"}</span>
    ${kind === "compare" ? html`<code>${plain(text)}</code>` : html`<b>${{ all: "all of", any: "any of", not: "not" }[kind]}</b>`}
    ${kind === "compare" && html`<span class="seen">${values.length === 0 ? "the field is missing" : values.map(({ text: value, fits }) => html`<span class=${fits ? "fits" : ""}>${plain(value, 200)}</span>`)}</span>`}
    ${of.length > 0 && html`<ul>${of.map((inner) => html`<${Condition} condition=${inner} />`)}</ul>`}
  </li>`;
}
