import { examine, waitingHooks } from "../../config/examine.ts";
import { type Loaded, loadLayers } from "../../config/load.ts";
import type { Hook } from "../../hook/hook.ts";
import { writeDown } from "../../trust/ledger.ts";
import type { CommandInput } from "../command.ts";

/** Whether what this command wrote may run at once. */
export type OwnWriting = "approved" | "waits" | "nothing";

/**
 * Writes into the project, and approves exactly that for the user who asked for it: where everything of the project was
 * approved before, or nothing waited. What anybody else wrote in between is not covered.
 */
export function approveOwnWriting<Result>(
  root: string,
  { io }: Pick<CommandInput, "io">,
  write: () => { readonly result: Result; readonly hooks: readonly Hook[] },
): { readonly result: Result; readonly trust: OwnWriting } {
  const before = loadLayers(root);
  const { state, entry } = examine(before, root, io);
  const mayApprove = state === "trusted" || (waitingHooks(before).length === 0 && entry.record?.said !== "denied");
  const known = waitingTexts(before);
  const { result, hooks } = write();
  const after = loadLayers(root);
  if (waitingHooks(after).length === 0) return { result, trust: "nothing" };
  const own = new Set([...known, ...hooks.map((hook) => JSON.stringify(hook.toJSON()))]);
  const isOwn = waitingTexts(after).every((text) => own.has(text));
  if (!mayApprove || !isOwn || entry.problem !== undefined) return { result, trust: "waits" };
  writeDown("trusted", examine(after, root, io).print, io);
  return { result, trust: "approved" };
}

/** What to tell about it. */
export const OWN_WRITING: Readonly<Record<OwnWriting, string>> = {
  approved: "These hooks are approved for you, exactly as they are written; `sluice trust` shows it.",
  waits: "Other hooks of this project are not approved, so these wait with them. Run `sluice trust` to look at them.",
  nothing: "",
};

function waitingTexts(loaded: Loaded): string[] {
  return waitingHooks(loaded).map((hook) => JSON.stringify(hook.toJSON()));
}
