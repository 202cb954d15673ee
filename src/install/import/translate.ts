import type { Adapter } from "../../adapters/adapter.ts";
import type { Wanted } from "../../adapters/recipe.ts";
import { shellWord } from "../../effects/parse/value.ts";
import { type EventName, eventNamed } from "../../event/catalogue.ts";
import { isObject } from "../../event/json.ts";
import { valueText } from "../../rule/text.ts";
import { both, type Conditions, isGate, matcherConditions, ruleConditions, runsWhen } from "./conditions.ts";
import type { ForeignFields, ForeignFinding, ForeignHook } from "./foreign-hooks.ts";

/** One hook of an agent as a hook of ours that means the same there, or the reason why there is none. */
export function translate({ hookEvent, group, entry }: ForeignHook, adapter: Adapter, file: string): ForeignFinding {
  const what = `${hookEvent}: ${firstText(entry.command, entry.bash, entry.linux, entry.url, entry.prompt, entry.type) ?? "a hook"}`;
  const left = (why: string): ForeignFinding => ({ kind: "left", what, file, why });
  const events = eventsOf(hookEvent, adapter);
  if (events[0] === undefined) return left(`no event of Sluice's is ${adapter.title}'s ${hookEvent}`);
  const type = typeof entry.type === "string" ? entry.type : "command";
  const act =
    type === "command" ? commandOf(entry, adapter, isGate(events)) : type === "http" ? httpOf(entry) : undefined;
  if (act === undefined) return left(UNKNOWN_KINDS[type] ?? `a hook of the kind "${type}" has no counterpart`);
  if (typeof act === "string") return left(act);
  const rule = ruleConditions(entry.if);
  if (rule === undefined) return left(`its condition \`if: ${String(entry.if)}\` cannot be read`);
  const regex = group.commandRegex === undefined ? {} : { if: `args.command matches ${valueText(group.commandRegex)}` };
  const wanted = both(both(matcherConditions(group.matcher ?? entry.matcher, events[0], hookEvent), rule), regex);
  return {
    kind: "imported",
    file,
    notes: notesOn(entry, type),
    spec: {
      name: nameOf(hookEvent, entry, adapter),
      ...(typeof entry.description === "string" ? { description: entry.description } : {}),
      ...placed(act, events, wanted),
      timeout: secondsIn(entry, type, adapter) ?? adapter.seconds,
      on_error: isStrict(entry) ? "deny" : "continue",
      ...(type === "command" ? { exit_codes: "claude" } : {}),
      ...(entry.async === true || entry.asyncRewake === true ? { async: true } : {}),
      ...(entry.enabled === false ? { enabled: false } : {}),
    },
  };
}

/** The events that a hook event stands for; agents that tell failures with the same hook event mean both. */
function eventsOf(hookEvent: string, { hookEvents }: Adapter): EventName[] {
  const known = [hookEvents[hookEvent]?.as, hookEvents[`${hookEvent}.error`]?.as].filter(
    (event) => event !== undefined,
  );
  const named = known.length === 0 ? eventNamed(hookEvent) : undefined;
  return named === undefined ? known : [named];
}

/** What it runs; a text says why it cannot. */
function commandOf(entry: ForeignFields, { recipe }: Adapter, isGate: boolean): ForeignFields | string {
  const line = firstText(entry.command, entry.bash, entry.linux, entry.osx);
  if (line === undefined || entry.shell === "powershell") return "it runs in PowerShell, and Sluice starts `sh`";
  const words = Array.isArray(entry.args) ? [line, ...entry.args.map(String)] : undefined;
  const text = words === undefined ? line : words.map(wordWithVariables).join(" ");
  const strict = isGate && recipe?.anyExitDenies === true ? `{ ${text}\n} || exit 2` : text;
  const folder = firstText(entry.cwd, entry.working_directory);
  return {
    ...(words === undefined || strict !== text || words.some((word) => word.includes("${"))
      ? { command: strict }
      : { args: words }),
    ...(typeof entry.shell === "string" && words === undefined ? { shell: entry.shell } : {}),
    ...(folder === undefined ? {} : { working_dir: folder }),
    ...(isObject(entry.env) && Object.keys(entry.env).length > 0 ? { env: entry.env } : {}),
  };
}

