import { basename, join } from "node:path";
import { foldersAbove } from "../../fs/resolve-path.ts";

/** The package with the native client for this machine. */
export const CLIENT_PACKAGE = `sluice-client-${process.platform}-${process.arch}`;

/**
 * Where packages of Sluice's own lie: in its package, and in each `node_modules` that holds it. The folder that a user
 * stands in, the project around a copy and the environment (`NODE_PATH`) have no say.
 */
export function modulesOf(root: string): string[] {
  return [join(root, "node_modules"), ...foldersAbove(root).filter((folder) => basename(folder) === "node_modules")];
}
