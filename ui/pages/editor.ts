import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ActOutcome } from "../../src/ui-server/wire.ts";
import type { KnownNames, PolicyCheck, PolicyFile, StarterHook } from "../../src/ui-server/wire-policy.ts";
import { address, go, withQuery } from "../address.ts";
import { get, hello, post, type RequestError } from "../api.ts";
import { type CodeEditor, codeDiff, codeEditor } from "../code-editor.ts";
import { countText, pathText, plain } from "../format.ts";
import { HookForm } from "../hook-form.ts";
import { html } from "../html.ts";
import { pageKeys } from "../keys.ts";
import { type LiveReplay, useLiveReplay } from "../live-replay.ts";
import { Replayed } from "../replay-summary.ts";

/** The files of the policy as text and as forms, checked while one writes, and saved when the terminal agrees. */
export function EditorPage(): VNode {
  const [files, setFiles] = useState<readonly PolicyFile[] | Error | undefined>(undefined);
  useEffect(() => {
    get<PolicyFile[]>("/api/policies").then(setFiles).catch(setFiles);
  }, []);
  if (files === undefined) return html`<p class="waiting" role="status">Reading the policy…</p>`;
  if (files instanceof Error) return html`<p class="empty bad" role="alert">${files.message}</p>`;
  const wanted = new URLSearchParams(address.value.query).get("file");
  const file =
    files.find(({ path }) => path === wanted) ??
    files.find(({ isWritable, exists }) => isWritable && exists) ??
    files.find(({ isWritable }) => isWritable);
  if (file === undefined) return html`<p class="empty">No file of hooks can be changed here.</p>`;
  return html`<${FileEditor} key=${`${file.path} ${file.hash}`} file=${file} files=${files} reload=${() => get<PolicyFile[]>("/api/policies").then(setFiles)} />`;
}

interface FileEditorProps {
  readonly file: PolicyFile;
  readonly files: readonly PolicyFile[];
  readonly reload: () => Promise<void>;
}

