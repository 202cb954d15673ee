import { HookEvent } from "../event/event.ts";
import { attachRoot, rootOfEvent } from "../event/field.ts";

/** An event of which something was removed, made to notice when that is read. */
export interface WatchedEvent {
  readonly event: HookEvent;
  /** The first place that was read and is not whole; nothing as long as none was. */
  readonly touched: () => "redacted" | "cut" | undefined;
}

/** Makes such an event anew: what was found out about another one of the same call is not known about it. */
export function watchedEvent(
  event: HookEvent,
  removed: { readonly redacted: readonly string[]; readonly cut: readonly string[] },
): WatchedEvent {
  let touched: "redacted" | "cut" | undefined;
  const note = (why: "redacted" | "cut") => {
    touched ??= why;
  };
  const places = new Map<string, "redacted" | "cut">();
  for (const pointer of removed.cut) places.set(pointer, "cut");
  for (const pointer of removed.redacted) places.set(pointer, "redacted");
  const wire = event.toJSON();
  const data = watched(wire.data, "/data", places, note) as object;
  const fields = { toolName: event.toolName, sessionId: event.sessionId, cwd: event.cwd, agent: event.agent };
  // A name, a session or a folder is read by everything; one that is not whole leaves nothing certain.
  for (const key of ["", "/data", "/tool_name", "/session_id", "/cwd", "/agent"]) {
    const why = places.get(key);
    if (why !== undefined) note(why);
  }
  const copy = new HookEvent({ type: event.type, timestamp: event.timestamp, data, ...fields });
  attachRoot(copy, rootOfEvent(event));
  return { event: copy, touched: () => touched };
}

/** A copy whose removed places tell when they are read; where a list or an object lost something, all of it is in doubt. */
function watched(
  value: unknown,
  pointer: string,
  places: ReadonlyMap<string, "redacted" | "cut">,
  note: (why: "redacted" | "cut") => void,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy: object = Array.isArray(value) ? [] : {};
  for (const name of Object.keys(value)) {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const why = places.get(at);
    const inner = watched(value[name as keyof typeof value], at, places, note);
    const read = () => {
      if (why !== undefined) note(why);
      return inner;
    };
    const held = why === undefined ? { value: inner, writable: true } : { get: read };
    Object.defineProperty(copy, name, { enumerable: true, configurable: true, ...held });
  }
  return copy;
}
