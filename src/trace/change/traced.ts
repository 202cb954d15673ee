import { existsSync } from "node:fs";
import type { HookEvent } from "../../event/event.ts";
import { traceFolder } from "./trace-paths.ts";

/** The trace setting of a project. */
interface TraceSettings {
  readonly trace: "off" | "on" | "required";
  /** A configuration file states it; otherwise it is the default. */
  readonly isTraceStated?: boolean | undefined;
  readonly intents: { readonly mode: "off" | "advise" | "enforce" };
}

/** Whose changes are traced, and under which rules. */
export interface Traced extends TraceSettings {
  readonly root: string;
  /** The caller has just seen that no trace is kept; otherwise it is looked for. */
  readonly isTraceMissing?: boolean | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The version of the engine, for the record. */
  readonly version?: string | undefined;
  /** Whether a call may change files that its text does not name; only the text itself is asked when left out. */
  readonly isOpen?: ((event: HookEvent) => Promise<boolean>) | undefined;
  /** The agent never reports the end of a session; the end of a turn is used instead. */
  readonly isTurnTheEnd?: boolean | undefined;
  /** The intent that a session has selected. */
  readonly intentOf?: ((session: TracedSession) => Promise<string | undefined> | string | undefined) | undefined;
}

/** A session, as agents identify it. */
export interface TracedSession {
  readonly agent: string | undefined;
  readonly sessionId: string | undefined;
}

/** Whether changes of this project are traced: if the configuration asks for it, if intents are used, or if there is a trace already. */
export function isTraced({ root, trace, isTraceStated, intents, isTraceMissing }: Traced): boolean {
  if (trace === "off") return false;
  if (trace === "required" || isTraceStated || intents.mode !== "off") return true;
  return !isTraceMissing && existsSync(traceFolder(root));
}