function FileEditor({ file, files, reload }: FileEditorProps): VNode {
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const [text, setText] = useState(file.text);
  const [checked, setChecked] = useState<{ readonly of: string; readonly found: PolicyCheck } | undefined>(undefined);
  /** The place of a hook in the list of the file; the first one where none is chosen. */
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [told, setTold] = useState<{ readonly text: string; readonly isBad: boolean } | undefined>(undefined);
  const [isComparing, setIsComparing] = useState(false);
  /** The person has said that the text is to be saved although it has errors. */
  const [withErrors, setWithErrors] = useState(false);
  const [onDisk, setOnDisk] = useState<PolicyFile | undefined>(undefined);
  const isChanged = text !== file.text;
  const check = checked?.found;
  const isChecked = checked?.of === text;
  const errors = [...(check?.problems ?? []), ...(check?.elsewhere ?? [])].filter(
    ({ severity }) => severity === "error",
  ).length;
  const isReadable = isChecked && checked.found.problems.every(({ severity }) => severity !== "error");
  const replay = useLiveReplay(file.path, text, isChanged && isReadable);

  const showDisk = async () =>
    setOnDisk((await get<PolicyFile[]>("/api/policies")).find(({ path }) => path === file.path));
  useEffect(() => {
    if (holder.current === null) return;
    const lint = async (now: string) => {
      const found = await post<PolicyCheck>("/api/policy/check", { path: file.path, text: now });
      // An answer about an older text may come last.
      if (editor.current === undefined || editor.current.text() === now) setChecked({ of: now, found });
      if (found.hash !== file.hash) await showDisk();
      return found.problems;
    };
    let known: KnownNames | undefined;
    get<KnownNames>("/api/names")
      .then((names) => {
        known = names;
      })
      .catch(failed);
    const names = () => known;
    editor.current = codeEditor(holder.current, { path: file.path, text: file.text, onChange: setText, lint, names });
    void lint(file.text);
    const line = Number(new URLSearchParams(address.value.query).get("line"));
    if (line > 0) editor.current.goTo(line);
    return () => editor.current?.destroy();
  }, []);
  const failed = (error: Error) =>
    setTold({ text: [error.message, (error as RequestError).fix].filter(Boolean).join(" "), isBad: true });
  // Each change begins with the text that the one before has left.
  const pending = useRef<Promise<void>>(Promise.resolve());
  const change = (set: object, remove: readonly string[], index: number | undefined) => {
    pending.current = pending.current
      .then(() =>
        post<{ text: string; index: number }>("/api/policy/edit", {
          path: file.path,
          text: editor.current?.text() ?? text,
          index,
          set,
          remove,
        }),
      )
      .then(({ text: next, index: at }) => {
        editor.current?.replace(next);
        // A changed hook stays where it is, and the user may have chosen another one meanwhile.
        if (index === undefined) setChosen(at);
      })
      .catch(failed);
    return pending.current;
  };
  const named = Number(new URLSearchParams(address.value.query).get("line"));
  const entry =
    check?.hooks.find(({ index }) => index === chosen) ??
    check?.hooks.findLast(({ line }) => named > 0 && line <= named) ??
    check?.hooks[0];
  const edit = (set: object, remove: readonly string[] = []) => change(set, remove, entry?.index);
  const add = (hook: object) => change(hook, [], undefined);
  const [starters, setStarters] = useState<readonly Starter[]>([]);
  useEffect(() => {
    get<StarterHook[]>("/api/starters")
      .then((found) => {
        setStarters([...found, ...RECIPES]);
        const denial = new URLSearchParams(address.value.query).get("denial");
        if (denial === null) return;
        go(withQuery({ denial: undefined }), { replace: true });
        const wanted = found.find(({ from, id }) => from === "denial" && id === denial);
        if (wanted === undefined)
          failed(new Error("No hook can be made from this call: parts of it were not recorded."));
        else void add(wanted.hook);
      })
      .catch(failed);
  }, []);
  const save = async () => {
    setTold({ text: "Answer the question in the terminal in which sluice ui runs…", isBad: false });
    try {
      const { done, told: lines } = await post<ActOutcome>("/api/policy/save", {
        path: file.path,
        text,
        hash: file.hash,
        withErrors,
      });
      setTold({ text: lines.at(-1) ?? "", isBad: !done });
      if (done) await reload();
    } catch (error) {
      failed(error as Error);
      if ((error as RequestError).status === 409) await showDisk();
    }
  };
  const lookOrSave = () => (isComparing ? save() : setIsComparing(true));
  useLayoutEffect(() => {
    pageKeys.value = [
      { keys: "t", does: "write in the text (Escape, then Tab leaves it)", act: () => editor.current?.focus() },
      { keys: "n", does: "new hook", act: () => document.getElementById("new-hook")?.focus() },
      { keys: "d", does: "compare with what is saved", act: () => isChanged && setIsComparing(!isComparing) },
      { keys: "s", does: "look at the changes, then save", act: () => isChanged && void lookOrSave() },
    ];
  });

  return html`<div class="editor">
    <header class="page-head">
      <h1>Editor</h1>
      <label>file <select value=${file.path} onChange=${(event: Event) => go(withQuery({ file: (event.target as HTMLSelectElement).value }))}>${files.map((one) => html`<option value=${one.path} selected=${one.path === file.path} disabled=${!one.isWritable}>${pathText(one.path)} (${one.layer}${one.exists ? "" : ", new"})</option>`)}</select></label>
      <span class="dim" role="status">${check === undefined || !isChecked ? "checking…" : `${countText(check.problems.length, "problem")}${check.elsewhere.length > 0 ? ` here, ${check.elsewhere.length} in other files` : ""}${check.examples.length > 0 ? `, ${check.examples.filter(({ status }) => status === "passed").length} of ${countText(check.examples.length, "example")} pass` : ""}`}</span>
      <span class="grow"></span>
      <button type="button" aria-pressed=${isComparing} onClick=${() => setIsComparing(!isComparing)} disabled=${!isChanged}>Compare</button>
      ${isComparing && errors > 0 && html`<label><input type="checkbox" checked=${withErrors} onChange=${() => setWithErrors(!withErrors)} /> with its ${countText(errors, "error")}</label>`}
      <button type="button" class="main" onClick=${lookOrSave} disabled=${!isChanged || (isComparing && (!isChecked || (errors > 0 && !withErrors)))}>${isComparing ? "Save…" : "Look at the changes, then save"}</button>
    </header>
    ${hello.value?.confirms !== true && html`<p class="note pad">Saving is confirmed in the terminal of <code>sluice ui</code>, and that is not possible now: ${String(hello.value?.confirms)}.</p>`}
    ${told !== undefined && html`<p role="status" class=${told.isBad ? "bad pad" : "note pad"}>${plain(told.text)}</p>`}
    ${onDisk !== undefined && html`<div class="pad"><p class="bad" role="alert">The file was changed on disk meanwhile: what it holds now, beside your text. Nothing of it is overwritten.</p><${Compare} before=${onDisk.text} after=${text} /><button type="button" onClick=${() => void reload()}>Take the file as it is now, and leave my text</button></div>`}
    ${isComparing && onDisk === undefined && html`<div class="pad"><h2>Saved, and as it would be</h2><${Compare} before=${file.text} after=${text} /></div>`}
    <div class="editor-body">
      <section class="form" aria-label="Form">
        <div class="bar"><label class="field">Hook <select aria-label="Hook" value=${String(entry?.index ?? "")} onChange=${(event: Event) => setChosen(Number((event.target as HTMLSelectElement).value))}>${check?.hooks.map(({ data, index }) => html`<option value=${index} selected=${index === entry?.index}>${String(data.name ?? data.event ?? `hook ${index + 1}`)}</option>`)}</select></label>
          <${NewHook} starters=${starters} add=${add} /></div>
        ${entry === undefined ? html`<p class="dim pad">${check?.problems.some(({ severity }) => severity === "error") ? "The text has no hook that can be read. Correct the marked lines first." : "This file has no hook yet."}</p>` : html`<${HookForm} key=${entry.index} data=${entry.data} edit=${edit} goTo=${() => editor.current?.goTo(entry.line)} />`}
      </section>
      <div class="code-holder" ref=${holder}></div>
      <${Effects} check=${check} goTo=${(line: number) => editor.current?.goTo(line)}>
        <h2>Calls of the last days</h2>
        <div role="status">${replayWords(replay, isChanged, check, isReadable)}</div>
      </${Effects}>
    </div>
  </div>`;
}

