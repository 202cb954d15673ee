import { join } from "node:path";
import { readOnce } from "./read-once.ts";

/** Whether the project ships a file that sets this variable for whoever loads such files. */
export function projectSets(root: string, name: string): boolean {
  const sets = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`, "m");
  const read = readOnce();
  return FILES.some((file) => sets.test(read(join(root, file))?.text ?? ""));
}

const FILES = [".env", ".envrc", ".env.local", ".env.development", ".env.production", ".env.test", ".sluice/.env"];
