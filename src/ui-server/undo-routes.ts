import { relative } from "node:path";
import { UNDO_DEFAULTS } from "../config/undo-settings.ts";
import { protectedIn } from "../decide/protected-files.ts";
import { once } from "../event/once.ts";
import { pathText, readPath } from "../policies/undo/byte-path.ts";
import { keepPresent } from "../policies/undo/keep.ts";
import { type KeptCall, keptById, readKept, undoFolder } from "../policies/undo/kept-call.ts";
import { undoCall } from "../policies/undo/restore.ts";
import { refusedReply, type UiContext, type UiReply, type UiRoute } from "./route.ts";
import type { KeptForUndo, UndoPreview } from "./wire-summary.ts";

/** Calls of this project whose losses were kept and can come back, newest first. */
export const listKept: UiRoute = (_, { env, hello }) => {
  const kept = readKept(undoFolder(env)).filter(({ root, state }) => root === hello.root && state === "kept");
  return { json: kept.reverse().slice(0, MAX_LISTED).map(keptForUndo) };
};

/** What an undo of a call would bring back. Nothing is written. */
export const previewUndo: UiRoute = ({ query }, context) => undo(query.get("id"), context, { isDry: true });

/** Brings back what a call destroyed. A file that has changed since is left alone, and so is what only a person at a terminal brings back. */
export const runUndo: UiRoute = ({ body }, context) =>
  undo((Object(body) as { readonly id?: unknown }).id, context, { isDry: false });

function undo(id: unknown, { env }: UiContext, { isDry }: { readonly isDry: boolean }): UiReply {
  const folder = undoFolder(env);
  const [call] = typeof id === "string" && /^[0-9a-f]{1,6}$/.test(id) ? keptById(folder, id) : [];
  if (call === undefined)
    return refusedReply(404, "Nothing is kept of this call.", "`sluice undo --list` lists what is.");
  if (call.state === "expired")
    return refusedReply(
      410,
      "What was kept of this call has expired.",
      "`undo: { keep, max }` states how long it is kept.",
    );
  const places = once(() => protectedIn(call.root, env));
  const undone = undoCall(folder, call, {
    isDry,
    keepPresent: (present) => keepPresent(present, call, folder, UNDO_DEFAULTS),
    refuses: (path, kind) => {
      const place = places().holds(path) ?? (kind === "folder" ? undefined : places().liesIn(path));
      return place && `it is ${place.what}, which comes back only with \`sluice undo ${call.id}\` at a terminal`;
    },
  });
  const shown = (path: string) => relative(call.root, path) || path;
  const preview: UndoPreview = {
    ...keptForUndo(call),
    isDone: !isDry,
    restored: undone.restored.map(shown),
    same: undone.same.map(shown),
    left: undone.left.map(({ path, why }) => ({ path: shown(path), why })),
  };
  return { json: preview };
}

/** What was kept of a call, as the pages show it. */
export function keptForUndo({ id, at, root, agent, session_id, tool, command, files, bytes }: KeptCall): KeptForUndo {
  return {
    id,
    at: Date.parse(at),
    ...(agent !== undefined && { agent }),
    ...(session_id !== undefined && { session: session_id }),
    text: command ?? tool,
    files: files
      .filter(({ kind }) => kind !== "folder")
      .slice(0, MAX_FILES)
      .map(({ path, size }) => ({ path: relative(root, pathText(readPath(path))), bytes: size })),
    bytes,
  };
}

const MAX_LISTED = 100;
const MAX_FILES = 500;