/** Agents put variables into words without a shell; a shell does the same between double quotes. */
function wordWithVariables(word: string): string {
  return /\$\{\w+\}/.test(word) ? `"${word.replaceAll(/["\\`]|\$(?!\{\w+\})/g, "\\$&")}"` : shellWord(word);
}

function httpOf(entry: ForeignFields): ForeignFields | string {
  const secrets = Array.isArray(entry.allowedEnvVars) ? entry.allowedEnvVars.map(String) : [];
  const headers = isObject(entry.headers) ? entry.headers : {};
  if (secrets.length > 0 || /\$/.test(JSON.stringify(headers)))
    return `its headers carry variables (${secrets.join(", ") || "see its headers"}); write it by hand, with \${NAME} in the headers`;
  return { type: "http", url: entry.url, ...(Object.keys(headers).length > 0 ? { headers } : {}) };
}

function placed(act: ForeignFields, events: readonly string[], { if: condition, ...lists }: Conditions): ForeignFields {
  const matcher = { matcher: { events, ...lists } };
  return condition === undefined ? { ...matcher, ...act } : { ...matcher, ...runsWhen(condition, act) };
}

function nameOf(hookEvent: string, entry: ForeignFields, { id }: Adapter): string {
  const stated = firstText(entry.name);
  const line = firstText(entry.command, entry.bash, entry.linux, entry.url) ?? "";
  const program = /[\w.-]*\w(?=["']?(\s|$))/.exec(line)?.[0] ?? "hook";
  return stated ?? `${id}-${hookEvent}-${program}`.replaceAll(/[^\w.-]+/g, "-");
}

function isStrict(entry: ForeignFields): boolean {
  return entry.onFailure === "block" || entry.failClosed === true;
}

function notesOn(entry: ForeignFields, type: string): string[] {
  return [
    ...(entry.once === true ? ["`once` is not kept: it runs every time"] : []),
    ...(entry.asyncRewake === true
      ? ["`asyncRewake` is not kept: it runs in the background and does not wake the agent"]
      : []),
    ...(type === "http" ? ["its server is sent Sluice's event, in which `tool_input` is `data.tool_args`"] : []),
  ];
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

const UNKNOWN_KINDS: Readonly<Record<string, string>> = {
  prompt: "it asks the agent's own model; write an `llm` hook with the question in `prompt`",
  agent: "it starts an agent of the agent's own; write an `llm` hook, or a command that starts one",
  mcp_tool: "it calls a tool of an MCP server that the agent runs; write a command that calls it",
};

/** The seconds that a foreign hook is given: its own number, in the unit in which its agent's recipe writes times. */
function secondsIn(entry: ForeignFields, type: string, adapter: Adapter): number | undefined {
  const stated = TIME_KEYS.map((key) => entry[key]).find((value) => typeof value === "number" && value > 0);
  if (typeof stated !== "number") return undefined;
  if (typeof entry.timeout_ms === "number") return stated / 1000;
  // Where commands have milliseconds, other kinds of hooks have seconds.
  return type === "command" ? stated / perSecond(adapter) : stated;
}

/** What the recipe makes of a time that no user would write. */
function perSecond({ recipe }: Adapter): 1 | 1000 {
  if (recipe === undefined) return 1;
  const probe: Wanted = { hookEvent: "PreToolUse", command: "probe", seconds: PROBE, gate: true };
  const written =
    recipe.kind === "entries"
      ? JSON.stringify(recipe.entry(probe))
      : recipe
          .files("user", [probe], ["probe"])
          .map(({ text }) => text)
          .join("\n");
  return written.includes(String(PROBE * 1000)) ? 1000 : 1;
}

const PROBE = 7919;
const TIME_KEYS = ["timeout", "timeoutSec", "timeout_ms"];
