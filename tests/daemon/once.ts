import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type DaemonHome, shellCall } from "./daemon-home.ts";

/** Every call is denied by a rule; a hook hears those of sessions that begin with an h, and notes whom it has heard. */
export const NOTED = `hooks:
  - name: no-rmm
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "rmm" -> deny("no rmm here")
  - name: note
    matcher: { events: [PreToolUse], command_patterns: ["*for h*"] }
    command: echo $SLUICE_SESSION_ID >> noted
`;

/** A call whose session has that name; those that begin with a q pass quietly. */
export function namedCall({ root }: DaemonHome, id: string): string {
  return JSON.stringify({ ...shellCall(root, `${id.startsWith("q") ? "ls" : "rmm"} for ${id}`), session_id: id });
}

/** What its agent hears. */
export function saidAbout(id: string): string {
  return id.startsWith("q") ? "" : "no rmm here";
}

/** Who stands in the journal, as often as he does. */
export function journalNames({ env }: DaemonHome): string[] {
  const folder = join(env.XDG_STATE_HOME ?? "", "sluice/decisions");
  return (existsSync(folder) ? readdirSync(folder) : [])
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { session_id: string }).session_id)
    .toSorted();
}

/** Whom the hook has heard, as often as it has. */
export function notedNames({ root }: DaemonHome): string[] {
  const path = join(root, "noted");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").toSorted() : [];
}

/** Every one of these calls, and no other, was decided once and heard by its hook once. */
export async function expectOnce(at: DaemonHome, ids: readonly string[]): Promise<void> {
  // A second run of it would have happened by now.
  await new Promise((resolve) => setTimeout(resolve, 500));
  // The call that started the daemon has a name that no other has.
  expect(journalNames(at).filter((id) => id !== "s")).toEqual(ids.toSorted());
  expect(notedNames(at)).toEqual(ids.filter((id) => id.startsWith("h")).toSorted());
}
