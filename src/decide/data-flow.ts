import type { Decision } from "../decision/decision.ts";
import type { HookResult } from "../decision/result.ts";
import type { ReportedEffect } from "../effects/report/call-report.ts";
import { readToolCall } from "../effects/report/read-call.ts";
import {
  appendFlow,
  type CallerProcess,
  type FlowEntry,
  type FlowState,
  readFlow,
  valueHash,
} from "../engine/flow-file.ts";
import type { HookEvent } from "../event/event.ts";
import { dataField } from "../event/field.ts";
import { isOfKind } from "../event/tool-kinds.ts";
import { homeDir } from "../fs/home-dir.ts";
import { builtInHook, builtInResult } from "../policies/protect/built-in.ts";
import type { FlowLabel } from "../rule/recent.ts";
import { isCallerAlive, isSameCaller } from "./caller-chain.ts";

/** The hook that compares what entered a step with what a call does. */
const DATA_FLOW = builtInHook(
  "guard:data-flow",
  "After content from outside, calls that send, spend, delete or change something outside of the project are asked about until the user's next prompt.",
  "user",
);

/** Where a call happens, and where the data flow of sessions is kept. */
export interface FlowPlace {
  readonly root: string;
  readonly folder: string;
}

/** Objects to a call that acts outside of the project after content from outside has entered the step; undefined if nothing did. */
export function judgeFlow(
  event: HookEvent,
  { root, folder }: FlowPlace,
  /** Whether a call is denied if private data was read as well. */
  isStrict: boolean,
): HookResult | undefined {
  const state = readFlow(folder, event.sessionId);
  const [entered] = state.untrusted.slice(-1);
  if (entered === undefined) return undefined;
  const outward = effectsOf(event, root).filter((effect) => isOutward(effect, root));
  const [unasked] = outward.filter((effect) => !isAskedFor(effect, event, state));
  const [secret] = state.private.slice(-1);
  const leak = secret === undefined ? undefined : outward.find(({ does }) => LEAKS.has(does));
  if (leak !== undefined && isStrict && secret !== undefined)
    return builtInResult(
      DATA_FLOW,
      {
        action: "deny",
        reason: `${sentence(leak)} In this step the session has read ${secret.source} (${secret.call}), and content from ${entered.source} (${entered.call}) entered it. Ask the user to send it, or to prompt again.`,
      },
      0,
    );
  const asked = leak ?? unasked;
  if (asked === undefined) return undefined;
  return builtInResult(
    DATA_FLOW,
    {
      action: "ask",
      reason: `${sentence(asked)} Content from ${entered.source} entered this step (${entered.call}), and it may contain instructions of others.${state.isForged ? FORGED : ""} Check that this is what you asked for.`,
    },
    0,
  );
}

/**
 * What is remembered about the processes above a hook: the first time those of the agent, and a prompt that a command of the agent has
 * sent in place of the user.
 */
export function newCaller(
  event: HookEvent,
  { folder }: FlowPlace,
  callerChain: () => readonly CallerProcess[],
): FlowEntry | undefined {
  const first = readFlow(folder, event.sessionId).callers.find(isCallerAlive);
  if (first === undefined) {
    const chain = callerChain();
    return chain.length === 0 ? undefined : { kind: "caller", chain };
  }
  const isForged = event.type === "user:prompt_submit" && !isSameCaller(first, callerChain());
  return isForged ? { kind: "forged" } : undefined;
}

/** Remembers a prompt, or what a call that passes or has ended brings into the step. */
export function rememberFlow(
  { event, action }: Decision,
  { root, folder }: FlowPlace,
  caller: FlowEntry | undefined,
): void {
  if (caller !== undefined) appendFlow(folder, event.sessionId, [caller]);
  if (caller?.kind === "forged") return;
  if (event.type === "user:prompt_submit") {
    const prompt = dataField(event, "prompt");
    appendFlow(folder, event.sessionId, [{ kind: "prompt", values: hashes(String(prompt ?? "")) }]);
    return;
  }
  const hasRun = event.type !== "tool:pre_execute";
  if (!hasRun && action !== "continue" && action !== "modify") return;
  const { fetched, ...known } = readFlow(folder, event.sessionId);
  const entries = entriesOf(event, root, fetched).filter((entry) => !isKnown(entry, known, fetched));
  appendFlow(folder, event.sessionId, entries);
}

