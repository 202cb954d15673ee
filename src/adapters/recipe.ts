/** Who gets an agent's hooks: this user everywhere, or all who work on this project. */
export type Scope = "user" | "project";

/** One hook event that the agent is asked to call us for. */
export interface Wanted {
  readonly hookEvent: string;
  /** The command line, quoted for a shell. */
  readonly command: string;
  /** The line for a shell of Windows, where it is another one and the agent keeps one for each system. */
  readonly windows?: string | undefined;
  readonly seconds: number;
  readonly gate: boolean;
  readonly matcher?: string | undefined;
  /** Where the agent is to post its calls instead, where that is wanted and safe. */
  readonly post?: Post | undefined;
}

/** Entries among others in a settings file of JSON, with or without comments. */
export interface EntriesRecipe {
  readonly kind: "entries";
  /** The file, as seen from the home folder or from the project. */
  readonly files: Readonly<Record<Scope, string>>;
  /**
   * For agents that run files and not command lines: the script that contains the command line, relative to where the
   * settings file is seen. `Wanted.command` is then the script's path: absolute for a user, from the project's folder for a project.
   */
  readonly script?: string;
  /**
   * For agents that take the same lists from a file of TOML as well, and warn when both are there: that file. Where it
   * has hooks and the other file is missing, the entries go to its end, as tables between two lines of comment.
   */
  readonly tables?: Readonly<Record<Scope, string>>;
  /** What a file has to hold beside the entries, when there is none yet or it lacks it. */
  readonly needs?: Readonly<Record<string, unknown>>;
  /** Where an entry goes (a list in the file) and what it is. */
  readonly entry: (wanted: Wanted) => { readonly at: readonly string[]; readonly value: object };
}

/** Whole files of our own. Asked without hook events, a recipe names every file that it may have written. */
interface FilesRecipe {
  readonly kind: "files";
  readonly files: (
    scope: Scope,
    wanted: readonly Wanted[],
    /** The arguments that call Sluice for this agent. */
    call: readonly string[],
  ) => readonly { readonly path: string; readonly text: string; readonly isProgram?: boolean }[];
}

/** How a command line in a project's settings finds the folder of its project, in sh. */
export interface ProjectDir {
  /** Sets `d` to the folder. */
  readonly sets: string;
  /** The folder as an argument of the line, quoted. */
  readonly word: string;
}

/** The agent passes the folder to its hooks in a variable; otherwise hooks start in the folder. */
export function inVariable(name: string): ProjectDir {
  return { sets: `d=\${${name}:=$PWD}`, word: `"$${name}"` };
}

/** The agent itself replaces the name by the quoted folder before a shell reads the line, so quotes around it would break it. */
export function inReplacedVariable(name: string): ProjectDir {
  return { sets: `d=$${name}`, word: '"$d"' };
}

/** Hooks start in the project or below it: its folder is the nearest one that contains this file. */
export function aroundFile(file: string): ProjectDir {
  return { sets: `d=$PWD; until [ -z "$d" ] || [ -e "$d/${file}" ]; do d=\${d%/*}; done`, word: '"$d"' };
}

/** The line is in a script of the project, in this folder. */
export function aroundScript(folder: string): ProjectDir {
  return { sets: `d=\${0%/${folder}/*}`, word: '"$d"' };
}

/** The variable in which our plugins pass the project's folder to the line that they start. */
export const PLUGIN_PROJECT_DIR = "SLUICE_PROJECT_DIR";

/** The variable by which Sluice distinguishes the line in a project's settings from the line in the user's. */
export const SCOPE_VARIABLE = "SLUICE_SCOPE";

/** Where an agent keeps the MCP servers that it starts, and what it wants to know about one of them. */
export interface McpRecipe {
  /** The file, as seen from the home folder or from the project; a scope without one has no servers. */
  readonly files: Partial<Readonly<Record<Scope, string>>>;
  /** The keys that lead to the servers. */
  readonly at: readonly string[];
  /** How the agent writes the project's folder in a project's file; it starts servers in that folder where this is left out. */
  readonly projectDir?: string;
  /** A server, from the arguments that start it. */
  readonly server: (words: readonly string[]) => Readonly<Record<string, unknown>>;
}