function replayWords(
  replay: LiveReplay | undefined,
  isChanged: boolean,
  check: PolicyCheck | undefined,
  isReadable: boolean,
): VNode {
  if (!isChanged)
    return html`<p class="dim">Change the text, and the calls of the last 30 days are judged by it here while you write. Nothing is run.</p>`;
  if (!isReadable && check?.problems.some(({ severity }) => severity === "error"))
    return html`<p class="dim">Calls are judged as soon as the text has no error.</p>`;
  if (replay === undefined) return html`<p class="dim">Judging the recorded calls by this text…</p>`;
  return "problem" in replay
    ? html`<p class="bad">${plain(replay.problem)}</p>`
    : html`<${Replayed} replay=${replay.summary} />`;
}

interface EffectsProps {
  readonly check: PolicyCheck | undefined;
  readonly goTo: (line: number) => void;
  readonly children?: unknown;
}

/** What the text comes to now: its problems, its examples, and what recorded calls would come to. */
function Effects({ check, goTo, children }: EffectsProps): VNode {
  const { problems = [], elsewhere = [], examples = [] } = check ?? {};
  return html`<section class="effects-panel" aria-label="What this text does" tabindex="0">
    ${problems.length > 0 && html`<h2>Problems</h2><ul class="effects">${problems.map((problem) => html`<li><button type="button" class="quiet" onClick=${() => goTo(problem.line)}>line ${problem.line}</button> <span class=${problem.severity === "error" ? "bad" : "note"}>${plain(problem.message)}</span> <span class="dim">${problem.fix ? plain(problem.fix) : ""}</span></li>`)}</ul>`}
    ${elsewhere.length > 0 && html`<h2>Problems in other files</h2><ul class="effects">${elsewhere.map((problem) => html`<li><code>${pathText(plain(problem.file ?? "no file"))}:${problem.line}</code> <span class=${problem.severity === "error" ? "bad" : "note"}>${plain(problem.message)}</span> <span class="dim">${problem.fix ? plain(problem.fix) : ""}</span></li>`)}</ul>`}
    ${children}
    <h2>Examples and tests</h2>
    ${examples.length === 0 ? html`<p class="dim">No rule in this file has <code>examples</code>, and the project has no tests. Those that you write are tried here while you write.</p>` : html`<ul class="effects">${examples.map((example) => html`<li><span class=${`decision ${EXAMPLE_COLOURS[example.status] ?? ""}`}>${example.status.replace("_", " ")}</span> ${example.line === undefined ? "" : html`<button type="button" class="quiet" onClick=${() => goTo(example.line ?? 1)}>line ${example.line}</button> `}<b>${example.hook}</b> ${plain(example.name)} ${example.why && html`<span class="bad">${plain(example.why)}</span>`}</li>`)}</ul>`}
  </section>`;
}

