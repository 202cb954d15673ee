import { dataField, type EventFacts, objectOf } from "../../event/field.ts";
import { oncePerText } from "../../event/once.ts";
import { unpacked } from "../../event/packed.ts";
import { isOfKind } from "../../event/tool-kinds.ts";
import type { Role } from "../effect.ts";

/** A call of a tool other than a shell: the words of its name and what its input holds. */
export interface CalledTool {
  /** As the agent names it. */
  readonly tool: string;
  /** The words of the tool's own name, in small letters and in the singular: `deleteBuckets` is `delete bucket`. */
  readonly words: readonly string[];
  /** The words of the server that the tool belongs to. */
  readonly server: readonly string[];
  readonly isMcp: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  /** Every value in the input other than lists and objects, at any depth, each with its key. */
  readonly leaves: readonly InputLeaf[];
}

/** One value of an input. */
export interface InputLeaf {
  /** Its key, as it is written. */
  readonly name: string;
  /** The same in small letters without `_` and `-`; for a value of a list, the key of the list. */
  readonly key: string;
  readonly value: string | number | boolean | null;
  /** The keys above it, from the outermost. */
  readonly above: readonly string[];
}

/** Reads a call; a tool that carries the call of another one is the other one. */
export function toolCall(event: EventFacts): CalledTool {
  const given = objectOf(unpacked(dataField(event, "tool_args")));
  const { toolName = "" } = event;
  const carried = given.tool_name ?? given.toolName;
  const isCarrier = CARRIERS.test(toolName) && typeof carried === "string";
  const input = isCarrier ? objectOf(unpacked(given.arguments ?? given.args ?? given.input ?? given.params)) : given;
  const { words, server } = nameOf(isCarrier ? String(carried) : toolName);
  const ofServer = isCarrier ? wordsOf(String(given.server_name ?? given.serverName ?? "")) : server;
  return { tool: toolName, words, server: ofServer, isMcp: isOfKind(toolName, "@mcp"), input, leaves: leavesOf(input) };
}

/** The values of an input, however deep. */
export function leavesOf(input: unknown): readonly InputLeaf[] {
  const leaves: InputLeaf[] = [];
  collect(input, "", "", [], leaves);
  return leaves;
}

/** The first text of the input under one of these keys, at the top or one object deeper. */
export function textUnder({ leaves }: Pick<CalledTool, "leaves">, keys: RegExp): string | undefined {
  for (const { key, value, above } of leaves)
    if (typeof value === "string" && above.length < 2 && keys.test(key)) return value;
  return undefined;
}

/** The words of a name: `mergePullRequests` is `merge pull request`. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)
    .map(singular)
    .flatMap((word, at, all) => {
      const both = `${word}${all[at + 1] ?? ""}`;
      return PAIRS.has(both) ? [word, both] : [word];
    });
}

/** Two words that mean one thing. */
const PAIRS: ReadonlySet<string> = new Set(
  "apikey configvar rolekey servicekey privatekey branchprotection pullrequest mergerequest deploykey sshkey securitygroup paymentintent giftcard creditnote portforward automerge appstore googleplay playstore storeconnect playconsole".split(
    " ",
  ),
);

interface ToolWords {
  readonly words: readonly string[];
  readonly server: readonly string[];
}

/** An agent has a few dozen tools, and each of them is called again and again. */
const nameOf = oncePerText((tool: string): ToolWords => {
  const [, long, longName, short, shortName] = MCP_NAME.exec(tool) ?? [];
  const server = long ?? short ?? "";
  const own = longName ?? shortName ?? tool;
  const named = { words: wordsOf(own), server: wordsOf(server) };
  return named;
});

