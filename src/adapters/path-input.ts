import { isObject } from "./payload.ts";

/** An input that names its file as `filePath`, with our own spelling beside it, so that rules about paths see it. */
export function withOurPath(input: unknown): unknown {
  if (!isObject(input)) return input;
  const own = ownPaths(input);
  return Object.keys(own).length === 0 ? input : { ...input, ...own };
}

/** The same input without our spelling, after a hook has changed it; what was changed under our name counts. */
export function withTheirPath(original: unknown, changed: unknown): unknown {
  if (!isObject(original) || !isObject(changed)) return changed;
  const { file_path: one, file_paths: many } = ownPaths(original);
  const input: Record<string, unknown> = { ...changed };
  if (one !== undefined) {
    // Whoever left the agent's own key out wrote a new input in our words.
    const isOurs = changed.file_path !== one || changed.filePath === undefined;
    if (typeof changed.file_path === "string" && isOurs) input.filePath = changed.file_path;
    delete input.file_path;
  }
  // A changed list cannot be handed back, so it stays and the agent's own check sees it.
  if (many !== undefined && JSON.stringify(input.file_paths) === JSON.stringify(many)) delete input.file_paths;
  return input;
}

function ownPaths(input: Readonly<Record<string, unknown>>): { file_path?: string; file_paths?: readonly string[] } {
  const { filePath, replacements } = input;
  const many = Array.isArray(replacements) ? replacements.map((one) => (isObject(one) ? one.filePath : undefined)) : [];
  const named = many.filter((path) => typeof path === "string");
  return {
    ...(typeof filePath === "string" && input.file_path === undefined ? { file_path: filePath } : {}),
    ...(named.length > 0 && input.file_paths === undefined ? { file_paths: [...new Set(named)] } : {}),
  };
}