/** What the user has to trust before an agent runs hooks, and where the agent writes that down. */
export interface HookTrust {
  /** The scopes whose hooks wait for it. */
  readonly scopes: readonly Scope[];
  /** The file in which the agent keeps it, as seen from the home folder. */
  readonly file: string;
  /**
   * It contains the hash of every trusted hook (`[hooks.state."<file>:<event>:<group>:<hook>"]`), a level for each
   * folder (`{"<folder>": "TRUST_FOLDER"}`), or a list of folders under one of these keys.
   */
  readonly form: "hook hashes" | "folder levels" | { readonly listsUnder: readonly string[] };
  /** The keys of the agent's own settings that switch trust on and off, in the user's file; and their default. */
  readonly isAsked?: { readonly file: string; readonly at: readonly string[]; readonly unset: boolean };
  /** What the user does to give it. */
  readonly step: string;
}

/** A shell in which an agent starts the lines of its settings on Windows; `powershell` is Windows PowerShell 5.1, the strictest of them. */
export type WindowsShell = "bash" | "cmd" | "powershell";

/** How an agent learns of Sluice, and what its user has to do besides. */
export type Recipe = (EntriesRecipe | FilesRecipe) & {
  /** Files or folders whose presence shows that this agent is used here, as seen from the home folder. */
  readonly traces: readonly string[];
  /** How command lines in a project's settings find the folder of the project. */
  readonly projectDir: ProjectDir;
  /** Whether lines are read by the shell that the user has chosen, or by one that is not known: it may be no POSIX shell. */
  readonly anyShell?: boolean;
  /** The shells in which it starts lines on Windows, where that is known from reports; any of them where this is left out. */
  readonly windowsShells?: readonly WindowsShell[];
  /** Whether payloads do not name their hook event, so that the command line has to. */
  readonly statesHookEvent?: boolean;
  /** Whether this agent takes every exit code but 0 of a gate as a denial; most take only 2. */
  readonly anyExitDenies?: boolean;
  /** For agents that take MCP servers: where ours is registered. */
  readonly mcp?: McpRecipe;
  /** For agents with HTTP hooks: what may be posted to the daemon, or why nothing is. */
  readonly http?: HttpForm;
  /** For agents that run only hooks, or only hooks in folders, that their user has trusted. */
  readonly trust?: HookTrust;
  /** What the user has to do or know after the settings were written. */
  readonly afterwards?: Partial<Readonly<Record<Scope, string>>>;
};

/** The name under which agents know our MCP server; hooks recognise our own tools by it. */
export const MCP_SERVER = "sluice";

/** The shape that most agents share: a command and its arguments under `mcpServers`. */
export function mcpServers(
  files: McpRecipe["files"],
  more: Readonly<Record<string, unknown>> = {},
  projectDir?: string,
): McpRecipe {
  const place = projectDir === undefined ? {} : { projectDir };
  return { files, at: ["mcpServers"], ...place, server: ([command, ...args]) => ({ ...more, command, args }) };
}

/** Where an agent posts the calls of one hook event, and what it shows there. */
export interface Post {
  readonly url: string;
  readonly secret: string;
}

/** Whether an agent can post its calls to the daemon, and for which hook events that is as safe as a command. */
type HttpForm =
  /** The hook events that come with every tool; a daemon that does not answer has to stop them. All others stay commands. */
  | { readonly posts: readonly string[] }
  /** Its HTTP hooks would be weaker than a command. */
  | { readonly keepsCommands: string };

/** The address of one hook event of an agent. */
export function postUrl(port: number, agent: string, hookEvent: string): string {
  return `http://127.0.0.1:${port}/hook/${agent}/${hookEvent}`;
}

/** Whether an address is one of ours for this agent. */
export function isOurUrl(url: unknown, agent: string): boolean {
  return typeof url === "string" && new RegExp(`^http://127\\.0\\.0\\.1:\\d{1,5}/hook/${agent}/[\\w.]+$`).test(url);
}

/** How deep in hooks the agent itself was started; without it a hook that starts its agent would not be noticed. */
export const DEPTH_HEADER = "sluice-depth";
/** Marks the one call of `sluice doctor` that has to be denied. */
export const CANARY_HEADER = "sluice-canary";
