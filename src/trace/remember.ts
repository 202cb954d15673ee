import type { Decision } from "../decision/decision.ts";
import type { Problem } from "../problem/problem.ts";
import { append, journalFolder } from "./journal.ts";
import {
  decisionFields,
  type Extras,
  type Fields,
  hookEventRecord,
  lineWithoutSecrets,
  type UndecidedCall,
} from "./record.ts";
import { type Redactor, redactor, secretsIn } from "./redact.ts";
import type { RemovedFields } from "./removed-fields.ts";
import type { JournalLimits } from "./rotation.ts";
import { isShortened } from "./shorten.ts";

/** What came of remembering: the id to ask about later, and why there is nothing to find, if so. */
export interface RememberedRecord {
  readonly id: string;
  readonly problem?: Problem;
}

/** The environment and the settings: the path of the journal, the secrets to leave out, and how much is kept. */
export interface JournalEnvironment {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How much of the journal is kept. */
  readonly limits?: JournalLimits | undefined;
}

/** Writes a decision into the journal, without its secrets. It never throws: a decision stays valid whatever happens to its record. */
export function remember(
  decision: Decision,
  { env = process.env, limits, ...extras }: Extras & JournalEnvironment = {},
): RememberedRecord {
  return write((redact) => decisionLine(decision, extras, redact), env, limits);
}

/** Writes down a call that came to no decision: unknown to Sluice, not readable, or left alone. */
export function rememberHookEvent({
  env = process.env,
  ...hookEvent
}: UndecidedCall & JournalEnvironment): RememberedRecord {
  return write((redact) => {
    const record = hookEventRecord(hookEvent, redact);
    return { id: record.id, line: JSON.stringify(record) };
  }, env);
}

function write(
  make: (redact: Redactor) => RecordLine,
  env: NonNullable<JournalEnvironment["env"]>,
  limits?: JournalLimits,
): RememberedRecord {
  const { id, line } = make(redactor(secretsIn(env)));
  const problem = append(journalFolder(env), line, undefined, limits);
  return { id, ...(problem === undefined ? {} : { problem }) };
}

/** One line of the journal, and what it is called. */
interface RecordLine {
  readonly id: string;
  readonly line: string;
}

/** The line of a decision, without its secrets. */
export function decisionLine(decision: Decision, extras: Extras, redact: Redactor): RecordLine {
  const fields = decisionFields(decision, extras);
  const { id = "" } = fields;
  return { id, line: plainLine(fields, decision, redact) ?? lineWithoutSecrets(fields, redact) };
}

/** Most decisions are short and hold nothing like a secret: such a one is looked at once, as it will be written. */
function plainLine(fields: Fields, { event, input, output }: Decision, redact: Redactor): string | undefined {
  // What has changed an input is as long as the input, and rare.
  if (input !== undefined || output !== undefined) return undefined;
  const { v, id, time, kind, action, quiet, duration_ms, call, kept, contained, resident, policy, told } = fields;
  // The folder and the session were looked at already, in `root` and in the event.
  const { project, parent_session } = fields;
  const said = JSON.stringify(foreignOf(fields)).slice(0, -1);
  const text = `${said}${said.length > 1 ? "," : ""}"event_json":${event.toText()}`;
  if (text.length > LONGEST || isShortened(text) || !redact.isPlain(text)) return undefined;
  // Words of our own need no quoting.
  return `{"v":${v},"id":"${id}","time":"${time}","kind":"${kind}","action":"${action}",${text.slice(1)},${JSON.stringify({ quiet, duration_ms, call, kept, contained, resident, policy, told, project, parent_session }).slice(1)}`;
}

/** The results of others; written out by hand, because this is on the path of every call. */
function foreignOf(fields: Fields): Omit<Fields, Own> {
  return {
    agent: fields.agent,
    session_id: fields.session_id,
    event: fields.event,
    tool: fields.tool,
    cwd: fields.cwd,
    root: fields.root,
    reasons: fields.reasons,
    contexts: fields.contexts,
    notes: fields.notes,
    approved: fields.approved,
    input: fields.input,
    output: fields.output,
    results: fields.results,
    fitted: fields.fitted,
    problems: fields.problems,
    background: fields.background,
  };
}

type Own =
  | "v"
  | "id"
  | "time"
  | "kind"
  | "action"
  | "quiet"
  | "duration_ms"
  | "call"
  | "kept"
  | "contained"
  | "resident"
  | "policy"
  | "told"
  | "project"
  | "parent_session"
  | keyof RemovedFields
  | "event_json";

const LONGEST = 4096;
