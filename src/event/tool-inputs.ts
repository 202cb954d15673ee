import { nearest } from "../problem/nearest.ts";
import { isObject } from "./json.ts";
import { isOfKind } from "./tool-kinds.ts";

/** The keys of a tool's input: those that are always there, and those that a call may leave out. */
interface ToolInput {
  readonly always: readonly string[];
  readonly optional: readonly string[];
}

/** What the shells of several agents may be given besides the command. */
const ANY_SHELL = [
  ...["cwd", "workdir", "working_dir", "working_directory", "timeout", "timeout_ms", "description", "env"],
  ...["with_escalated_permissions", "sandbox_permissions", "justification"],
];

/**
 * Tools of agents whose input is known. Agents that share the name of a tool share its row, so the optional keys are those of
 * all of them.
 */
const TOOL_INPUTS: Readonly<Record<string, ToolInput>> = {
  ...shells({
    Bash: ["run_in_background", "dangerouslyDisableSandbox", "_simulatedSedEdit", "login", "prefix_rule", "cmd"],
    bash: ["mode", "initial_wait", "sessionId", "session_id", "detach", "delay", "async"],
    Shell: ["sandbox", "required_permissions", "block_until_ms", "notify_on_output", "is_background"],
    Execute: ["riskLevel", "riskLevelReason", "impact", "fireAndForget"],
    run_shell_command: ["directory", "dir_path", "is_background"],
    execute_command: ["requires_approval", "task_progress"],
    execute_bash: ["summary"],
    run_in_terminal: ["explanation", "isBackground", "goal", "mode"],
    "launch-process": ["wait", "max_wait_seconds", "keep_stdin_open"],
    exec_command: ["shell", "login", "tty", "yield_time_ms", "max_output_tokens", "prefix_rule", "cmd"],
    shell_command: ["login", "prefix_rule"],
  }),
  Write: { always: ["file_path", "content"], optional: [] },
  write_file: { always: ["file_path", "content"], optional: ["ai_proposed_content", "modified_by_user"] },
  Edit: { always: ["file_path", "old_string", "new_string"], optional: ["replace_all"] },
  MultiEdit: { always: ["file_path", "edits"], optional: [] },
  NotebookEdit: { always: ["notebook_path", "new_source"], optional: ["cell_id", "cell_type", "edit_mode"] },
  Read: { always: ["file_path"], optional: ["offset", "limit", "pages"] },
  Glob: { always: ["pattern"], optional: ["path"] },
  Grep: {
    always: ["pattern"],
    optional: [
      ...["path", "glob", "type", "output_mode", "head_limit", "offset", "multiline", "context"],
      ...["-A", "-B", "-C", "-i", "-n", "-o"],
    ],
  },
  WebFetch: { always: ["url", "prompt"], optional: [] },
  WebSearch: { always: ["query"], optional: ["allowed_domains", "blocked_domains"] },
};

function shells(own: Readonly<Record<string, readonly string[]>>): Record<string, ToolInput> {
  const rows = Object.entries(own).map(([tool, optional]) => {
    return [tool, { always: ["command"], optional: [...ANY_SHELL, ...optional] }] as const;
  });
  return Object.fromEntries(rows);
}

/** Keys that mean the same in tools of different agents: a tool has one of them. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ["content", "contents", "new_text", "newText", "file_text", "fileText", "text", "new_source", "code_edit"],
  ["new_string", "new_str", "newString", "new_text", "newText", "replacement"],
  ["old_string", "old_str", "oldString", "old_text", "oldText"],
  ["path", "file_path", "filePath", "absolute_path", "target_file"],
  ["command", "cmd", "command_line", "commandLine", "shell_command"],
  ["url", "uri"],
];

/** The call whose input a hook changes. */
interface ChangedCall {
  readonly toolName?: string | undefined;
  readonly agent?: string | undefined;
}

/**
 * Why an agent would not understand a changed input: it has a key that the tool does not have. Keys that the call has may be
 * changed, and optional ones of a known tool may be added. A tool that is not known may take any other key, except one that
 * is another spelling of a key that it has.
 */
export function whyUnknownKey(
  { toolName = "", agent }: ChangedCall,
  before: unknown,
  after: unknown,
  depth = 0,
): string | undefined {
  if (!isObject(before) || !isObject(after) || before === after || depth > DEEPEST) return undefined;
  const present = Object.keys(before);
  const known = knownInput(toolName, agent, present);
  const named = toolName === "" ? "the tool" : toolName;
  for (const key of Object.keys(after)) {
    if (Object.hasOwn(before, key) || known?.optional.includes(key)) continue;
    const meant = present.find((one) => Object.hasOwn(after, one) && isOtherSpelling(key, one));
    if (meant !== undefined) return `${named} has no "${key}" here; the call has "${meant}"`;
    if (known !== undefined && present.length > 0)
      return `${named} has no "${key}"; it has ${[...new Set([...known.always, ...present])].join(", ")}`;
  }
  for (const key of present) {
    const why = isObject(before[key]) ? whyUnknownKey({}, before[key], after[key], depth + 1) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The row of a tool, if the call looks like it: a program may have a tool of its own under the same name. */
function knownInput(tool: string, agent: string | undefined, present: readonly string[]): ToolInput | undefined {
  const row = Object.hasOwn(TOOL_INPUTS, tool) ? TOOL_INPUTS[tool] : undefined;
  if (row === undefined) return undefined;
  if ((agent === undefined || agent === "json") && isOfKind(tool, "@shell")) return undefined;
  const isAll = row.always.every((key) => present.includes(key));
  return isAll && present.every((key) => row.always.includes(key) || row.optional.includes(key)) ? row : undefined;
}

function isOtherSpelling(key: string, present: string): boolean {
  if (SAME_MEANING.some((group) => group.includes(key) && group.includes(present))) return true;
  const [one, other] = [folded(key), folded(present)];
  if (one === other) return true;
  if (one.length < SHORTEST_MISSPELT || isVariant(one, other)) return false;
  return nearest(key, [present], one.length >= LONG ? 2 : 1) !== undefined;
}

/** `assignee` and `assignees`, `param1` and `param2`: tools have both. */
function isVariant(one: string, other: string): boolean {
  return `${one}s` === other || one === `${other}s` || one.replaceAll(/\d/g, "") === other.replaceAll(/\d/g, "");
}

function folded(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, "");
}

const DEEPEST = 4;
/** Short names differ by a letter and mean different things. */
const SHORTEST_MISSPELT = 5;
const LONG = 7;
