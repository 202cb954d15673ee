import type { Call } from "./calls.ts";

/** What an agent did between two prompts of its user. */
export interface Turn {
  readonly key: string;
  readonly at: number;
  /** What the user asked for; undefined for what came before the first prompt. */
  readonly prompt: Call | undefined;
  /** Oldest first, without the prompt. */
  readonly calls: readonly Call[];
  readonly objections: readonly Objection[];
  readonly files: readonly ChangedFile[];
  /** The intents that were selected. */
  readonly intents: readonly string[];
}

/** A denial or a question, and the call that the agent made next in its place. */
interface Objection {
  readonly call: Call;
  readonly instead: Call | undefined;
}

/** A file that was written or edited, and by which calls. */
export interface ChangedFile {
  readonly path: string;
  readonly calls: readonly Call[];
}

/** A session as turns; the calls come oldest first. */
export function turnsOf(items: readonly Call[]): Turn[] {
  const parts: Call[][] = [];
  for (const call of items) {
    const last = parts.at(-1);
    if (last === undefined || call.event === PROMPT) parts.push([call]);
    else last.push(call);
  }
  return parts.flatMap((part) => {
    const [first] = part;
    if (first === undefined) return [];
    const prompt = first.event === PROMPT ? first : undefined;
    const calls = prompt === undefined ? part : part.slice(1);
    const objections = calls
      .filter(({ action }) => action === "deny" || action === "ask")
      .map((call) => ({ call, instead: insteadOf(call, calls) }));
    return [
      { key: first.key, at: first.at, prompt, calls, objections, files: filesOf(calls), intents: intentsOf(calls) },
    ];
  });
}

/** The next call of the same thread that passed. */
function insteadOf(call: Call, calls: readonly Call[]): Call | undefined {
  return calls
    .slice(calls.indexOf(call) + 1)
    .find((next) => next.thread === call.thread && next.tool !== undefined && next.action !== "deny");
}

/** Files by the calls that changed them: calls that were denied changed nothing. */
function filesOf(calls: readonly Call[]): ChangedFile[] {
  const found = new Map<string, Call[]>();
  for (const call of calls) {
    if (call.tool === undefined || call.action === "deny" || !WRITES.test(call.tool)) continue;
    found.set(call.text, [...(found.get(call.text) ?? []), call]);
  }
  return [...found].map(([path, own]) => ({ path, calls: own }));
}

function intentsOf(calls: readonly Call[]): string[] {
  const named = calls
    .filter(({ tool }) => tool?.endsWith("select_active_intent"))
    .map(({ text }) => /"intent_id":"([^"]{1,80})"/.exec(text)?.[1] ?? text);
  return [...new Set(named)];
}

/** What a session came to, in numbers. */
export interface SessionFigures {
  readonly calls: number;
  readonly denied: number;
  readonly asked: number;
  readonly modified: number;
  readonly ms: number;
  readonly cost: number | undefined;
  readonly tokens: number | undefined;
  readonly files: readonly string[];
  readonly tools: ReadonlyMap<string, number>;
}

/** Adds the calls of a session up; they come oldest first. */
export function figuresOf(items: readonly Call[]): SessionFigures {
  const tooled = items.filter(({ tool }) => tool !== undefined);
  const count = (action: string) => tooled.reduce((sum, call) => sum + Number(call.action === action), 0);
  const tools = new Map<string, number>();
  for (const { tool = "" } of tooled) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  const phases = items.flatMap((call) => call.phases);
  const sumOf = (key: "cost" | "tokens") => {
    const known = phases.flatMap((row) => row[key] ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
  };
  return {
    calls: tooled.length,
    denied: count("deny"),
    asked: count("ask"),
    modified: count("modify"),
    ms: (items.at(-1)?.at ?? 0) - (items[0]?.at ?? 0),
    cost: sumOf("cost"),
    tokens: sumOf("tokens"),
    files: filesOf(tooled).map(({ path }) => path),
    tools,
  };
}

const PROMPT = "user:prompt_submit";
const WRITES = /write|edit|patch|replace|create_file|str_replace/i;
