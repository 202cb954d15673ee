import type { Decision } from "../decision/decision.ts";
import type { HookResult } from "../decision/result.ts";
import { append, journalFolder } from "../trace/journal.ts";
import { decisionRecord } from "../trace/record.ts";
import { redactor, secretsIn } from "../trace/redact.ts";
import type { Io } from "./io.ts";

/** What is known about such a run besides what its hooks gave. */
interface Behind {
  /** The id that the call's own record names. */
  readonly id: string;
  readonly agent: string;
  readonly root: string;
}

/** Writes down what became of the hooks that nobody waited for. */
export function rememberBackground(
  decision: Decision,
  background: readonly HookResult[],
  { id, agent, root }: Behind,
  { env }: Pick<Io, "env">,
): void {
  const record = decisionRecord(decision, { background, agent, root }, redactor(secretsIn(env)));
  append(journalFolder(env), JSON.stringify({ ...record, id, background: true }));
}

/** What the record of a call says about the hooks that go on behind it. */
export function behindNote(id: string): string {
  return `\`async\` hooks went on in the background; \`sluice why ${id}\` shows what became of them.`;
}
