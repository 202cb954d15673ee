import { existsSync } from "node:fs";
import { join } from "node:path";
import { configHome } from "./locate.ts";

/** The folder of a scope's configuration. */
export function configFolder(
  scope: "user" | "project",
  root: string,
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
): string {
  return scope === "user" ? join(configHome({ env }), "sluice") : join(root, ".sluice");
}

/** The configuration of a scope that is there already. */
export function presentConfig(folder: string): string | undefined {
  return FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
}

const FILES = ["hooks.yaml", "hooks.json"];
