import { join } from "node:path";
import { getNodeValue, parseTree } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import type { Adapter } from "../adapters/adapter.ts";
import { ADAPTERS } from "../adapters/index.ts";
import { MCP_SERVER } from "../adapters/recipe.ts";
import { agentNames } from "../event/agent-names.ts";
import { EVENT_NAMES, type EventName, eventSpellings } from "../event/catalogue.ts";
import { FIELD_SPELLINGS } from "../event/field.ts";
import { isObject } from "../event/json.ts";
import { TOOL_KINDS, toolNames } from "../event/tool-kinds.ts";
import { homeDir } from "../fs/home-dir.ts";
import { readRegularText } from "../fs/regular-file.ts";
import type { Hook } from "../hook/hook.ts";
import { installedAgents } from "../install/targets.ts";
import { didYouMean, nearest } from "../problem/nearest.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { CALL_FIELDS } from "../rule/call-fields.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { placedIn, type RuleFinding } from "../rule/names.ts";
import { operatorWords } from "../rule/operator-words.ts";
import { type Comparison, comparisonsIn } from "../rule/rule.ts";

/** What is known about the agents of this machine: which call Sluice, and which MCP servers they have. */
export interface AgentFacts {
  readonly installed: readonly Adapter[];
  /** Empty if there is neither a server nor an agent that could have one: then nothing is known. */
  readonly servers: ReadonlySet<string>;
}

/** Looks for the agents and the MCP servers of a user and a project. */
export function agentFacts(root: string): AgentFacts {
  const home = homeDir();
  const found = ADAPTERS.flatMap(({ recipe }) => {
    const { files, at = [] } = recipe?.mcp ?? {};
    const keys = [at, ["projects", root, ...at]];
    const paths = [files?.user && join(home, files.user), files?.project && join(root, files.project)];
    return paths.flatMap((path) => (path ? serversIn(path, keys) : []));
  });
  const installed = installedAgents({ home, root });
  const isKnown = found.length > 0 || installed.some(({ recipe }) => recipe?.mcp !== undefined);
  return { installed, servers: new Set(isKnown ? [...found, MCP_SERVER] : []) };
}

/** The names that hooks of this user and project may contain: closed sets, and what is configured here. */
export function knownNames(root: string) {
  const servers = [...agentFacts(root).servers].map((name) => `mcp__${asInTool(name)}__`);
  return {
    events: [...eventSpellings(), ...[...OF_CALLS].flatMap((event) => KINDS.map((kind) => `${event}:${kind}`))],
    agents: agentNames(),
    tools: [...new Set([...toolNames(), ...servers])],
    fields: [...FIELDS, ...Object.keys(CALL_FIELDS)],
    operators: operatorWords(),
  };
}

const KINDS = Object.keys(TOOL_KINDS);
const FIELDS =
  "tool agent event args.command prompt result error cwd session_minutes session.untrusted session.private".split(" ");

/** How an agent writes the name of a server into those of its tools: other signs are an underscore. */
function asInTool(server: string): string {
  return server.replaceAll(/[^\w-]/g, "_");
}

function serversIn(path: string, places: readonly (readonly string[])[]): string[] {
  let settings: unknown;
  try {
    const text = readRegularText(path);
    const tree = path.endsWith(".toml") ? undefined : parseTree(text, [], { allowTrailingComma: true });
    settings = tree === undefined ? parseToml(text) : getNodeValue(tree);
  } catch {
    // A file that is missing or cannot be read names no server.
    return [];
  }
  return places.flatMap((place) => {
    const inner = place.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), settings);
    return isObject(inner) ? Object.keys(inner) : [];
  });
}

/** What a hook asks about that the agents of this machine never send: fields of other agents, and servers that none of them has. */
export function unsentByAgents(hook: Hook, { installed, servers }: AgentFacts): Problem[] {
  const { written } = readHookRules(hook);
  const isOfNamedTools = namedTools(hook).length > 0;
  const isAboutCalls = EVENT_NAMES.every((event) => OF_CALLS.has(event) || hook.toolsFor(event) === "never");
  const inRules = written.flatMap((one) => {
    const comparisons = comparisonsIn(one.rule.when);
    const isNarrow = isOfNamedTools || comparisons.some(({ field }) => NARROWING.has(field));
    return placedIn(one, [
      ...comparisons.flatMap((comparison) => (isNarrow ? [] : unsentField(hook.name, comparison, installed))),
      ...(isAboutCalls ? comparisons.flatMap((comparison) => notOfCalls(hook, comparison)) : []),
      ...comparisons.flatMap((comparison) => unknownServers(hook.name, comparison, servers)),
    ]);
  });
  const path = hook.matcher?.tools ? ["matcher", "tools"] : ["event"];
  const matched = namedTools(hook).flatMap((tool) => unknownServer(hook.name, tool, servers));
  return [...inRules, ...matched.map((facts) => PROBLEMS.unknownServer(facts, { path }))];
}