const EXAMPLE_COLOURS: Readonly<Record<string, string>> = { failed: "is-deny", passed: "is-continue" };

/** What a new hook can begin with; recipes come with the page. */
interface Starter extends Omit<StarterHook, "from"> {
  readonly from: StarterHook["from"] | "recipe";
}

/** The recipes of docs/rules.md; the build puts them here. */
declare const SLUICE_RECIPES: readonly { readonly title: string; readonly hook: Readonly<Record<string, unknown>> }[];
const RECIPES: readonly Starter[] = SLUICE_RECIPES.map(({ title, hook }) => ({
  from: "recipe",
  id: title,
  title,
  hook,
}));

function NewHook({
  starters,
  add,
}: {
  readonly starters: readonly Starter[];
  readonly add: (hook: object) => void;
}): VNode {
  const choose = (event: Event) => {
    const field = event.target as HTMLSelectElement;
    const starter = starters[Number(field.value)];
    if (field.value !== "") add(starter?.hook ?? NEW_HOOK);
    field.value = "";
  };
  return html`<label class="field">New hook <select id="new-hook" aria-label="New hook" value="" onChange=${choose}>
    <option value="">add…</option><option value="-1">an empty one</option>
    ${GROUPS.map(
      ([from, title]) =>
        html`<optgroup label=${title}>${starters.map((one, index) => one.from === from && html`<option value=${index}>${plain(one.title, 160)}</option>`)}</optgroup>`,
    )}</select></label>`;
}

const GROUPS = [
  ["template", "From a template"],
  ["recipe", "From a recipe"],
  ["denial", "From a call that was denied or asked about"],
] as const;

const NEW_HOOK = {
  name: "new-hook",
  event: "tool:pre_execute:@shell",
  rules: 'args.command contains "something" -> ask("Why this needs a person.")\n',
};

function Compare({ before, after }: { readonly before: string; readonly after: string }): VNode {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (holder.current === null) return;
    const shown = codeDiff(holder.current, before, after);
    return () => shown.destroy();
  }, [before, after]);
  return html`<div class="compare" ref=${holder}></div>`;
}
