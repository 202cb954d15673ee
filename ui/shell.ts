import { signal } from "@preact/signals";
import { type ComponentType, render, type VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { address, followLinks, go } from "./address.ts";
import { exported, hello, isLoggedIn, logIn } from "./api.ts";
import { isLive } from "./calls.ts";
import { pathText } from "./format.ts";
import { html } from "./html.ts";
import { actKeys, type KeyBinding, listenToKeys, pageKeys } from "./keys.ts";
import { linked } from "./request-link.ts";
import { theme, turnTheme } from "./theme.ts";

/** A page, by the first part of its address. */
export interface PageRow {
  readonly title: string;
  readonly key: string;
  /** Pages without a place in the navigation are reached by links. */
  readonly isHidden?: boolean;
  /** What it shows of this machine, also where calls come from a database of many. */
  readonly local?: string;
  readonly load: () => Promise<ComponentType> | ComponentType;
}

let PAGES: Readonly<Record<string, PageRow>> = {};

/** Shows the pages of a table, with navigation, login and keys around them. */
export function startShell(pages: Readonly<Record<string, PageRow>>): void {
  PAGES = pages;
  followLinks();
  listenToKeys(commonKeys());
  const place = document.getElementById("app");
  if (place !== null) render(html`<${App} />`, place);
}

const isHelpOpen = signal(false);

function App(): VNode {
  if (isLoggedIn.value === undefined) return html`<p class="waiting" role="status">Connecting…</p>`;
  // The link of a notification opens its request alone, without a login.
  if (!isLoggedIn.value && linked() !== undefined)
    return html`<main id="main" tabindex="-1"><${Page} name="requests" /></main>`;
  if (!isLoggedIn.value) return html`<${Login} />`;
  const [, name = ""] = address.value.path.split("/");
  return html`<a class="skip" href="#main">Skip to the page</a>
    <${Navigation} current=${name} />
    <main id="main" tabindex="-1"><${Page} name=${name} key=${name} /></main>
    ${isHelpOpen.value && html`<${Help} />`}`;
}

function Navigation({ current }: { readonly current: string }): VNode {
  return html`<header class="top">
    <a class="brand" href=${exported === undefined ? "/" : "/timeline"}>Sluice</a>
    <nav aria-label="Pages">${Object.entries(PAGES)
      .filter(([, { isHidden }]) => !isHidden)
      .map(
        ([name, { title }]) =>
          html`<a href=${`/${name}`} aria-current=${name === current ? "page" : undefined}>${title}</a>`,
      )}</nav>
    <span class="grow"></span>
    <span class="where dim" title=${hello.value?.root}>${hello.value?.store ?? pathText(hello.value?.root ?? "")}</span>
    ${exported === undefined ? html`<span class=${isLive.value ? "live on" : "live"} role="status">${isLive.value ? "live" : "not live"}</span>` : html`<span class="dim">${exported.range}</span>`}
    <button type="button" class="quiet" onClick=${turnTheme} aria-label=${`Colours: ${theme.value}`}>${{ auto: "Auto", light: "Light", dark: "Dark" }[theme.value]}</button>
    <button type="button" class="quiet" onClick=${() => (isHelpOpen.value = true)} aria-label="Keys">?</button>
  </header>`;
}

function Page({ name }: { readonly name: string }): VNode {
  const [loaded, setLoaded] = useState<{ readonly component: ComponentType } | Error | undefined>(undefined);
  const row = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined;
  useEffect(() => {
    pageKeys.value = [];
    document.title = row === undefined ? "Sluice" : `${row.title} · Sluice`;
    Promise.resolve(row?.load())
      .then((component) => setLoaded(component && { component }))
      .catch(setLoaded);
  }, [name]);
  if (row === undefined)
    return html`<p class="empty">There is no such page. <a href="/timeline">Go to the timeline</a>.</p>`;
  if (loaded === undefined) return html`<p class="waiting" role="status">Loading…</p>`;
  return loaded instanceof Error
    ? html`<p class="empty bad" role="alert">${loaded.message}</p>`
    : html`${hello.value?.store !== undefined && row.local !== undefined && html`<p class="note pad" role="note">Calls come from <code>${hello.value.store}</code>. ${row.local} of this machine: <code>${pathText(hello.value.root)}</code>.</p>`}<${loaded.component} />`;
}

function Login(): VNode {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("code") as HTMLInputElement;
    logIn(field.value).catch((error: Error) => {
      setProblem(error.message);
      field.select();
    });
  };
  return html`<main class="login"><h1>Sluice</h1>
    <p>Type the code that <code>sluice ui</code> has printed in its terminal.</p>
    <form onSubmit=${submit}>
      <label for="code">One-time code</label>
      <input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck=${false} placeholder="XXXX-XXXX" autofocus
        aria-describedby=${problem === undefined ? undefined : "code-problem"} />
      <button type="submit" class="main">Log in</button>
    </form>
    ${problem !== undefined && html`<p id="code-problem" class="bad" role="alert">${problem}</p>`}
    <p class="dim">It works once. Press Enter in that terminal for another.</p></main>`;
}

function Help(): VNode {
  const close = () => (isHelpOpen.value = false);
  const keysOf = (bindings: readonly KeyBinding[]) =>
    bindings.map(
      ({ keys, does }) =>
        html`<div><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${does}</dd></div>`,
    );
  return html`<dialog class="help" aria-label="Keys" ref=${(element: HTMLDialogElement | null) => element !== null && !element.open && element.showModal()}
    onClose=${close}>
    <h2>Keys</h2>
    <dl class="facts">${keysOf(actKeys.value)}${keysOf(pageKeys.value)}${keysOf(commonKeys())}</dl>
    <button type="button" onClick=${close} autofocus>Close</button>
  </dialog>`;
}

/** The keys of every page. */
function commonKeys(): KeyBinding[] {
  return [
    ...Object.entries(PAGES)
      .filter(([, { isHidden }]) => !isHidden)
      .map(([name, { title, key }]) => ({ keys: `g ${key}`, does: `go to ${title}`, act: () => go(`/${name}`) })),
    { keys: "g c", does: "light, dark, or as the system", act: turnTheme },
    { keys: "?", does: "show the keys", act: () => (isHelpOpen.value = !isHelpOpen.value) },
  ];
}
