import type { Decision } from "../decision/decision.ts";
import type { Problem } from "../problem/problem.ts";
import { append, journalFolder } from "./journal.ts";
import { type Extras, type Moment, momentRecord } from "./record.ts";
import { decisionLine, type RecordLine } from "./record-line.ts";
import { type Redactor, redactor, secretsIn } from "./redact.ts";

/** What came of remembering: the id to ask about later, and why there is nothing to find, if so. */
export interface Remembered {
  readonly id: string;
  readonly problem?: Problem;
}

/** The environment that says where the journal lies and which secrets to leave out. */
export interface JournalEnvironment {
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Writes a decision into the journal, without its secrets. It never throws: a decision holds whatever becomes of its record. */
export function remember(
  decision: Decision,
  { env = process.env, ...extras }: Extras & JournalEnvironment = {},
): Remembered {
  return write((redact) => decisionLine(decision, extras, redact), env);
}

/** Writes down a call that came to no decision: unknown to Sluice, not readable, or left alone. */
export function rememberMoment({ env = process.env, ...moment }: Moment & JournalEnvironment): Remembered {
  return write((redact) => {
    const record = momentRecord(moment, redact);
    return { id: record.id, line: JSON.stringify(record) };
  }, env);
}

function write(make: (redact: Redactor) => RecordLine, env: NonNullable<JournalEnvironment["env"]>): Remembered {
  const { id, line } = make(redactor(secretsIn(env)));
  const problem = append(journalFolder(env), line);
  return { id, ...(problem === undefined ? {} : { problem }) };
}
