import { readdirSync, readFileSync, type Stats } from "node:fs";
import { realPath } from "../fs/resolve-path.ts";
import { type Box, type BoxChange, stateOf } from "../policies/contain/box-store.ts";
import { bytesOf, pathText } from "../policies/undo/byte-path.ts";
import { shortPath } from "./contained-text.ts";
import { type LayerChange, targetOf } from "./read-changes.ts";
import { heldIn } from "./settle-box.ts";

/** A contained call as it is shown: its changes with the paths of the project. */
export function shownBox(box: Box) {
  const { id, at, root, agent, session_id, tool, command, backend } = box.plan;
  const { receipt } = box;
  const state = stateOf(box);
  const changes = receipt?.changes ?? (state === "interrupted" ? heldIn(box).map(waiting) : []);
  return {
    ...{ id, at, state, root, agent, session_id, tool, command, backend },
    exit: receipt?.exit,
    signal: receipt?.signal,
    failed: receipt?.failed,
    record: receipt?.record,
    kept: receipt?.kept,
    changes: changes.map((change) => ({ ...change, path: shortPath(realPath(root), change.path) })),
  };
}

function waiting({ path, change, kind }: LayerChange): BoxChange {
  return { path: pathText(path), change, kind, state: "held" };
}

/** Whether a person is to keep or drop what a box has. */
export function isHeld(box: Box): boolean {
  const state = stateOf(box);
  return state === "held" || state === "interrupted";
}

/** The changes that wait for a person, what is lost first: a long list of additions must not hide it. */
export function heldNow(box: Box): LayerChange[] {
  return isHeld(box) ? deletionsFirst(heldIn(box)) : [];
}

/** Deletions come before everything else. */
export function deletionsFirst<Change extends Pick<BoxChange, "change">>(changes: readonly Change[]): Change[] {
  const rank = ({ change }: Change) => (change === "deleted" ? 0 : 1);
  return [...changes].sort((one, other) => rank(one) - rank(other));
}

/** What a change would replace and what with, as text; of a folder that goes, the names of what is in it. */
export function textsOf(change: LayerChange): { readonly before?: string; readonly after?: string } {
  if (change.kind === "symlink") return change.upper === undefined ? {} : { after: targetOf(change) ?? "" };
  if (change.kind === "folder") return change.upper === undefined ? { before: namesIn(change) } : {};
  if (change.kind !== "file") return {};
  const before = change.before === undefined ? undefined : textAt(change.path, change.before);
  const after = change.upper === undefined ? undefined : textAt(change.upper, change.now);
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function textAt(path: string, stats: Stats | undefined): string {
  const bytes = stats?.size ?? 0;
  if (bytes > MAX_SHOWN) return `(${bytes} bytes)`;
  const content = readFileSync(bytesOf(path));
  return content.includes(0) ? `(${content.length} bytes of binary data)` : content.toString();
}

function namesIn({ path }: LayerChange): string {
  const names = readdirSync(bytesOf(path), { recursive: true, encoding: "buffer" }).map(String).sort();
  const more = names.length > MAX_NAMES ? [`and ${names.length - MAX_NAMES} more`] : [];
  return [...names.slice(0, MAX_NAMES), ...more].join("\n");
}

const MAX_SHOWN = 1024 ** 2;
const MAX_NAMES = 1000;
