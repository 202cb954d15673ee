import { normalisePath } from "../pattern/path.ts";
import type { EventName } from "./catalogue.ts";
import { unpacked } from "./packed.ts";

/** The data of an event, without the methods of `HookEvent`. */
export interface EventFacts {
  readonly type: EventName;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly toolName: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly agent: string | undefined;
}

/** Attaches the project in which an event happens, if that is another folder than the event's. */
export function attachRoot(event: EventFacts, root: string | undefined, real = root): void {
  if (root !== undefined && root !== event.cwd) ROOTS.set(event, root);
  if (real !== undefined && real !== root) REAL_ROOTS.set(event, real);
}

/** The same folder without symlinks, if that is another path. */
export function realRootOfEvent(event: EventFacts): string | undefined {
  return REAL_ROOTS.get(event);
}

/** The project in which an event happens; the event's folder if no project is known. */
export function rootOfEvent(event: EventFacts): string | undefined {
  return ROOTS.get(event) ?? event.cwd;
}

/** Marks the event of a call that was made earlier: the disk may not have its files any more. */
export function markRecorded<Event extends EventFacts>(event: Event): Event {
  RECORDED.add(event);
  return event;
}

/** Whether an event was read from a record, and does not happen now. */
export function isRecorded(event: EventFacts): boolean {
  return RECORDED.has(event);
}

const RECORDED = new WeakSet<EventFacts>();
const ROOTS = new WeakMap<EventFacts, string>();
const REAL_ROOTS = new WeakMap<EventFacts, string>();

/**
 * Agents and tools spell the same fields differently; lookups accept all spellings, the preferred one first.
 */
export const FIELD_SPELLINGS = {
  tool_args: ["tool_args", "tool_input", "args"],
  tool_result: ["tool_result", "tool_response", "result"],
  tool_name: ["tool_name", "tool"],
  session_id: ["session_id", "sessionId"],
  llm_model: ["llm_model", "model", "new_model"],
  llm_tokens: ["llm_tokens", "tokens"],
  perm_level: ["perm_level", "level"],
  prompt: ["prompt", "user_input"],
  error: ["error", "error_message"],
} as const satisfies Record<string, readonly string[]>;

export type FieldName = keyof typeof FIELD_SPELLINGS;

/** A field of the event's data, under any spelling. */
export function dataField(event: EventFacts, name: FieldName): unknown {
  const { data } = event;
  for (const spelling of FIELD_SPELLINGS[name]) {
    if (Object.hasOwn(data, spelling) && data[spelling] !== undefined) return data[spelling];
  }
  return undefined;
}

/** The spelling of a field in this event's data; the canonical one if the field is missing. */
export function dataKey(event: EventFacts, name: FieldName): string {
  const spelling = FIELD_SPELLINGS[name].find((key) => Object.hasOwn(event.data, key));
  return spelling ?? FIELD_SPELLINGS[name][0];
}

/** Every file that the data of an event names, as written. */
export function namedPaths(event: EventFacts): string[] {
  const args = objectOf(unpacked(dataField(event, "tool_args")));
  const found = new Set<string>();
  const add = (path: string) => found.add(normalisePath(path));
  for (const holder of [event.data, args]) {
    for (const key of PATH_KEYS) if (holder[key] !== undefined) texts(holder[key]).forEach(add);
    for (const key of PATH_LIST_KEYS) if (holder[key] !== undefined) listed(holder[key]).forEach(add);
  }
  return [...found];
}

/** A list of files, each a path or an object that contains one. */
function listed(value: unknown): string[] {
  if (!Array.isArray(value)) return texts(value);
  return value.flatMap((item) => [...texts(item), ...PATH_KEYS.flatMap((key) => texts(objectOf(item)[key]))]);
}

/** A value as an object; an empty one for anything else. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** A list with the value, if it is a text. */
export function texts(value: unknown): string[] {
  return typeof value === "string" ? [value] : [];
}

const PATH_KEYS = [
  ...["path", "file_path", "filePath", "notebook_path", "notebookPath", "file", "filename", "target_file"],
  ...["absolute_path", "target_notebook", "relative_workspace_path", "relative_path", "filepath", "absolutePath"],
  ...["full_path", "TargetFile", "targetFile", "relativePath"],
];
const PATH_LIST_KEYS = ["paths", "files", "file_paths", "filePaths", "edits", "replacements", "changes"];
