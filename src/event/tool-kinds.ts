import { oncePerText } from "./once.ts";
/** A kind of act that agents name differently: `@shell` is Bash here and run_shell_command there. */
export interface ToolKind {
  readonly means: string;
  readonly names: readonly string[];
  /** Beginnings of names, where an agent builds the name from a server's. */
  readonly prefixes?: readonly string[];
  /** The shape of names that an agent builds without such a beginning, such as `server-tool`. */
  readonly shape?: RegExp;
}

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** The kinds of acts, and what agents call the tools that do them. */
export const TOOL_KINDS = {
  "@shell": {
    means: "runs a shell command, or types into a shell that runs",
    names: words(`bash Bash shell Shell sh exec exec_command execute Execute execute_bash execute_command executeCommand
      launch-process local_shell Monitor monitor powershell PowerShell run_command run_commands run_in_terminal
      run_shell_command run_terminal_cmd run_terminal_command runCommand runInTerminal send_to_terminal sendToTerminal shell_command
      terminal unified_exec write-process write_bash write_powershell write_shell_stdin write_stdin`),
  },
  "@write": {
    means: "creates, changes or deletes files",
    names:
      words(`write Write write_file write_to_file writeFile create Create create_file createFile edit Edit edit_file
      editFile editFiles edit_notebook_file editor multi_edit multiedit MultiEdit multi_replace_string_in_file
      NotebookEdit notebook_edit apply_diff apply_patch ApplyPatch applyPatch patch delete_file Delete fs_write
      insert_content insert_edit_into_file new_rule replace replace_in_file replace_string_in_file remove-files
      save-file search_replace str-replace-editor str_replace str_replace_based_edit_tool str_replace_editor
      undo_edit write_code`),
  },
  "@read": {
    means: "reads files without changing them",
    names: words(`read Read read_file read_files read_many_files readFile read_code fs_read view View cat NotebookRead
      notebook_read glob Glob file_search grep Grep grep_search grep_search_tool search search_file_content
      search_files search_codebase semantic_search codebase_search list LS ls list_dir list_directory list_files
      list_code_definition_names`),
  },
  "@network": {
    means: "talks to other machines",
    names: words(`fetch Fetch FetchUrl fetch_webpage fetch_web_content http_request read_web_page browser browser_action
      open_simple_browser web_fetch web-fetch webfetch WebFetch web_search web-search websearch WebSearch
      google_web_search github_repo use_browser`),
  },
  "@mcp": {
    means: "calls a tool of an MCP server",
    names: ["use_mcp_tool", "use_tool", "access_mcp_resource", "mcp_tool_use"],
    prefixes: ["mcp__", "mcp_", "mcp:", "MCP:"],
    shape: /^[A-Za-z][\w.]*-[\w.-]+$|^[A-Za-z][\w.-]*___[\w.-]+$/,
  },
} as const satisfies Record<`@${string}`, ToolKind>;

export type ToolKindName = keyof typeof TOOL_KINDS;

/** The kinds, and every name that a tool of an agent is known to have. */
export function toolNames(): readonly string[] {
  return [...Object.keys(TOOL_KINDS), ...Object.values(TOOL_KINDS).flatMap(({ names }) => names), ...OTHER_TOOLS];
}

/** Whether a text names a tool kind. */
export function isToolKind(name: string): name is ToolKindName {
  return Object.hasOwn(TOOL_KINDS, name);
}

/** Whether a tool, by its exact name, is of that kind. */
export function isOfKind(tool: string, kind: ToolKindName): boolean {
  return kindsOf(tool).has(kind);
}

/** Computed once for each tool: a call asks about the same one repeatedly. */
const kindsOf = oncePerText((tool: string): ReadonlySet<ToolKindName> => {
  const kinds = new Set(
    (Object.keys(TOOL_KINDS) as ToolKindName[]).filter((kind) => isNamedBy(TOOL_KINDS[kind], tool)),
  );
  return kinds;
});

