import { randomUUID } from "node:crypto";
import { basename, resolve } from "node:path";
import type { Decision } from "../decision/decision.ts";
import { errorText } from "../event/event.ts";
import { createHookEngine, type HookEngine } from "../hosts/hook-engine.ts";
import { checkedMessage } from "./messages.ts";
import { Sidecar } from "./sidecar.ts";
import type { CallEntry, HostMessage, HostQuestion, HostReply, HostState, TimelineEntry } from "./state.ts";
import { type AssistantBlock, type HostTool, hostTool } from "./tool.ts";

/** What an extension host is made of. */
export interface ExtensionHostOptions {
  /** The folder of the project. */
  readonly root: string;
  /** A new one if it is left out. */
  readonly sessionId?: string;
  /** The tools by their names; `select_active_intent` is added. */
  readonly tools: Readonly<Record<string, HostTool>>;
  /** Calls that the page offers as buttons. */
  readonly examples?: HostState["examples"];
  /** What the assistant answers to a prompt, block by block; without it prompts are shown and not answered. */
  readonly prompted?: Prompted;
  /** After how many seconds a question counts as denied. */
  readonly answerWithin?: number;
}

/** Answers a prompt: texts, and calls of tools that then go through the hooks. */
export type Prompted = (text: string) => Iterable<AssistantBlock> | AsyncIterable<AssistantBlock>;

/** One session of an extension, without its web view: messages come in by `receive`, and go to every listener. */
export interface ExtensionHost {
  readonly engine: HookEngine;
  readonly state: HostState;
  /** Checks and carries out a message of a page; calls of tools wait for each other. */
  receive(message: unknown): HostReply;
  /** Adds a listener for what pages are sent, and returns how to remove it. */
  onMessage(listener: (reply: HostReply) => void): () => void;
  /** Takes the blocks of an assistant's message through the hooks and tools, in their order. */
  present(blocks: ReturnType<Prompted>): Promise<void>;
  /** Denies every question that is open. */
  close(): void;
}

/** Starts a session for a project: hooks decide before each tool, a person answers what they ask, and the sidecar is shown. */
export async function startExtensionHost(options: ExtensionHostOptions): Promise<ExtensionHost> {
  const { tools, examples = [], prompted, answerWithin = 300, sessionId = randomUUID() } = options;
  const host = new Session({ root: resolve(options.root), sessionId, tools, examples, prompted, answerWithin });
  await host.show();
  return host;
}

