import { fileURLToPath } from "node:url";

/** What a line of a client means for the question which folders it works on. */
export type AboutRoots =
  /** It can answer, once it says that it is ready. */
  | { readonly kind: "can answer" }
  /** It is ready, or works on other folders now. */
  | { readonly kind: "ask now" }
  | { readonly kind: "told"; readonly folders: readonly string[] };

/** The question, as a line; its answer is known by the id. */
export const ROOTS_QUESTION = JSON.stringify({ jsonrpc: "2.0", id: "sluice-roots", method: "roots/list" });

/** Reads a line as far as it is about folders; nothing for every other line. */
export function aboutRoots(line: string): AboutRoots | undefined {
  if (!TELLING.test(line)) return undefined;
  const { id, method, params, result } = objectIn(line);
  if (method === "initialize") {
    const { roots } = Object(Object(params).capabilities) as { readonly roots?: unknown };
    return roots === undefined ? undefined : { kind: "can answer" };
  }
  if (method === "notifications/initialized" || method === "notifications/roots/list_changed")
    return { kind: "ask now" };
  const { roots } = Object(result) as { readonly roots?: unknown };
  if (id !== "sluice-roots" || !Array.isArray(roots)) return undefined;
  return { kind: "told", folders: roots.flatMap((root) => folderIn(Object(root).uri)) };
}

function folderIn(uri: unknown): string[] {
  try {
    return typeof uri === "string" && uri.startsWith("file:") ? [fileURLToPath(uri)] : [];
  } catch {
    return [];
  }
}

function objectIn(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** Most lines are about something else, and are read once. */
const TELLING = /"(?:initialize|notifications\/(?:initialized|roots\/list_changed)|sluice-roots)"/;
