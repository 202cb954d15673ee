import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "../fs/late-builtins.ts";
import { stateFolder } from "../trust/state-folder.ts";

/** The user's folder for what Sluice remembers about models. */
export function llmStateFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(stateFolder({ env }), "llm");
}

/** Whether the folder is there, is ours and nobody else can look into it; makes it so where it can. */
export function isPrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) return false;
    if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** Writes a file that only its owner reads, all at once. */
export function writePrivately(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}${DRAFT}`;
  try {
    writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** How the name of a file ends while it is being written. */
export const DRAFT = ".draft";