type Arrival = Extract<FlowEntry, FlowLabel>;

/** A call is recorded before it runs, and again after it has run. */
function isKnown(
  entry: Arrival,
  known: Pick<FlowState, "untrusted" | "private">,
  fetched: FlowState["fetched"],
): boolean {
  if (entry.kind === "fetched") return fetched.has(entry.path);
  return known[entry.kind].some(({ call, source }) => call === entry.call && source === entry.source);
}

function entriesOf(event: HookEvent, root: string, fetched: FlowState["fetched"]): Arrival[] {
  const effects = effectsOf(event, root);
  const call = shortCall(event);
  const label = (source: string): FlowLabel => ({ call, source });
  const { toolName = "" } = event;
  const server =
    isOfKind(toolName, "@mcp") && !OWN_SERVER.test(toolName) ? [`the MCP server ${serverOf(toolName)}`] : [];
  const hosts = effects.flatMap((effect) =>
    effect.does === "fetch" && effect.remote === undefined ? [effect.host ?? effect.url ?? []].flat() : [],
  );
  const files = effects.flatMap(({ does, absolute }) => {
    if (does !== "read" || absolute === undefined) return [];
    const origin = fetched.get(absolute);
    if (origin !== undefined) return [origin.source];
    return isForeign(absolute, root) ? [absolute] : [];
  });
  const written = hosts[0] === undefined ? [] : effects.filter(({ does, absolute }) => does === "write" && absolute);
  return [
    ...unique([...server, ...hosts, ...files]).map((source) => ({ kind: "untrusted" as const, ...label(source) })),
    ...unique(effects.flatMap(privateSource)).map((source) => ({ kind: "private" as const, ...label(source) })),
    ...written.map(({ absolute = "" }) => ({ kind: "fetched" as const, path: absolute, ...label(hosts[0] ?? "") })),
  ];
}

function effectsOf(event: HookEvent, root: string): readonly ReportedEffect[] {
  const { toolName = "", cwd = root } = event;
  return readToolCall(toolName, dataField(event, "tool_args"), { cwd, home: homeDir() }).effects;
}

/** A source of private data among the effects of a call. */
function privateSource({ does, of, path, table = "", labels, service }: ReportedEffect): string[] {
  if (does !== "read") return [];
  if (of === "secret") return [`secrets of ${service}`];
  if (labels.some((name) => PRIVATE_LABELS.has(name))) return [path ?? "a key"];
  if (of === "path" && PERSONAL.test(path ?? "")) return [path ?? ""];
  return of === "data" && PEOPLE.test(table) ? [`the table ${table}`] : [];
}

/** A file outside of the project that somebody else may have written: downloads and temporary files. */
function isForeign(path: string, root: string): boolean {
  return !isInside(path, root) && FOREIGN.test(path);
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** Whether an effect leaves the machine, spends, deletes or changes something outside of the project. */
function isOutward(effect: ReportedEffect, root: string): boolean {
  const { does, of, absolute, host } = effect;
  if (does === "send") return host === undefined || !LOCAL_HOST.test(host);
  if (ALWAYS_OUTWARD.has(does)) return true;
  if (does === "delete" || does === "write") {
    if (of === "path") return absolute !== undefined && !isInside(absolute, root) && !SCRATCH.test(absolute);
    return of === "data" || of === "resource" || (of === "branch" && effect.remote !== undefined);
  }
  return does === "change-access" && of === "account";
}

/** Whether the user's own prompt contains every value that decides what an effect does. */
function isAskedFor(effect: ReportedEffect, event: HookEvent, { asked }: FlowState): boolean {
  if (asked === undefined) return false;
  const { url, host, to, branch, table, path, service, of } = effect;
  const place =
    effect.does === "send"
      ? [to ?? branch ?? host ?? url]
      : [to, branch, host, table, of === "path" ? path : undefined];
  const values = unique([...place.flatMap((value) => value ?? []), ...recipients(dataField(event, "tool_args"))]);
  const named =
    values.length > 0
      ? values
      : [service, effect.does === "publish" ? effect.what : undefined].flatMap((value) => value ?? []);
  const isNamed = (value: string) => tokens(value).some((token) => asked.has(valueHash(token)));
  // Another sum than the one that was asked for is another payment.
  const sums = effect.does === "spend" ? amounts(dataField(event, "tool_args")) : [];
  return named.length > 0 && named.every(isNamed) && sums.every((ways) => ways.some(isNamed));
}

/** The sums in the input of a tool, each in the ways in which a prompt may write it: whole, with cents, and as a number of cents. */
function amounts(input: unknown): string[][] {
  const text = JSON.stringify(input) ?? "";
  return [...text.matchAll(AMOUNT)].map(([, given = ""]) => {
    const sum = Number(given);
    return [sum, sum / 100].flatMap((one) => [String(one), one.toFixed(2)]);
  });
}

const AMOUNT = /"(?:\w{0,20}amount\w{0,20}|total|sum|price)"\s*:\s*"?(\d{1,15}(?:\.\d{1,8})?)/gi;

/** Addresses and amounts in the input of a tool. */
function recipients(input: unknown): string[] {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  return [...text.matchAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b[A-Z]{2}\d{2}[A-Z0-9]{10,30}\b/g)].map(([found]) => found);
}

