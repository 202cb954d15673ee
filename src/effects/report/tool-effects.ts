import type { EventFacts } from "../../event/field.ts";
import { type CallEffects, type Effect, isPathEffect, type ServiceAct } from "../effect.ts";
import type { Word } from "../parse/command.ts";
import { isSql, sqlActs, sqlReads } from "../sql/sql.ts";
import { type CalledTool, type ToolActKind, textUnder, toolCall } from "../tools/tool-call.ts";
import { LOOKS, REMOVES, SENDS, SPEAKS, verbOf } from "../tools/verbs.ts";
import type { EffectDraft } from "./call-report.ts";
import { pathTarget } from "./path-target.ts";
import { statementEffects } from "./role-effects.ts";

/** The name by which a tool's service is known: the server of an MCP tool, or the tool itself. */
function serviceOf(tool: string): string {
  const [, long, short, dashed] = /^mcp__(.+?)__|^mcp_([^_]+)_|^([A-Za-z][\w.]*)(?:___|-)/i.exec(tool) ?? [];
  return long ?? short ?? dashed ?? tool;
}

/** Returns what a tool does at a service, by the act that the engine found in its name and its input. */
export function toolActDrafts(tool: string, { kind, text }: ServiceAct, event: EventFacts): readonly EffectDraft[] {
  const keys = NAMED_BY[kind];
  const named = (keys && textUnder(toolCall(event), keys)) ?? (text === "" ? undefined : text);
  return BY_ACT[kind as ToolActKind](serviceOf(tool), named, text);
}

/** The keys of an input that name what an act is about, if the text of the act holds more than that. */
const NAMED_BY: Readonly<Record<string, RegExp>> = {
  message: /^(?:to|channel|channelid|recipients?|chatid|phone|email|user)$/,
  publish: /^(?:package|packagename|name|image|tag|site|app)$/,
};

type Report = (service: string, named: string | undefined, text: string) => readonly EffectDraft[];

const system: Report = (service, name) => [{ does: "change-system", what: "settings", program: service, name }];
const startup: Report = (service, name) => [{ does: "change-system", what: "startup", program: service, name }];
const access: Report = (service, account) => [{ does: "change-access", of: "account", program: service, account }];
const changed: Report = (service, resource) => [{ does: "change-service", of: "resource", service, resource }];

const BY_ACT: Readonly<Record<ToolActKind, Report>> = {
  "data-loss": (service, _, text) => data("delete", service, text),
  "data-change": (service, _, text) => data("write", service, text),
  "data-access": (service, account, text) => {
    const drafts = statementEffects(service, sqlActs(text));
    return drafts.length > 0 ? drafts : access(service, account, text);
  },
  "data-host": (service, _, text) => {
    const drafts = statementEffects(service, sqlActs(text));
    return drafts.length > 0 ? drafts : [{ does: "run", of: "code", program: service, from: "text" }];
  },
  "resource-loss": (service, resource) => [{ does: "delete", of: "resource", service, resource }],
  outage: changed,
  access,
  merge: changed,
  "force-push": (service, branch) => [{ does: "rewrite-history", program: service, branch }],
  publish: (service, what) => [{ does: "publish", program: service, what }],
  message: (service, to) => [{ does: "send", what: "message", service, to }],
  payment: (service, what) => [{ does: "spend", service, what }],
  "show-secret": (service) => [{ does: "read", of: "secret", service }],
  "people-data": (service) => [{ does: "read", of: "data", service }],
  "copy-secret": (service, what) => [{ does: "publish", program: service, what }],
  "send-key": (service) => [{ does: "send", what: "key", service }],
  "inner-address": (_, url) => [{ does: "fetch", url }],
  "page-secret": (service) => [{ does: "send", what: "what the page keeps about its user", service }],
  "ci-secret": startup,
  "package-source": system,
  "package-check": system,
  "harmful-code": startup,
  "check-loss": system,
  "file-loss": (service, resource) => [{ does: "delete", of: "resource", service, resource }],
  "auto-run": startup,
};

function data(does: "delete" | "write", service: string, text: string): readonly EffectDraft[] {
  const drafts = statementEffects(service, sqlActs(text));
  if (drafts.length > 0) return drafts;
  // What is not SQL is the name of a collection, or a command.
  const table = /^[\w.$-]+$/.test(text) && !/^flush/i.test(text) ? text : undefined;
  return [{ does, of: "data", table }];
}

/** What the name and the input of a tool show besides the effects that the engine reports. */
export interface ToolDrafts {
  readonly drafts: readonly EffectDraft[];
  /** The tool is only asked for rows of tables. */
  readonly isQuery: boolean;
}

/** Returns the queries, the changes at a service and the written files that the name and the input of a tool show. */
export function toolDrafts(event: EventFacts, act: CallEffects): ToolDrafts {
  const call = toolCall(event);
  const service = serviceOf(call.tool);
  const queries = call.leaves.flatMap(({ key, value }) =>
    typeof value === "string" && QUERY_KEY.test(key) && isSql(value) ? statementEffects(service, sqlReads(value)) : [],
  );
  const isBare = act.effects.length === 0;
  const changes = call.isMcp && isBare && queries.length === 0 ? changesAtService(call, service) : [];
  const written = (act.effects.some(isAct) ? [] : act.ofTool.paths)
    .filter((path) => !EMAIL.test(path))
    .filter((path) => !act.effects.some((effect) => isPathEffect(effect) && effect.path.text === path))
    .map((path): EffectDraft => ({ does: "write", ...pathTarget({ path: knownWord(path), isTree: false }, act) }));
  return {
    drafts: [...queries, ...changes, ...written],
    isQuery: isBare && queries.length > 0 && written.length === 0,
  };
}

function isAct(effect: Effect): boolean {
  return effect.does === "run" && effect.act !== undefined;
}

const EMAIL = /^[^/\s@]+@[^/\s@]+$/;

/** Whether the input of a tool is sent with its request. */
export function sendsInput(event: EventFacts): boolean {
  const { method, body, data, payload, json, form } = toolCall(event).input;
  const isChanging = typeof method === "string" && !/^(?:get|head|options)$/i.test(method);
  return isChanging || [body, data, payload, json, form].some((value) => value !== undefined && value !== "");
}

function knownWord(text: string): Word {
  return { text, isKnown: true, isGlob: false };
}

const QUERY_KEY = /^(?:sql|query|statement|q)$/;

/** `create_issue`, `push_files`: the verb of the name is the act, its other words and the input name the object. */
function changesAtService({ words, input, leaves }: CalledTool, service: string): readonly EffectDraft[] {
  const verb = verbOf(words);
  if (verb === undefined || LOOKS.has(verb)) return [];
  const branch = typeof input.branch === "string" ? input.branch : undefined;
  if (branch !== undefined && !REMOVES.has(verb)) return [{ does: "send", service, branch }];
  const isJoined = (word: string, at: number) => word === `${words[at - 1]}${words[at + 1]}`;
  const kind = words.filter((word, at) => word !== verb && !isJoined(word, at)).join(" ");
  const name = leaves.find(({ key, value }) => NAME_KEY.test(key) && typeof value === "string")?.value;
  const resource = [kind, name].filter(Boolean).join(" ") || undefined;
  if (SENDS.has(verb) || SPEAKS.has(verb)) return [{ does: "send", what: "message", service, to: resource }];
  if (branch !== undefined) return [{ does: "delete", of: "branch", branch, remote: service }];
  return [{ does: REMOVES.has(verb) ? "delete" : "change-service", of: "resource", service, resource }];
}

const NAME_KEY = /^(?:name|repo|title|id|key|path|channel|bucket|project)$/;
