import { join } from "node:path";

/** The folder in which a project keeps its intents and its trace. */
export function traceFolder(root: string): string {
  return join(root, ".orchestration");
}
