import { type EventName, eventSpec } from "../../event/catalogue.ts";
import { isOfKind, type ToolKindName } from "../../event/tool-kinds.ts";
import { valueText } from "../../rule/text.ts";

/** When a hook runs, besides its events: lists of a matcher, and a condition of the rule language. */
export interface Conditions {
  readonly tools?: readonly string[];
  readonly command_patterns?: readonly string[];
  readonly path_patterns?: readonly string[];
  readonly if?: string;
}

/** What a matcher means at an event: which tools, or what the field has to be that this event is known by. */
export function matcherConditions(matcher: unknown, event: EventName, hookEvent: string): Conditions {
  const own = toolsNamedBy(hookEvent);
  const tools = event.startsWith("tool:") && own !== undefined ? { tools: own } : {};
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return tools;
  if (own?.[0] === "@shell") return { ...tools, if: `args.command matches ${valueText(matcher)}` };
  if (event.startsWith("tool:") || event.startsWith("permission:")) return toolConditions(matcher);
  const field = FIELDS[event];
  if (field === undefined) return {};
  const words = matcher.split(/[|,]/).map((word) => word.trim());
  return { if: PLAIN.test(matcher) ? `${field} in ${valueText(words)}` : `${field} matches ${valueText(matcher)}` };
}

/** What a permission rule means: `Bash(git *)`, `Edit(src/**)`, `mcp__server__tool`. */
export function ruleConditions(rule: unknown): Conditions | undefined {
  if (typeof rule !== "string") return {};
  const [, tool, inside] = /^([\w*-]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  if (tool === undefined) return undefined;
  if (inside === undefined || inside === "*") return { tools: withKinds([tool]) };
  if (FILE_TOOLS.test(tool)) return { tools: [tool], path_patterns: [inside.replace(/^\.?\//, "")] };
  return { tools: withKinds([tool]), command_patterns: commandPatterns(inside.replace(/:\*$/, "*")) };
}

/** A command anywhere in a line: at the beginning, or after `;`, `&&` and `|`. */
export function commandPatterns(pattern: string): string[] {
  return [pattern, `*[;&|] ${pattern}`, `*[;&|]${pattern}`];
}

/** A hook that runs where a condition of the rule language holds. */
export function runsWhen(condition: string, act: object): { readonly when: object } {
  // biome-ignore lint/suspicious/noThenProperty: this is the word people write; it is never a function.
  return { when: { if: condition, then: act } };
}

/** Both conditions together; of the tools those that both name. */
export function both(one: Conditions, other: Conditions): Conditions {
  const named = one.tools && other.tools ? other.tools : (one.tools ?? other.tools);
  const ifs = [one.if, other.if].filter((text) => text !== undefined);
  return {
    ...one,
    ...other,
    ...(named === undefined ? {} : { tools: named }),
    ...(ifs.length === 0
      ? {}
      : { if: ifs.length === 1 ? String(ifs[0]) : ifs.map((text) => `(${text})`).join(" and ") }),
  };
}

function toolConditions(matcher: string): Conditions {
  if (PLAIN.test(matcher)) return { tools: withKinds(matcher.split(/[|,]/).map((word) => word.trim())) };
  const alternatives = matcher.replace(/^\^?\((?:\?:)?([^()]*)\)\$?$/, "$1").split("|");
  const isWhole = /^\^?\(.*\)\$$/.test(matcher);
  const globs = alternatives.map((alternative) => globOf(alternative, isWhole));
  return globs.every((glob) => glob !== undefined)
    ? { tools: withKinds(globs) }
    : { if: `tool matches ${valueText(matcher)}` };
}

/** A simple regular expression as a glob; `undefined` for any other. */
function globOf(regex: string, isWhole: boolean): string | undefined {
  const [, start, begins, body, any, end] = /^(\^?)((?:\.\*)?)([\w-]+)((?:\.\*)?)(\$?)$/.exec(regex) ?? [];
  if (body === undefined) return undefined;
  const before = (start === "^" || isWhole) && begins === "" ? "" : "*";
  return `${before}${body}${(end === "$" || isWhole) && any === "" ? "" : "*"}`;
}

/** Agents that have a hook event for each kind of tool name the kind in it. */
function toolsNamedBy(hookEvent: string): readonly string[] | undefined {
  return KINDS_BY_NAME.find(([name]) => name.test(hookEvent))?.[1];
}

const KINDS_BY_NAME: readonly (readonly [RegExp, readonly string[]])[] = [
  [/mcp/i, ["@mcp"]],
  [/shell|run_?command/i, ["@shell"]],
  [/read_?(file|code)|fileread/i, ["@read"]],
  [/write_?code|file_?edit|filesave|filecreate/i, ["@write"]],
];

/** What an agent compares a matcher with, where no tool is at work. */
const FIELDS: Partial<Readonly<Record<EventName, string>>> = {
  "session:start": "source",
  "session:end": "reason",
  "session:pre_compact": "trigger",
  "session:post_compact": "trigger",
  "session:notification": "notification_type",
  "subagent:start": "agent_type",
  "subagent:stop": "agent_type",
};

const PLAIN = /^[\w|, -]+$/;
const FILE_TOOLS = /^(Read|Write|Edit|MultiEdit|NotebookEdit)$/;

/** Whether an event can be stopped at all. */
export function isGate(events: readonly EventName[]): boolean {
  return events.some((event) => eventSpec(event).gate);
}

/**
 * Tools by kind where an agent's names mean the same: a hook that listens to all tools with which an agent writes listens to
 * `@write`. Some of them alone are another thing, and keep their names.
 */
function withKinds(tools: readonly string[]): readonly string[] {
  return KINDS.reduce<readonly string[]>((now, [kind, sets]) => {
    if (!sets.some((set) => set.every((tool) => now.includes(tool)))) return now;
    const others = now.filter((tool) => !isOfKind(tool, kind) && !EVERY_SERVER.has(tool));
    const at = now.findIndex((tool) => !others.includes(tool));
    const before = now.slice(0, at).filter((tool) => others.includes(tool));
    return [...before, kind, ...others.slice(before.length)];
  }, tools);
}

/** Globs that mean the tools of every MCP server. */
const EVERY_SERVER: ReadonlySet<string> = new Set(["mcp__*", "*mcp__*", "mcp_*", "MCP:*"]);

/** What agents call all their tools of a kind; each set is one agent's, or what its users write for it. */
const KINDS: readonly (readonly [ToolKindName, readonly (readonly string[])[]])[] = [
  [
    "@shell",
    [
      "Bash",
      "bash",
      "Shell",
      "shell",
      "run_shell_command",
      "Execute",
      "execute_command",
      "run_command",
      "launch-process",
    ].map((tool) => [tool]),
  ],
  [
    "@write",
    [
      ["Write", "Edit"],
      ["write_file", "replace"],
      ["write_file", "edit"],
      ["Create", "Edit"],
      ["create", "edit"],
      ["write", "edit"],
      ["write_to_file", "replace_in_file"],
      ["save-file", "str-replace-editor"],
      ["apply_patch"],
      ["fs_write"],
    ],
  ],
  ["@read", [["Read", "Grep", "Glob"], ["fs_read"]]],
  ["@network", [["WebFetch", "WebSearch"]]],
  ["@mcp", [...EVERY_SERVER].map((tool) => [tool])],
];
