import type { Layer } from "../hook/hook.ts";

/** Whether a layer lies in the project, where whoever wrote the project wrote it. */
export function isOfProject(layer: Layer): boolean {
  return layer === "project" || layer === "local";
}