/** The values of a text in the form in which prompts and calls are compared: whole, without marks, and the last part of a path. */
function tokens(text: string): string[] {
  return unique(
    // `$1,299.00` is the number 1299.00.
    [
      ...text
        .toLowerCase()
        .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "")
        .matchAll(/[\p{L}\p{N}][\p{L}\p{N}@._+:/~-]*/gu),
    ].flatMap(([found]) => {
      const plain = found.replace(/[.:/-]+$/, "");
      const host = /^\w+:\/\/([^/:]+)/.exec(plain)?.[1];
      const last = plain.split("/").at(-1);
      return [plain, ...(host === undefined ? [] : [host]), ...(last === undefined || last === plain ? [] : [last])];
    }),
  ).slice(0, MAX_VALUES);
}

function hashes(prompt: string): string[] {
  return tokens(prompt).map(valueHash);
}

function serverOf(tool: string): string {
  return /^mcp_{1,2}(.+?)__/.exec(tool)?.[1] ?? tool;
}

function shortCall(event: HookEvent): string {
  const input = dataField(event, "tool_args");
  const { command, url, file_path, path, query } = Object(input) as Readonly<Record<string, unknown>>;
  const text = [command, url, file_path, path, query].find((value) => typeof value === "string" && value !== "");
  const call = `${event.toolName ?? "a tool"}${typeof text === "string" ? `: ${text}` : ""}`;
  return call.length > MAX_CALL ? `${call.slice(0, MAX_CALL)}…` : call;
}

function sentence({ text }: ReportedEffect): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

const LEAKS: ReadonlySet<string> = new Set(["send", "publish"]);
const ALWAYS_OUTWARD: ReadonlySet<string> = new Set(["publish", "spend", "change-service", "rewrite-history"]);
const PRIVATE_LABELS: ReadonlySet<string> = new Set(["read-key", "read-secret", "show-secret"]);
const OWN_SERVER = /sluice/i;
const LOCAL_HOST = /^(?:localhost|127\.|\[?::1\]?$|0\.0\.0\.0$|host\.docker\.internal$)/;
const FOREIGN = /^\/(?:tmp|var\/tmp|dev\/shm|private\/tmp)\/|\/Downloads\//;
const SCRATCH =
  /^\/(?:tmp|var\/tmp|dev\/(?:null|stdout|stderr|tty)|private\/tmp)(?:\/|$)|^\/dev\/(?:null|stdout|stderr|tty)$/;
const PERSONAL =
  /(?:^~|^\/home\/[^/]+|^\/Users\/[^/]+|^\/root)\/(?:Documents|Desktop|Pictures|Photos|Mail|Library\/Messages)(?:\/|$)/;
const PEOPLE = /customer|user|patient|employee|account|payment|invoice|salar|contact|person/i;
const MAX_VALUES = 2000;
const MAX_CALL = 120;
const FORGED =
  " A prompt has come since then from a command of the agent and not from the agent itself, so it does not count as yours.";
