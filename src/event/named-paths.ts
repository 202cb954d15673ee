import { normalisePath } from "../pattern/path.ts";
import { dataField, type EventFacts } from "./field.ts";

/** Every file that the data of an event names, as it is written there. */
export function namedPaths(event: EventFacts): string[] {
  const args = objectOf(dataField(event, "tool_args"));
  const found = new Set<string>();
  const add = (path: string) => found.add(normalisePath(path));
  for (const holder of [event.data, args]) {
    for (const key of PATH_KEYS) if (holder[key] !== undefined) texts(holder[key]).forEach(add);
    for (const key of PATH_LIST_KEYS) if (holder[key] !== undefined) listed(holder[key]).forEach(add);
  }
  return [...found];
}

/** A list of files, each a path or an object that holds one. */
function listed(value: unknown): string[] {
  if (!Array.isArray(value)) return texts(value);
  return value.flatMap((item) => [...texts(item), ...PATH_KEYS.flatMap((key) => texts(objectOf(item)[key]))]);
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function texts(value: unknown): string[] {
  return typeof value === "string" ? [value] : [];
}

const PATH_KEYS = ["path", "file_path", "filePath", "notebook_path", "notebookPath", "file", "filename", "target_file"];
const PATH_LIST_KEYS = ["paths", "files", "file_paths", "filePaths", "edits"];