const NARROWING: ReadonlySet<string> = new Set(["tool", "tool_name", "agent"]);

function namedTools(hook: Hook): readonly string[] {
  const names = EVENT_NAMES.map((event) => hook.toolsFor(event)).flatMap((found) =>
    Array.isArray(found) ? (found as readonly string[]) : [],
  );
  return [...new Set(names)];
}

/** A key of one agent's tools for files, in a rule about the calls of all. */
function unsentField(hook: string, { field }: Comparison, installed: readonly Adapter[]): RuleFinding[] {
  const [first = "", ...rest] = field.split(".");
  const key = rest.findLast((part) => /^[a-z]/i.test(part)) ?? "";
  const meant = FIELD_SPELLINGS.tool_args.some((args) => args === first) ? MEANT[key] : undefined;
  const others = installed.filter(({ fileKeys }) => fileKeys !== undefined && !fileKeys.includes(key));
  if (meant === undefined || others.length === 0) return [];
  const titles = others.map(({ title }) => title).sort();
  const agents = `${titles.join(" and ")} never ${titles.length === 1 ? "sends" : "send"}`;
  return [{ on: "field", text: field, problem: PROBLEMS.unsentField({ hook, field, agents, meant }) }];
}

/** A field of other events in a rule about calls of tools: no agent sends it there. */
function notOfCalls({ name: hook, eventPattern }: Hook, { field, operator }: Comparison): RuleFinding[] {
  const [first = ""] = field.split(".");
  if (!OF_OTHER_EVENTS.has(first) || operator === "not_exists") return [];
  return [{ on: "field", text: field, problem: PROBLEMS.notOfCalls({ hook, field, pattern: eventPattern }) }];
}

const OF_CALLS: ReadonlySet<EventName> = new Set<EventName>(["tool:pre_execute", "tool:post_execute", "tool:error"]);
const OF_OTHER_EVENTS: ReadonlySet<string> = new Set([
  ...FIELD_SPELLINGS.prompt,
  ..."perm_level perm_rule llm_tokens old_model checkpoint_id checkpoint_type update_type exit_reason".split(" "),
  ..."last_assistant_message stop_hook_active notification_type custom_instructions".split(" "),
]);

/** The fields that all agents have, by the keys of single agents. */
const MEANT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "content contents file_text file_content new_string newString new_str new_source old_string oldString old_str"
      .split(" ")
      .map((key) => [key, "content"]),
  ),
  ...Object.fromEntries("filePath notebook_path absolute_path target_file".split(" ").map((key) => [key, "path"])),
};

function unknownServers(hook: string, { field, value }: Comparison, servers: ReadonlySet<string>): RuleFinding[] {
  if (field !== "tool" && field !== "tool_name") return [];
  return [value]
    .flat()
    .filter((text) => typeof text === "string")
    .flatMap((text) =>
      unknownServer(hook, text, servers).map(
        (facts) => ({ on: "value", text, problem: PROBLEMS.unknownServer(facts) }) as const,
      ),
    );
}

/** The server in the name of a tool, if no agent has it; what plugins and accounts bring is in no settings. */
function unknownServer(hook: string, tool: string, servers: ReadonlySet<string>) {
  const known = [...servers];
  // Gemini CLI writes one underscore after a name that may have more of them: only what is close to a known server is one.
  const [, loose] = /^mcp_(?!_)([a-z\d.-]+)_/i.exec(tool) ?? [];
  const server = /^mcp__([\w.-]+?)__/.exec(tool)?.[1] ?? (loose && nearest(loose, known) && loose);
  if (server === undefined || known.length === 0 || /^(?:plugin_|claude_ai_|ide$)/.test(server)) return [];
  const begins = known
    .flatMap((name) => [name, asInTool(name)])
    .map((name) => (loose ? `mcp_${name}_` : `mcp__${name}__`));
  return begins.some((begin) => tool.startsWith(begin)) ? [] : [{ hook, server, known }];
}

const PROBLEMS = problems("hook", {
  unsentField: (told: { hook: string; field: string; agents: string; meant: string }) => ({
    what: `hook "${told.hook}" asks about ${told.field}, which ${told.agents}; its rule does not see those calls.`,
    fix: `Write \`${told.meant}\`, which is the same for all agents.`,
  }),
  notOfCalls: ({ hook, field, pattern }: { hook: string; field: string; pattern: string }) => ({
    what: `hook "${hook}" asks about ${field}, which no agent sends with ${pattern}; its rule never matches.`,
    fix: `Match the event that has it, or write \`args.${field}\` for a part of the tool's input.`,
  }),
  unknownServer: ({ hook, server, known }: { hook: string; server: string; known: readonly string[] }) => ({
    what: `hook "${hook}" names the MCP server ${server}, which no agent has in its settings here.`,
    fix: didYouMean(server, known) || `There are ${known.join(", ")}.`,
  }),
});
