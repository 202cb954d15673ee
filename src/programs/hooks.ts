import type { Denials } from "../decide/context.ts";
import { decide } from "../decide/decide.ts";
import type { Decision } from "../decision/decision.ts";
import type { ExecuteOptions, HookExecutor } from "../engine/executor.ts";
import { type EventInit, HookEvent } from "../event/event.ts";
import type { HooksManager } from "../hosts/hooks-manager.ts";
import type { Session } from "../hosts/session.ts";

/** How one event is decided. */
export interface DecideOptions extends ExecuteOptions {
  /** What a tool threw, where the event is its failure. */
  readonly failure?: { readonly thrown: unknown };
  /** What the sessions of this program were denied, where no configuration was loaded that remembers it. */
  readonly denials?: Denials;
}

/** Hooks as an adapter sees them: one event in, one decision out. */
export interface Hooks {
  decide(event: EventInit, options?: DecideOptions): Promise<Decision>;
  /** Answers a hook's `ask`; without it, `ask` is a denial. */
  readonly onAsk?: ((decision: Decision) => boolean | Promise<boolean>) | undefined;
}

/** Where a program's hooks come from: an executor, or a manager and the session that the events belong to. */
export type HooksSource = (
  | {
      /** With its registry, events that follow from a call are decided as well. */
      readonly executor: Pick<HookExecutor, "decide"> | HookExecutor;
      readonly sessionId?: string;
      readonly cwd?: string;
      readonly agent?: string;
    }
  | { readonly manager: Pick<HooksManager, "decide">; readonly session: Session }
) & { readonly onAsk?: Hooks["onAsk"] };

/** Makes the hooks that every adapter takes. */
export function hooksFrom(source: HooksSource): Hooks {
  const denials: Denials = new Map();
  const decide = "manager" in source ? throughManager(source) : throughExecutor(source);
  return { decide: (event, options) => decide(event, { denials, ...options }), onAsk: source.onAsk };
}

function throughExecutor(source: Extract<HooksSource, { executor: unknown }>) {
  const { executor, sessionId, cwd, agent, onAsk } = source;
  return async (event: EventInit, { failure, ...options }: DecideOptions = {}) => {
    const whole = new HookEvent({
      ...event,
      sessionId: event.sessionId ?? sessionId,
      cwd: event.cwd ?? cwd,
      agent: event.agent ?? agent,
    });
    const { denials, ...execution } = options;
    if (!("registry" in executor)) return executor.decide(whole, execution);
    const root = executor.workingDir ?? whole.cwd ?? process.cwd();
    const context = { ...options, failure, executor, root, env: process.env, canAsk: onAsk !== undefined };
    return (await decide(whole, context)).decision;
  };
}

/** A manager reads the tool and the folder out of the data. */
function throughManager({ manager, session, onAsk }: Extract<HooksSource, { manager: unknown }>) {
  return ({ type, data, toolName, sessionId, cwd }: EventInit, options?: DecideOptions) => {
    const named = { ...(toolName === undefined ? {} : { tool_name: toolName }), ...(cwd === undefined ? {} : { cwd }) };
    const { cwd: folder, sessionType = session.session_type } = session;
    const whose = sessionId === undefined ? session : { sessionId, cwd: folder, sessionType };
    return manager.decide(whose, type, { ...data, ...named }, { ...options, canAsk: onAsk !== undefined });
  };
}