interface SessionOptions {
  readonly root: string;
  readonly sessionId: string;
  readonly tools: Readonly<Record<string, HostTool>>;
  readonly examples: HostState["examples"];
  readonly prompted: Prompted | undefined;
  readonly answerWithin: number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

class Session implements ExtensionHost {
  readonly engine: HookEngine;
  readonly state: Writable<HostState> & { timeline: TimelineEntry[]; questions: HostQuestion[] };
  readonly #options: SessionOptions;
  readonly #tools: Readonly<Record<string, HostTool>>;
  readonly #sidecar: Sidecar;
  readonly #listeners = new Set<(reply: HostReply) => void>();
  readonly #open = new Map<string, { readonly done: (approved: boolean) => void; readonly timer: NodeJS.Timeout }>();
  #presented: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    const { root, sessionId, tools, examples } = options;
    this.#options = options;
    this.#tools = { [SELECT_TOOL]: SELECTS, ...tools };
    this.#sidecar = new Sidecar(root);
    this.engine = createHookEngine({ root, sessionId, onAsk: (decision) => this.#ask(decision) });
    this.state = {
      project: basename(root),
      session: sessionId,
      tools: Object.entries(this.#tools).map(([name, { does, input }]) => ({ name, does, input: Object.keys(input) })),
      examples,
      selected: null,
      intents: [],
      timeline: [],
      questions: [],
      trace: { records: [], verdict: "", map: "" },
    };
  }

  receive(value: unknown): HostReply {
    const read = checkedMessage(value, this.#tools);
    if (!("message" in read)) return read;
    this.#carryOut(read.message);
    return { kind: "heard" };
  }

  onMessage(listener: (reply: HostReply) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  present(blocks: ReturnType<Prompted>): Promise<void> {
    this.#presented = this.#presented.then(() => this.#present(blocks));
    return this.#presented;
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#answer(id, false);
  }

  async show(): Promise<void> {
    Object.assign(this.state, await this.#sidecar.read());
    this.#show();
  }

  #carryOut(message: HostMessage): void {
    switch (message.kind) {
      case "prompt":
        void this.present(this.#prompted(message.text));
        return;
      case "call_tool":
        void this.present([{ type: "tool_use", name: message.tool, input: message.input }]);
        return;
      case "answer":
        this.#answer(message.question, message.approved);
        return;
      case "ready":
        this.#show();
    }
  }

  async *#prompted(text: string): AsyncGenerator<AssistantBlock> {
    yield { type: "text", who: "you", text };
    yield* this.#options.prompted?.(text) ?? [];
  }

  /** What an assistant's message throws ends that message, and is shown. */
  async #present(blocks: ReturnType<Prompted>): Promise<void> {
    try {
      for await (const block of blocks)
        if (block.type === "tool_use") await this.#useTool(block);
        else this.#add({ type: "text", who: block.who ?? "assistant", text: block.text });
    } catch (error) {
      this.#add({ type: "text", who: "host", text: errorText(error) });
    }
  }

  /** pre-hooks → dispatch → tool → post-hooks → sidecar → result; what stops on the way is a result, too. */
  async #useTool({ name, input }: Extract<AssistantBlock, { type: "tool_use" }>): Promise<void> {
    const call = { toolName: name, toolInput: input, toolUseId: randomUUID() };
    const entry: Writable<CallEntry> = { type: "call", id: call.toolUseId, tool: name, input, steps: [] };
    const step = (done: string) => {
      entry.steps = [...entry.steps, done];
      this.#show();
    };
    this.#add(entry);
    step("pre-hooks");
    entry.decision = await this.engine.preToolUse(call);
    if (!entry.decision.allow) return this.#end(entry, { ok: false, text: entry.decision.reason });
    step("dispatch");
    const { tool_input: changed = input, intent_context, context } = entry.decision.contextPatch ?? {};
    step("tool");
    let result: { readonly ok: boolean; readonly text: string };
    let ended: unknown;
    try {
      const tool = Object.hasOwn(this.#tools, name) ? this.#tools[name] : undefined;
      if (tool === undefined) throw new Error(`There is no tool "${name}".`);
      const given = Object(changed) as Readonly<Record<string, unknown>>;
      ended = name === SELECT_TOOL ? (intent_context ?? "") : await tool.run(given, this.#call);
      if (name === SELECT_TOOL) this.state.selected = String(Object(changed).intent_id);
      result = { ok: true, text: [ended, context].filter((text) => typeof text === "string" && text).join("\n\n") };
    } catch (error) {
      ended = error instanceof Error ? error : new Error(errorText(error));
      result = { ok: false, text: errorText(error) };
    }
    step("post-hooks");
    await this.engine.postToolUse(call, ended);
    step("sidecar");
    Object.assign(this.state, await this.#sidecar.refresh());
    this.#end(entry, result);
  }

  get #call() {
    const { root, sessionId } = this.#options;
    return { root, sessionId };
  }

  #end(entry: Writable<CallEntry>, { ok, text }: { readonly ok: boolean; readonly text: string }): void {
    entry.result = { ok, text: text.length > MAX_SHOWN_TEXT ? `${text.slice(0, MAX_SHOWN_TEXT)}…` : text };
    entry.steps = [...entry.steps, "result"];
    this.#show();
  }

  #add(entry: TimelineEntry): void {
    const { timeline } = this.state;
    timeline.push(entry);
    if (timeline.length > MAX_ENTRIES) timeline.shift();
    this.#show();
  }

  #show(): void {
    for (const listener of this.#listeners) listener({ kind: "state", state: this.state });
  }

  /** A question remains open when the page is loaded again; one without an answer in time is denied. */
  #ask({ event, reasons }: Decision): Promise<boolean> {
    const { tool_args: input, tool_use_id: call } = event.data;
    const id = randomUUID();
    const question = { id, call: String(call), tool: event.toolName ?? "", input, reasons: [...reasons] };
    this.state.questions.push(question);
    this.#show();
    return new Promise((done) => {
      const timer = setTimeout(() => this.#answer(id, false), this.#options.answerWithin * 1000);
      this.#open.set(id, { done, timer });
    });
  }

  /** Answers once: a second answer, or one to another question, changes nothing. */
  #answer(id: string, approved: boolean): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    clearTimeout(open.timer);
    const { questions, timeline } = this.state;
    const asked = questions.find((question) => question.id === id);
    this.state.questions = questions.filter((question) => question !== asked);
    const entry = timeline.find((one): one is CallEntry => one.type === "call" && one.id === asked?.call);
    if (entry !== undefined) Object.assign(entry, { approved });
    this.#show();
    open.done(approved);
  }
}

const SELECTS = hostTool({
  does: "selects the intent that the session works on",
  input: { intent_id: "text" },
  run: () => "",
});

const SELECT_TOOL = "select_active_intent";
const MAX_ENTRIES = 100;
const MAX_SHOWN_TEXT = 4000;
