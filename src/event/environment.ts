import { dataField, type EventFacts, namedPaths } from "./field.ts";
import { toJsonText } from "./json.ts";

/** The same variables under every name that hooks of this field were written for. */
export const PREFIXES = ["SLUICE_", "FORGE_", "OPENCODE_"] as const;

/** A value longer than this stays out of the environment; a private file holds it instead. */
export const LONGEST_VALUE = 32 * 1024;

/** What else a command hook is told besides the event. */
export interface EnvironmentContext {
  readonly workingDir?: string | undefined;
  readonly hookName?: string | undefined;
  readonly projectDir?: string | undefined;
  /** The files of the call, absolute; where left out, those that its data names. */
  readonly files?: readonly string[] | undefined;
}

interface Variable {
  readonly means: string;
  readonly read: (event: EventFacts, around: EnvironmentContext) => string | undefined;
}

/** Every variable of a command hook, without its prefix. */
export const VARIABLES = {
  EVENT: { means: "the event's canonical name", read: (event) => event.type },
  TIMESTAMP: { means: "when it happened, in seconds since 1970", read: (event) => String(event.timestamp) },
  SESSION_ID: { means: "the agent's session", read: (event) => event.sessionId },
  TOOL_NAME: { means: "the tool, by the agent's own name", read: (event) => event.toolName },
  TOOL_ARGS: { means: "the tool's input, as JSON", read: (event) => json(dataField(event, "tool_args")) },
  TOOL_RESULT: { means: "the tool's result, as JSON", read: (event) => json(dataField(event, "tool_result")) },
  LLM_MODEL: { means: "the language model", read: (event) => plain(dataField(event, "llm_model")) },
  LLM_TOKENS: { means: "tokens used", read: (event) => plain(dataField(event, "llm_tokens")) },
  PERM_LEVEL: { means: "the permission asked for", read: (event) => plain(dataField(event, "perm_level")) },
  WORKING_DIR: { means: "where the hook runs", read: (event, around) => around.workingDir ?? event.cwd },
  ERROR: { means: "what went wrong", read: (event) => plain(dataField(event, "error")) },
  HOOK_NAME: { means: "the hook that runs", read: (_event, around) => around.hookName },
  PROJECT_DIR: { means: "the folder of the project", read: (_event, around) => around.projectDir },
  FILE_PATH: {
    means: "the first file that the call writes, else reads, absolute",
    read: (event, around) => filesOf(event, around)[0],
  },
  FILE_PATHS: {
    means: "all files that the call writes, else reads, one a line; of a shell command those that are known",
    read: (event, around) => filesOf(event, around).join("\n") || undefined,
  },
} as const satisfies Record<string, Variable>;

/** The variables of an event, and the values that are too long to be one. */
export interface EventEnvironment {
  readonly small: Record<string, string>;
  /** By variable, without prefix: what a private file has to hold. */
  readonly large: Record<string, string>;
}

/** Reads the whole table for one event. Unset stays unset. */
export function environmentOf(event: EventFacts, around: EnvironmentContext = {}): EventEnvironment {
  const small: Record<string, string> = {};
  const large: Record<string, string> = {};
  for (const [name, { read }] of Object.entries<Variable>(VARIABLES)) {
    const value = read(event, around)?.replaceAll("\0", "\uFFFD");
    if (value === undefined) continue;
    if (value.length > LONGEST_VALUE || Buffer.byteLength(value) > LONGEST_VALUE) large[name] = value;
    else for (const prefix of PREFIXES) small[prefix + name] = value;
  }
  return { small, large };
}

function filesOf(event: EventFacts, { files }: EnvironmentContext): readonly string[] {
  if (files !== undefined) return files;
  const { cwd } = event;
  return namedPaths(event).flatMap((path) => {
    if (path.startsWith("/") || /^[A-Za-z]:\//.test(path)) return [path];
    return cwd === undefined ? [] : [`${cwd}/${path}`];
  });
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : toJsonText(value);
}

function plain(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? toJsonText(value) : String(value);
}
