import { type ProtectedPaths, protectedPaths } from "../policies/protect/protected-paths.ts";
import { protectionContext } from "../policies/protect/protection-context.ts";
import { readLayers } from "./layers.ts";

/** The files that no agent may write in a project, with those that its hooks are made of. */
export function protectedIn(root: string, env: Readonly<Record<string, string | undefined>>): ProtectedPaths {
  return protectedPaths(protectionContext({ ...readLayers(root), root }, env));
}
