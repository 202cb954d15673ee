import type { Alias, EventName } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { isObject } from "../event/json.ts";
import { problems } from "../problem/problem.ts";

/** The session that an event happens in: any object that knows its id. */
export interface Session {
  readonly sessionId?: string | undefined;
  readonly session_id?: string | undefined;
  /** Where the session works; the manager's root when left out. */
  readonly cwd?: string | undefined;
  /** What `session_types` of a matcher compares: `root` when left out. */
  readonly sessionType?: string | undefined;
  readonly session_type?: string | undefined;
}

/** The id of a session, under either spelling. */
export function sessionIdOf(session: Session): string {
  const id = session?.sessionId ?? session?.session_id;
  if (typeof id !== "string") throw PROBLEMS.noSession({});
  return id;
}

/** The event as hooks see it: the tool is known by name, and the folder is the session's, whatever the data leaves out. */
export function sessionEvent(session: Session, type: EventName | Alias, data: object, root: string): HookEvent {
  const sessionId = sessionIdOf(session);
  const fields = fieldsOf(data, `The data of ${type}`, '{ tool: "bash", args: { … } }');
  const { tool, tool_name = tool, cwd = session.cwd ?? root } = fields as Record<string, unknown>;
  return new HookEvent({
    type,
    data: ofItsType(session, data),
    toolName: typeof tool_name === "string" ? tool_name : undefined,
    sessionId,
    cwd: typeof cwd === "string" ? cwd : root,
  });
}

function ofItsType(session: Session, data: object): object {
  const session_type = session.sessionType ?? session.session_type;
  return session_type === undefined || "session_type" in data ? data : { ...data, session_type };
}

/** The name of a tool; a call without one would pass every hook that looks for its tool by name. */
export function toolNamed(name: unknown, call: string): string {
  if (typeof name === "string" && name.trim() !== "") return name;
  throw PROBLEMS.noToolName({ got: inWords(name), call });
}

/** An object with fields, as it was handed over. */
export function fieldsOf<Fields extends object>(given: Fields, what: string, example: string): Fields {
  if (isObject(given)) return given;
  throw PROBLEMS.noFields({ what, got: inWords(given), example });
}

/** What the caller handed over, in a word or two. */
export function inWords(given: unknown): string {
  if (given === undefined) return "missing";
  if (given === null) return "null";
  if (Array.isArray(given)) return "a list";
  if (typeof given === "string") return given.trim() === "" ? "empty" : "a string";
  return typeof given === "object" ? "an object" : `a ${typeof given}`;
}

const PROBLEMS = problems("host", {
  noSession: (_: object) => ({
    what: "A session has neither `sessionId` nor `session_id`.",
    fix: 'Pass an object such as { sessionId: "s1" }.',
  }),
  noToolName: ({ got, call }: { got: string; call: string }) => ({
    what: `A tool was called without its name: it is ${got}, and hooks look for tools by name. The tool did not run.`,
    fix: `Pass a string that is not empty: ${call}.`,
  }),
  noFields: ({ what, got, example }: { what: string; got: string; example: string }) => ({
    what: `${what} is ${got}; it has to be an object.`,
    fix: `Pass one such as ${example}, or leave it out.`,
  }),
});