function singular(word: string): string {
  if (KEPT_PLURALS.has(word)) return word;
  if (/(?:ss|us|is|os)$/.test(word) || word.length < 4) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function collect(value: unknown, name: string, key: string, above: readonly string[], leaves: InputLeaf[]): void {
  if (leaves.length >= MAX_LEAVES) return;
  const packed = typeof value === "string" && CARRIED_KEY().test(key) ? unpacked(value) : value;
  if (packed !== value) {
    collect(packed, name, key, above, leaves);
    return;
  }
  if (typeof value !== "object" || value === null) {
    if (value !== undefined && typeof value !== "function")
      leaves.push({ name, key, value: value as InputLeaf["value"], above });
    return;
  }
  if (above.length > MAX_DEPTH) return;
  if (Array.isArray(value)) for (const item of value) collect(item, name, key, above, leaves);
  else {
    const inner = key === "" ? above : [...above, key];
    for (const [own, item] of Object.entries(value))
      collect(item, own, own.toLowerCase().replaceAll(/[_-]/g, ""), inner, leaves);
  }
}

/** What a tool other than a shell may do at a service, by its input and by the verb of its name, and the roles that it plays then. */
export const TOOL_ACTS = {
  "data-loss": { means: "drops, empties or overwrites data of a database", roles: ["database", "work-loss"] },
  "data-change": { means: "changes data of a database", roles: ["database"] },
  "data-access": { means: "changes who may use a database, or how it runs", roles: ["database", "account"] },
  "data-host": { means: "reaches through a database to its machine, or to the passwords in it", roles: ["run-code"] },
  "resource-loss": { means: "removes something at a service", roles: ["cloud", "work-loss"] },
  outage: { means: "stops, replaces or switches off something at a service", roles: ["cloud"] },
  access: { means: "changes who may use something at a service", roles: ["account"] },
  merge: { means: "merges a change for everybody", roles: ["cloud"] },
  "force-push": { means: "overwrites a branch of a service", roles: ["cloud", "history-rewrite"] },
  publish: { means: "makes something public", roles: ["publish"] },
  message: { means: "writes to people in the user's name", roles: ["message"] },
  payment: { means: "moves money", roles: ["payment"] },
  "show-secret": { means: "shows a secret that a service keeps", roles: ["reveal"] },
  "people-data": { means: "shows or sends data about people, or a whole collection of data or code", roles: [] },
  "copy-secret": { means: "copies a file with keys to where it is published", roles: [] },
  "send-key": { means: "sends a key to another machine", roles: ["network-out"] },
  "inner-address": {
    means: "opens a file outside of the project, or an interface of machines, by its address",
    roles: [],
  },
  "page-secret": { means: "takes what a page keeps about its user and sends it", roles: ["network-out"] },
  "ci-secret": { means: "writes a pipeline that gives its secrets away", roles: ["persistence"] },
  "package-source": {
    means: "leads a package manager to another registry than the usual one",
    roles: ["foreign-source"],
  },
  "package-check": { means: "lets a package manager take packages without a check", roles: ["unverified"] },
  "harmful-code": { means: "writes code that gives a shell or keys to another machine", roles: [] },
  "check-loss": { means: "takes away a check of the project or of the agent", roles: [] },
  "file-loss": { means: "writes over a file that is kept nowhere else", roles: [] },
  "auto-run": { means: "writes a file that runs something by itself", roles: ["persistence"] },
} as const satisfies Record<string, { readonly means: string; readonly roles: readonly Role[] }>;

export type ToolActKind = keyof typeof TOOL_ACTS;

/** One thing that a call does at a service. */
export interface ToolAct {
  readonly kind: ToolActKind;
  /** The part of the call that shows it, for a message. */
  readonly text: string;
}

/** What holds the input of another tool, as a text of JSON too. */
const CARRIED_KEY = () => /^(?:arguments|args|params|parameters|input|payload|request|toolinput|toolarguments)$/;
const CARRIERS = /^(?:use_mcp_tool|mcp_tool_use|call_mcp_tool|CallMcpTool|call_tool|invoke_tool)$/;
/** `mcp__server__tool`, `mcp_server_tool`, `MCP:server:tool`. */
const MCP_NAME = /^(?:mcp__(.+?)__(.+)|mcp_([^_]+)_(.+))$/is;
const KEPT_PLURALS: ReadonlySet<string> = new Set("aws dns sms sns sqs ecs eks rds news kms https ns".split(" "));
const MAX_LEAVES = 2000;
const MAX_DEPTH = 6;
