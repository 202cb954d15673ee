import type { CallEntry, HostMessage, HostReply, HostState, TimelineEntry } from "../../src/extension-host/state.ts";

/** How messages travel between a page and its host. */
export interface Channel {
  postMessage(message: HostMessage): void;
  /** Every message of the host, as long as the page is open. */
  onMessage(listener: (reply: HostReply) => void): void;
}

/** What an editor gives to the page of a web view. */
interface EditorApi {
  postMessage(message: unknown): void;
}

/** Opens the channel of this page: the editor's own `postMessage` in a web view, else HTTP to the server of the page. */
export function openChannel(): Channel {
  const acquire = (globalThis as { readonly acquireVsCodeApi?: () => EditorApi }).acquireVsCodeApi;
  return acquire === undefined ? httpChannel() : editorChannel(acquire());
}

function editorChannel(api: EditorApi): Channel {
  return {
    postMessage: (message) => api.postMessage(message),
    // The host cannot know when the page listens, so the page reports it.
    onMessage(listener) {
      window.addEventListener("message", ({ data }) => listener(data as HostReply));
      api.postMessage({ kind: "ready" });
    },
  };
}

function httpChannel(): Channel {
  const listeners = new Set<(reply: HostReply) => void>();
  const authorization = `Bearer ${token()}`;
  const tell = (reply: HostReply) => {
    for (const listener of listeners) listener(reply);
  };
  const listen = async () => {
    for (;;) {
      const response = await fetch("/messages", { headers: { authorization } }).catch(() => undefined);
      if (response === undefined) tell(GONE);
      else if (!response.ok) return tell((await response.json()) as HostReply);
      else await read(response, tell).catch(() => tell(GONE));
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  };
  return {
    async postMessage(message) {
      const headers = { authorization, "content-type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(message) };
      const response = await fetch("/messages", request).catch(() => undefined);
      if (response === undefined) tell(GONE);
      else tell(response.ok ? HEARD : ((await response.json()) as HostReply));
    },
    onMessage(listener) {
      listeners.add(listener);
      if (listeners.size === 1) void listen();
    },
  };
}

/** One line is one message; a line may come in several pieces. */
async function read({ body }: Response, tell: (reply: HostReply) => void): Promise<void> {
  tell(HEARD);
  let rest = "";
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) tell(JSON.parse(line) as HostReply);
  }
}

/** It follows the `#` of the address once; a reload finds it in the storage of the tab. */
function token(): string {
  if (location.hash.length > 1) {
    sessionStorage.setItem("token", location.hash.slice(1));
    history.replaceState(null, "", "/");
  }
  return sessionStorage.getItem("token") ?? "";
}

const RETRY_MS = 1000;
const HEARD: HostReply = { kind: "heard" };
const GONE: HostReply = {
  kind: "refused",
  what: "The host does not answer.",
  fix: "Start it again, and open the new address.",
};

type Attributes = Readonly<Record<string, string | boolean | undefined | (() => void)>>;
type Child = Node | string | undefined;

/** An element with attributes and children; a text is always text, never markup. */
export function element(
  tag: string,
  attributes: Attributes = {},
  ...children: readonly (Child | Child[])[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter(isThere));
  return made;
}

/** Shows these elements in the element with that id, and nothing else; a page that does not have it leaves the part out. */
export function fill(id: string, ...children: readonly Child[]): void {
  document.getElementById(id)?.replaceChildren(...children.filter(isThere));
}

function isThere(child: Child): child is Node | string {
  return child !== undefined && child !== "";
}

/** One card for each intent; the one that the session works on is marked. */
export function intentCards({ intents, selected }: HostState, { postMessage }: Channel): HTMLElement[] {
  if (intents.length === 0) return [quiet("No intent is declared.")];
  return intents.map(({ id, name, status, owned_scope, constraints, acceptance_criteria }) => {
    const isSelected = id === selected;
    const onclick = () => postMessage({ kind: "call_tool", tool: "select_active_intent", input: { intent_id: id } });
    return element(
      "article",
      { class: "intent", "data-intent": id, "data-selected": String(isSelected), "data-status": status },
      element(
        "header",
        {},
        element("strong", {}, id),
        element("span", { class: "badge" }, status.replace("_", " ").toLowerCase()),
        element("button", { onclick, disabled: isSelected }, isSelected ? "Selected" : "Select"),
      ),
      element("p", {}, name),
      element("p", { class: "paths" }, ...owned_scope.map((path) => element("code", {}, path))),
      ...[...constraints, ...acceptance_criteria].map(quiet),
    );
  });
}

/** What waits for a person, each with the two answers. */
export function questionCards({ questions }: HostState, { postMessage }: Channel): HTMLElement[] {
  return questions.map(({ id, tool, input, reasons }) => {
    const answer = (approved: boolean) => () => postMessage({ kind: "answer", question: id, approved });
    return element(
      "article",
      { class: "question", role: "alertdialog", "aria-label": `May ${tool} run?` },
      element("p", {}, element("strong", {}, `May ${tool} run? `), element("code", {}, inputText(input))),
      ...reasons.map((reason) => element("p", {}, reason)),
      element(
        "p",
        {},
        element("button", { class: "approve", onclick: answer(true) }, "Approve"),
        element("button", { class: "deny", onclick: answer(false) }, "Deny"),
      ),
    );
  });
}

