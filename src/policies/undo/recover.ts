import type { UndoSettings } from "../../config/undo-settings.ts";
import { type Decision, withParts } from "../../decision/decision.ts";
import { withModifiable } from "../../decision/modification.ts";
import { STRICTNESS } from "../../decision/result.ts";
import type { LookupsFor } from "../../effects/index.ts";
import type { HookEvent } from "../../event/event.ts";
import { changedOf, isUnchanged, noteAfter } from "./after-call.ts";
import { releaseRefs } from "./held-refs.ts";
import { idOf, inputHash, type Kept, keepLosses } from "./keep.ts";
import { keptByName, removeKept, undoFolder } from "./kept-call.ts";
import { isOnlyUndoable } from "./may-destroy.ts";
import { closeCall } from "./open-calls.ts";
import { sizeText } from "./snapshot.ts";

/** Where a decision is made. */
export interface RecoverContext {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: UndoSettings;
  readonly lookups: LookupsFor;
  /** Nothing is written: the decision is only shown. */
  readonly isDry: boolean;
}

type NotKeptCall = Extract<Kept, { kind: "not kept" }>;

/** Whether nothing stops a call but rules about losing what can be kept. */
export function isRecoverable(decision: Decision): boolean {
  // A reason that no result gave is one of the decision itself, such as hooks that were cut short.
  const isOfResult = (reason: string) =>
    decision.results.some(
      ({ action, reason: own }) => STRICTNESS[action] >= STRICTNESS.ask && reason.includes(own ?? "\0"),
    );
  return isOnlyUndoable(decision) && decision.reasons.every(isOfResult);
}

/** Keeps what a call would destroy and lets it pass; where that cannot be, the denial says why. */
export function recovered(decision: Decision, context: RecoverContext): Decision {
  const { event, input } = decision;
  const call = input === undefined ? event : withModifiable(event, input);
  const kept = keepLosses(call, context);
  if (kept.kind === "not kept")
    return withParts(decision, {
      reasons: [...decision.reasons, `Nothing could be kept for \`sluice undo\`: ${kept.why}.`],
    });
  if (kept.kind === "nothing")
    return passing(decision, "The call passes: nothing that is there now is destroyed by it.", undefined);
  const { id, files, refs, bytes } = kept.call;
  const count = files.filter(({ kind }) => kind !== "folder").length;
  const parts = [
    ...(count > 0 ? [`${count} ${count === 1 ? "file" : "files"} (${sizeText(bytes)})`] : []),
    ...(refs.length > 0 ? [`${refs.length} git ${refs.length === 1 ? "reference" : "references"}`] : []),
    ...(count === 0 && refs.length === 0 ? ["empty folders"] : []),
  ];
  const what = parts.join(" and ");
  // What is only shown has no id that could be undone.
  const note = context.isDry
    ? `Sluice would keep ${what} first, so the call passes; \`sluice undo\` would bring back what it destroys.`
    : `Sluice kept ${what} first: \`sluice undo ${id}\` brings back what this call destroys.`;
  return passing(decision, note, { id, files: count, bytes });
}

function passing(decision: Decision, note: string, kept: Decision["kept"]): Decision {
  return withParts(decision, {
    action: decision.input === undefined ? "continue" : "modify",
    reasons: [],
    contexts: [...decision.contexts, note],
    approved: false,
    ...(kept === undefined ? {} : { kept }),
  });
}

/**
 * An ordinary call of which not all could be kept is not a silent loss: it is asked about where it removes what is known only
 * when it runs, and noted where it writes.
 */
export function withLossTold(decision: Decision, { why, isRemoval = false }: NotKeptCall): Decision {
  const told = `What this call destroys could not be kept for \`sluice undo\`: ${why}.`;
  if (!isRemoval || STRICTNESS[decision.action] >= STRICTNESS.ask)
    return withParts(decision, { contexts: [...decision.contexts, told] });
  return withParts(decision, { action: "ask", reasons: [...decision.reasons, told], approved: false });
}

/** When a call of which something was kept has ended, notes what it left: a file that differs later was changed since. */
export function noteEnd(event: HookEvent, env: RecoverContext["env"]): void {
  const name = closeCall(env, { ...idOf(event), tool: event.toolName ?? "", input: inputHash(event) });
  if (name === undefined) return;
  const folder = undoFolder(env);
  const kept = keptByName(folder, name);
  if (kept?.state !== "kept") return;
  const changed = kept.unclear ? changedOf(kept) : kept;
  // A call that has failed, or has written what was there, needs no undo.
  const isNeeded = !changed.quiet || !isUnchanged(changed);
  if (isNeeded) noteAfter(folder, changed);
  else removeKept(folder, kept);
  releaseRefs(isNeeded ? kept.refs.filter((ref) => !changed.refs.includes(ref)) : kept.refs);
}
