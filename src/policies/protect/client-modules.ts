import { basename, join } from "node:path";
import { foldersAbove } from "../../fs/resolve-path.ts";

/** The package with the native client for this machine. */
export const CLIENT_PACKAGE = `sluice-client-${process.platform}-${process.arch}`;

/**
 * The packages, or their scopes, that the command loads by name: into the daemon, into a process of a plugin, or while it ships
 * records. A change of one of them runs other code there.
 */
export const LOADED_PACKAGES: readonly string[] = [
  ...["jiti", "oxc-parser", "@oxc-parser", "web-tree-sitter", "@vscode/tree-sitter-wasm", "@cedar-policy/cedar-wasm"],
  ...["ai", "@ai-sdk", "postgres", "@nats-io", "@sigstore"],
];

/**
 * The folders of Sluice's own packages: in its package, and each `node_modules` that contains it. The working directory, the
 * project around a copy and the environment (`NODE_PATH`) do not matter.
 */
export function modulesOf(root: string): string[] {
  return [join(root, "node_modules"), ...foldersAbove(root).filter((folder) => basename(folder) === "node_modules")];
}
