import { definitionOf, examine } from "../../config/examine.ts";
import { loadLayers } from "../../config/load.ts";
import { canonicalJson } from "../../event/json.ts";
import type { Hook } from "../../hook/hook.ts";
import { approve } from "../../trust/ledger.ts";
import type { CommandInput } from "../command.ts";

/** Whether what this command wrote may run at once. */
export type OwnWriting = "approved" | "waits" | "nothing";

/**
 * Writes into the project, and approves exactly the hooks that were written, for the user who asked for it. All others
 * stand as before. In a project that the user has denied nothing is approved.
 */
export function approveOwnWriting<Result>(
  root: string,
  { io }: Pick<CommandInput, "io">,
  write: () => { readonly result: Result; readonly hooks: readonly Hook[] },
): { readonly result: Result; readonly trust: OwnWriting } {
  const { result, hooks } = write();
  const own = new Set(hooks.map(textOf));
  const { items, entry } = examine(loadLayers(root), root, io);
  const waiting = items.filter(({ hook, state }) => state !== "trusted" && hook !== undefined && own.has(textOf(hook)));
  if (waiting.length === 0) return { result, trust: "nothing" };
  const isRefused = entry.record?.said === "denied" || waiting.some(({ print }) => print.unread.length > 0);
  if (isRefused || isUnsafe(entry)) return { result, trust: "waits" };
  approve(
    root,
    waiting.map(({ print }) => print),
    io,
    { replaced: waiting.flatMap(({ before }) => before ?? []) },
  );
  return { result, trust: "approved" };
}

/** Approvals that others can write count for nothing; those of an earlier version are replaced. */
function isUnsafe({ problem }: ReturnType<typeof examine>["entry"]): boolean {
  return problem !== undefined && problem.code !== "trust/outdated";
}

/** What to tell about it. */
export const OWN_WRITING: Readonly<Record<OwnWriting, string>> = {
  approved: "These hooks are approved for you, exactly as they are written; `sluice trust` shows it.",
  waits: "These hooks are not approved. Run `sluice trust` to look at them.",
  nothing: "",
};

function textOf(hook: Hook): string {
  return canonicalJson(definitionOf(hook));
}
