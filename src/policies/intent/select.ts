import type { StateHome } from "../../fs/state-dir.ts";
import { otherBindings, type SessionKey } from "./binding.ts";
import { contextText } from "./context-text.ts";
import { ACTIVE, type Intent, isActive } from "./intent.ts";
import type { IntentsFile } from "./intents-file.ts";
import { recentChanges } from "./recent-changes.ts";
import { takesAway, whyOwnsNothing } from "./scope.ts";

/** An intent that may be worked on, or why it may not. */
export type Selection =
  | { readonly kind: "selected"; readonly intent: Intent }
  | { readonly kind: "refused"; readonly why: string };

/** Looks an intent up for a session that wants to work on it. */
export function selectIn(file: Extract<IntentsFile, { state: "read" }>, id: string): Selection {
  const found = file.intents.find((intent) => intent.id === id);
  if (id !== "" && found !== undefined && isActive(found)) return { kind: "selected", intent: found };
  return { kind: "refused", why: `${whyRefused(file, id, found)}. ${activeHint(file)}` };
}

function whyRefused(
  { problems }: Extract<IntentsFile, { state: "read" }>,
  id: string,
  found: Intent | undefined,
): string {
  if (id === "") return "no intent is named";
  if (found !== undefined) {
    const is = found.status === "" ? "without a status" : found.status;
    return `intent ${id} is ${is}; only ${ACTIVE} authorises`;
  }
  const isTold = problems.some(({ message }) => message.includes(`id ${id} `));
  return isTold ? `the id ${id} is in the list more than once` : `there is no intent "${id}"`;
}

/** What can be selected, in a sentence. */
export function activeHint({ intents }: Extract<IntentsFile, { state: "read" }>): string {
  const active = intents.filter(isActive);
  if (active.length === 0) return "No intent is in progress; a person begins one with `sluice intents start <id>`.";
  const owning = active.filter(({ ownedScope }) =>
    ownedScope.some((pattern) => !takesAway(pattern) && whyOwnsNothing(pattern) === undefined),
  );
  if (owning.length === 0) return noneOwns(active.map(({ id }) => id));
  const named = owning.map(({ id, name }) => (name === "" ? id : `${id} (${name})`));
  return `Call select_active_intent with one of: ${named.slice(0, 10).join(", ")}.`;
}

function noneOwns([first = "", ...more]: readonly string[]): string {
  const which = more.length === 0 ? `${first} is in progress, and owns nothing` : "The intents in progress own nothing";
  return `${which}; a person adds what it owns with \`sluice intents scope add ${first} <glob>\`.`;
}

/** What a session is told about the intent that it works on. */
export function contextOf(root: string, intent: Intent, session: SessionKey, where: StateHome = {}): string {
  const others = otherBindings(root, session, where).filter(({ intent_id }) => intent_id !== intent.id);
  const ids = [...new Set(others.map(({ intent_id }) => intent_id))];
  const lines = ids.map((id) => {
    const count = others.filter(({ intent_id }) => intent_id === id).length;
    return `${id} is worked on by ${count === 1 ? "another session" : `${count} other sessions`}`;
  });
  return contextText(intent, { recent: recentChanges(root, intent.id), others: lines });
}