/** What was said and called, the latest first. */
export function timelineItems({ timeline, questions }: HostState): HTMLElement[] {
  if (timeline.length === 0) return [element("li", { class: "quiet" }, "Nothing was called yet.")];
  const waiting = new Set(questions.map((question) => question.call));
  return [...timeline].reverse().map((entry) => timelineItem(entry, waiting));
}

function timelineItem(entry: TimelineEntry, waiting: ReadonlySet<string>): HTMLElement {
  if (entry.type === "text") {
    const { who, text } = entry;
    return element("li", { class: "words", "data-who": who }, element("span", { class: "badge" }, who), text);
  }
  const { id, tool, input, steps, approved, result } = entry;
  const outcome = waiting.has(id) ? "waits for you" : outcomeOf(entry);
  return element(
    "li",
    { class: "call", "data-tool": tool, "data-outcome": outcome },
    element(
      "header",
      {},
      element("strong", {}, tool),
      element("code", {}, inputText(input)),
      element("span", { class: "outcome" }, outcome),
    ),
    element(
      "p",
      { class: "steps" },
      ...STEPS.map((step) => element("span", { "data-done": String(steps.includes(step)) }, step)),
    ),
    approved === undefined ? "" : quiet(approved ? "approved by you" : "denied by you"),
    result === undefined ? "" : element("pre", {}, result.text),
  );
}

function outcomeOf({ decision, result }: CallEntry): string {
  if (decision?.allow === false) return decision.code;
  if (result === undefined) return "running";
  return result.ok ? "allowed" : "failed";
}

function inputText(input: unknown): string {
  const { path, command, intent_id } = Object(input) as Readonly<Record<string, unknown>>;
  return String(path ?? command ?? intent_id ?? JSON.stringify(input));
}

/** The records of the trace, the latest first, and the map of intents. */
export function traceTable({ trace: { records, map } }: HostState): HTMLElement[] {
  if (records.length === 0) return [quiet("trace OK: nothing is recorded yet.")];
  const head = element("tr", {}, ...["time", "intent", "file", "lines", "kind"].map((name) => element("th", {}, name)));
  const rows = [...records]
    .reverse()
    .flatMap(({ id, timestamp, intent_id, mutation_class, files }) =>
      files.map(({ relative_path, deleted, ranges, mutation_class: kind = mutation_class }) =>
        element(
          "tr",
          { "data-record": id },
          element("td", {}, timestamp.slice(11, 19)),
          element("td", {}, intent_id ?? "–"),
          element("td", {}, element("code", {}, relative_path)),
          element("td", {}, deleted ? "deleted" : ranges.map(linesText).join(", ")),
          element("td", {}, element("span", { class: "kind", "data-kind": kind }, kind)),
        ),
      ),
    );
  return [
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
    element("details", {}, element("summary", {}, "intent_map.md"), element("pre", { id: "map" }, map)),
  ];
}

function linesText({ start_line, end_line }: { readonly start_line: number; readonly end_line: number }): string {
  return start_line === end_line ? `${start_line}` : `${start_line}–${end_line}`;
}

/** A form that calls a tool by hand, in the elements `tool-form` and `examples`; what is typed remains when a state comes. */
export function showTools({ tools, examples }: HostState, { postMessage }: Channel): void {
  const form = document.getElementById("tool-form");
  const [first] = tools;
  if (!(form instanceof HTMLFormElement) || form.childElementCount > 0 || first === undefined) return;
  const options = tools.map(({ name, does }) => element("option", { value: name, title: does }, name));
  const choice = element("select", { name: "tool", "aria-label": "Tool" }, ...options) as HTMLSelectElement;
  const show = (name: string, values: Readonly<Record<string, string>> = {}) => {
    choice.value = name;
    const { does, input } = tools.find((tool) => tool.name === name) ?? first;
    const fields = input.map((key) => {
      const field = element(key === "content" ? "textarea" : "input", { name: key, rows: key === "content" && "4" });
      (field as HTMLInputElement).value = values[key] ?? "";
      return element("label", {}, key, field);
    });
    fill("fields", quiet(does), ...fields);
  };
  choice.addEventListener("change", () => show(choice.value));
  form.replaceChildren(choice, element("div", { id: "fields" }), element("button", { type: "submit" }, "Call"));
  form.addEventListener("submit", (happening) => {
    happening.preventDefault();
    const { tool, ...input } = Object.fromEntries(new FormData(form));
    postMessage({ kind: "call_tool", tool: String(tool), input });
  });
  const use = ({ title, tool, input }: HostState["examples"][number]) =>
    element("button", { class: "example", type: "button", onclick: () => show(tool, input) }, title);
  fill("examples", ...examples.map(use));
  show(examples[0]?.tool ?? first.name, examples[0]?.input);
}

/** Fills every part of the page that the page has, by the ids of the page of the package. */
export function showState(state: HostState, channel: Channel): void {
  const { project, session, trace } = state;
  document.title = `${project} – extension host`;
  fill("project", project);
  fill("session", `session ${session.slice(0, 8)}`);
  fill("verdict", trace.verdict.replace(/^\S+: /, ""));
  fill("questions", ...questionCards(state, channel));
  fill("intents", ...intentCards(state, channel));
  fill("timeline", ...timelineItems(state));
  fill("trace", ...traceTable(state));
  showTools(state, channel);
}

function quiet(text: string): HTMLElement {
  return element("p", { class: "quiet" }, text);
}

const STEPS = ["pre-hooks", "dispatch", "tool", "post-hooks", "sidecar", "result"];