function isNamedBy({ names, prefixes, shape }: ToolKind, tool: string): boolean {
  if (names.includes(tool)) return true;
  if (prefixes?.some((prefix) => tool.startsWith(prefix))) return true;
  return shape !== undefined && /-|___/.test(tool) && shape.test(tool) && !OWN_DASHED.has(tool);
}

/** Tools of agents whose names have a dash without a server before it. */
const OWN_DASHED: ReadonlySet<string> = new Set([
  ...Object.values(TOOL_KINDS).flatMap(({ names }) => names.filter((name) => name.includes("-"))),
  ...["codebase-retrieval", "git-commit-retrieval", "kill-process", "list-processes", "open-browser", "read-process"],
  ...["read-terminal", "search-untruncated", "view-range-untruncated"],
]);

/**
 * The known tool that a name most likely means: itself if an agent has it, else one that differs by one typing error.
 * `undefined` for a name that may be a tool of an MCP server or of a program.
 */
export function toolMeantBy(tool: string): string | undefined {
  if (kindsOf(tool).size > 0 || OTHER_TOOLS.has(tool)) return tool;
  if (!/^\w{3,40}$/.test(tool)) return undefined;
  for (const key of [tool.toLowerCase(), ...withoutOneLetter(tool.toLowerCase())])
    for (const name of similarNames().get(key) ?? []) if (isTypedLike(tool, name)) return name;
  return undefined;
}

/** Short names differ by one letter by chance, unless letters are swapped or one is missing: `Bahs`, `bsh`. */
function isTypedLike(tool: string, name: string): boolean {
  const [typed, meant] = [tool.toLowerCase(), name.toLowerCase()];
  if (typed === meant) return /[A-Z]/.test(tool);
  // `writes`, `writer` and `write2` are other names; `bashh` is not.
  if (typed.startsWith(meant)) return typed.at(-1) === typed.at(-2);
  if (/\d/.test(tool) || meant === `${typed}s`) return false;
  const letters = (text: string) => [...text].sort().join("");
  if (letters(typed) === letters(meant)) return true;
  if (tool.length >= SHORT_TOOL) return Math.abs(typed.length - meant.length) <= 1;
  return typed[0] === meant[0] && name.length === tool.length + 1;
}

/** The known names by every text that is one of them, or one of them without one letter. */
function similarNames(): ReadonlyMap<string, readonly string[]> {
  if (SIMILAR.size > 0) return SIMILAR;
  for (const name of [...Object.values(TOOL_KINDS).flatMap(({ names }) => names), ...OTHER_TOOLS])
    for (const key of new Set([name.toLowerCase(), ...withoutOneLetter(name.toLowerCase())]))
      SIMILAR.set(key, [...(SIMILAR.get(key) ?? []), name]);
  return SIMILAR;
}

function withoutOneLetter(name: string): string[] {
  return Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1));
}

const SIMILAR = new Map<string, readonly string[]>();
const SHORT_TOOL = 5;

/** Tools of agents that write into the agent's plan, ask, think or delegate work, and touch no file themselves. */
export const PLANNING_TOOLS: ReadonlySet<string> = new Set(
  words(`TodoWrite TodoRead todo todo_write todowrite todoread write_todos TodoUpdate update_todo_list update_plan updatePlan
  TaskCreate TaskUpdate TaskGet TaskList TaskOutput TaskStop manage_todo_list create_plan Task task Agent agent
  new_task runSubagent run_subagent delegate_task spawn_agent Skill skill AskUserQuestion ask_user ask_user_question
  ask_followup_question ask_question attempt_completion plan_mode_respond EnterPlanMode ExitPlanMode enter_plan_mode
  exit_plan_mode switch_mode think thinking sequentialthinking sequential_thinking report_intent ToolSearch BashOutput
  KillShell KillBash finish`),
);
/** Other tools without a kind. */
const OTHER_TOOLS: ReadonlySet<string> = new Set([
  ...PLANNING_TOOLS,
  ...["SlashCommand", "browse", "save_memory", "view_image", "select_active_intent"],
]);
