import type { Alias, EventName } from "../event/catalogue.ts";
import { HookEvent } from "../event/event.ts";
import { problems } from "../problem/problem.ts";
import { fieldsOf } from "./handed-over.ts";

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

const PROBLEMS = problems("host", {
  noSession: (_: object) => ({
    what: "A session has neither `sessionId` nor `session_id`.",
    fix: 'Pass an object such as { sessionId: "s1" }.',
  }),
});
