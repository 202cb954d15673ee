import type { Decision } from "../decision/decision.ts";
import type { ExecuteOptions, HookExecutor } from "../engine/executor.ts";
import { type EventInit, HookEvent } from "../event/event.ts";
import type { HooksManager } from "../hosts/hooks-manager.ts";
import type { Session } from "../hosts/session.ts";

/** Hooks as an adapter sees them: one event in, one decision out. */
export interface Hooks {
  decide(event: EventInit, options?: ExecuteOptions): Promise<Decision>;
  /** Answers a hook's `ask`; without it, `ask` is a denial. */
  readonly onAsk?: ((decision: Decision) => boolean | Promise<boolean>) | undefined;
}

/** Where a program's hooks come from: an executor, or a manager and the session that the events belong to. */
export type HooksSource = (
  | {
      readonly executor: Pick<HookExecutor, "decide">;
      readonly sessionId?: string;
      readonly cwd?: string;
      readonly agent?: string;
    }
  | { readonly manager: Pick<HooksManager, "decide">; readonly session: Session }
) & { readonly onAsk?: Hooks["onAsk"] };

/** Makes the hooks that every adapter takes. */
export function hooksFrom(source: HooksSource): Hooks {
  return { decide: "manager" in source ? throughManager(source) : throughExecutor(source), onAsk: source.onAsk };
}

function throughExecutor({ executor, sessionId, cwd, agent }: Extract<HooksSource, { executor: unknown }>) {
  return (event: EventInit, options?: ExecuteOptions) => {
    const whole = {
      ...event,
      sessionId: event.sessionId ?? sessionId,
      cwd: event.cwd ?? cwd,
      agent: event.agent ?? agent,
    };
    return executor.decide(new HookEvent(whole), options);
  };
}

/** A manager reads the tool and the folder out of the data. */
function throughManager({ manager, session, onAsk }: Extract<HooksSource, { manager: unknown }>) {
  return ({ type, data, toolName, sessionId, cwd }: EventInit, options?: ExecuteOptions) => {
    const named = { ...(toolName === undefined ? {} : { tool_name: toolName }), ...(cwd === undefined ? {} : { cwd }) };
    const { cwd: folder, sessionType = session.session_type } = session;
    const whose = sessionId === undefined ? session : { sessionId, cwd: folder, sessionType };
    return manager.decide(whose, type, { ...data, ...named }, { ...options, canAsk: onAsk !== undefined });
  };
}
