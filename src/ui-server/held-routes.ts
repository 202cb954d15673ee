import { shortPath } from "../contain/contained-text.ts";
import { heldNow, isHeld, textsOf } from "../contain/held-changes.ts";
import { dropHeld, keepHeld } from "../contain/settle-box.ts";
import { realPath } from "../fs/resolve-path.ts";
import { type Box, boxById } from "../policies/contain/box-store.ts";
import { pathText } from "../policies/undo/byte-path.ts";
import { fingerprint } from "../trace/fingerprint.ts";
import { asksOf, passkeyQuestion, whyNotProven } from "./person-proof.ts";
import { refusedReply, type UiContext, type UiReply, type UiRoute } from "./route.ts";
import type { HeldCall, HeldChange, HeldOutcome } from "./wire-summary.ts";

/** The changes of a contained call that wait for a person, each with its difference. */
export const showHeld: UiRoute = ({ query }, context) => {
  const box = heldBox(query.get("id"), context);
  if (box === undefined) return gone();
  const { id, at, agent, command } = box.plan;
  const held = heldNow(box);
  let room = MAX_TEXT;
  const changes = held.slice(0, MAX_CHANGES).map((change): HeldChange => {
    const texts = room > 0 ? textsOf(change) : {};
    const size = (texts.before?.length ?? 0) + (texts.after?.length ?? 0);
    const isShown = size <= room && (texts.before !== undefined || texts.after !== undefined);
    if (isShown) room -= size;
    const why = box.receipt?.changes.find(({ path, state }) => state === "held" && path === pathText(change.path))?.why;
    return {
      path: shownPath(box, pathText(change.path)),
      ...{ change: change.change, kind: change.kind },
      ...(why !== undefined && { why }),
      ...(isShown && { texts }),
    };
  });
  const shown: HeldCall = {
    ...{ id, at: Date.parse(at), command, isInterrupted: box.receipt === undefined },
    ...(agent !== undefined && { agent }),
    ...{ changes, more: held.length - changes.length },
    ...asksOf(context),
  };
  return { json: shown };
};

/** Asks for a passkey that confirms keeping exactly these changes. */
export const askForHeldProof: UiRoute = ({ body }, context) => {
  const chosen = chosenIn(body, context);
  return chosen === undefined ? gone() : passkeyQuestion(chosen.about, context);
};

/** Puts changes that a person has chosen into the project. */
export const keepChanges: UiRoute = async ({ body, origin, signal }, context) => {
  const chosen = chosenIn(body, context);
  if (chosen === undefined) return gone();
  const { box, paths, about } = chosen;
  const question = `Keep ${paths.length === 1 ? "this change" : `these ${paths.length} changes`} of ${box.plan.command}? ${paths.join(", ")}`;
  const why = await whyNotProven(body, context, { about, question, page: { origin, signal } });
  if (why !== undefined) return why;
  // While the question was open, the box or the project may have changed: only what was shown is kept.
  if (chosenIn(body, context)?.about !== about)
    return refusedReply(409, "What is held has changed meanwhile, so nothing was kept.", "Look at it again.");
  return settled(chosen, "kept", context);
};

/** Throws changes away that a person has chosen. That only tightens, so it needs no proof. */
export const dropChanges: UiRoute = ({ body }, context) => {
  const chosen = chosenIn(body, context);
  return chosen === undefined ? gone() : settled(chosen, "dropped", context);
};

/** What a request has chosen out of what is held. */
interface ChosenChanges {
  readonly box: Box;
  readonly paths: readonly string[];
  /** Names the changes and what they would replace. */
  readonly about: string;
}

function chosenIn(body: unknown, context: UiContext): ChosenChanges | undefined {
  const { id, paths } = Object(body) as { readonly id?: unknown; readonly paths?: unknown };
  const box = heldBox(id, context);
  if (box === undefined) return undefined;
  const named = Array.isArray(paths) ? new Set(paths) : undefined;
  const held = heldNow(box);
  const meant = held.filter(({ path }) => named === undefined || named.has(shownPath(box, pathText(path))));
  if (meant.length === 0) return undefined;
  const signs = meant.map(({ path, change, now, before }) => {
    const [is, was] = [now, before].map((stats) => stats && [stats.ino, stats.size, stats.mode, stats.mtimeMs]);
    return [path, change, is, was];
  });
  const about = fingerprint(JSON.stringify([box.plan.id, signs]));
  return { box, paths: meant.map(({ path }) => pathText(path)), about };
}

function settled({ box, paths }: ChosenChanges, state: "kept" | "dropped", { env }: UiContext): UiReply {
  const chosen = new Set(paths);
  const isChosen = (path: string) => chosen.has(path);
  const receipt = state === "kept" ? keepHeld(box, isChosen, env) : dropHeld(box, isChosen, env);
  const after = new Map(receipt.changes.map((change) => [change.path, change]));
  const left = paths.filter((path) => after.get(path)?.state !== state);
  const outcome: HeldOutcome = {
    done: paths.length - left.length,
    left: left.map((path) => ({
      path: shownPath(box, path),
      why: after.get(path)?.why ?? receipt.failed ?? "it is still held",
    })),
    ...(state === "kept" && receipt.kept !== undefined && { undo: receipt.kept }),
  };
  return { json: outcome };
}

function heldBox(id: unknown, { env }: UiContext): Box | undefined {
  const box = typeof id === "string" ? boxById(id, env) : undefined;
  return box !== undefined && isHeld(box) ? box : undefined;
}

function shownPath({ plan }: Box, path: string): string {
  return shortPath(realPath(plan.root), path);
}

function gone(): UiReply {
  return refusedReply(
    404,
    "This contained call holds nothing that waits for an answer.",
    "`sluice inside --list` shows what its calls have left.",
  );
}

const MAX_CHANGES = 500;
const MAX_TEXT = 1024 ** 2;
