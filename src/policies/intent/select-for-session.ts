import type { StateHome } from "../../fs/state-dir.ts";
import { problems } from "../../problem/problem.ts";
import { bindSession, type SessionKey } from "./binding.ts";
import type { Intent } from "./intent.ts";
import { readIntents } from "./intents-file.ts";
import { contextOf, selectIn } from "./select.ts";

/** Binds a session to an intent and tells it what the intent demands and owns; throws for one that may not be worked on. */
export function selectForSession(root: string, session: SessionKey, id: string, where: StateHome = {}): string {
  const intent = selectableIntent(root, id);
  bindSession(root, session, intent.id, where);
  return contextOf(root, intent, session, where);
}

/** The intent of that id, if it may be worked on; throws otherwise. */
export function selectableIntent(root: string, id: string): Intent {
  const file = readIntents(root);
  if (file.state === "corrupt") throw file.problem;
  if (file.state === "missing") throw PROBLEMS.noFile({ path: file.path });
  const selection = selectIn(file, String(id).trim());
  if (selection.kind === "refused") throw PROBLEMS.notSelectable({ why: selection.why });
  return selection.intent;
}

const PROBLEMS = problems("intent", {
  noFile: ({ path }: { path: string }) => ({
    what: `The project has no intents: ${path} is not there.`,
    fix: "Declare one with `sluice intents new`.",
  }),
  notSelectable: ({ why }: { why: string }) => ({
    what: `This intent cannot be selected: ${why}`,
    fix: "`sluice intents list` shows what is in progress.",
  }),
});
