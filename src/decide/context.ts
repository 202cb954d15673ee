import type { Fitted } from "../adapters/fit.ts";
import type { Decision } from "../decision/decision.ts";
import type { HookResult } from "../decision/result.ts";
import type { HookExecutor } from "../engine/executor.ts";
import type { CallerProcess } from "../engine/flow-file.ts";
import type { WorkBudget } from "../event/work-budget.ts";
import type { RunKind } from "../hook/schema.ts";
import type { DeniedTarget } from "../policies/protect/denied-target.ts";
import type { Problem } from "../problem/problem.ts";
import type { Configuration, ProcessEnvironment } from "./project.ts";

/** Where a call is decided, and for which caller. */
export interface DecideContext {
  /** Takes events through the hooks that the front has. */
  readonly executor: HookExecutor;
  readonly root: string;
  readonly env: ProcessEnvironment;
  /** The configuration of the project; left out by a front that has read none, and knows its hooks alone. */
  readonly project?: Configuration | undefined;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** The processes above the hook; left out by a program that calls the engine itself. */
  readonly callerChain?: (() => readonly CallerProcess[]) | undefined;
  /** Until when the answer of a person may be waited for; it is not waited for when left out. */
  readonly waitUntil?: number | undefined;
  /** Ends the hooks that run. */
  readonly signal?: AbortSignal | undefined;
  readonly stopOnFailure?: boolean | undefined;
  /** What is left of the work that the call may cost; one begins with the decision when left out. */
  readonly budget?: WorkBudget | undefined;
  /** Called before a call has any effect besides its answer; throws `Undecided` if it must not be decided here. */
  readonly begin?: (() => Promise<void>) | undefined;
  /** What is enforced is compared with what was enforced before; left out by fronts that judge another configuration. */
  readonly hasInventory?: boolean | undefined;
  /** Nothing is written, used up or bound: the decision is only shown. */
  readonly isDry?: boolean | undefined;
  /** What a tool threw, where the event is its failure. */
  readonly failure?: { readonly thrown: unknown } | undefined;
  /** Denials of sessions, kept by a program without a configuration; with one, they are in the user's state. */
  readonly denials?: Denials | undefined;
  /** Files that count as memory besides `AGENTS.md` and its like. */
  readonly memoryPatterns?: readonly string[] | undefined;
  /** The agent never sends an event at the end of a session: the end of a turn is used instead. */
  readonly isTurnTheEnd?: boolean | undefined;
  /** The version of Sluice, for the trace. */
  readonly version?: string | undefined;
  readonly journal?: JournalContext | undefined;
}

/** What each session was denied lately, by the session's id. */
export type Denials = Map<string, readonly DeniedTarget[]>;

/** What the journal knows about a call besides its decision. */
export interface JournalContext {
  /** When the call began, in milliseconds. */
  readonly began?: number | undefined;
  readonly agent?: string | undefined;
  /** What the agent can carry out of a decision. */
  readonly fit?: ((decision: Decision) => Fitted) | undefined;
  /** The id under which the `async` hooks of the call will be found. */
  readonly background?: string | undefined;
  /** The `async` hooks of this process are waited for, and belong to the record. */
  readonly waitsForBackground?: boolean | undefined;
  readonly isDaemon?: boolean | undefined;
  /** The agent passes messages of hooks to its model at this hook event. */
  readonly takesContext?: boolean | undefined;
  /** A person fired the event: the record does not name an agent. */
  readonly isFired?: boolean | undefined;
  /** Runs an act after the answer, such as recording a call that passes without a message. */
  readonly afterwards?: ((act: () => void) => void) | undefined;
  /** Runs an act if the answer never arrives: what was kept for the call is forgotten there. */
  readonly unlessArrives?: ((act: () => void) => void) | undefined;
}

/** A decision, and what comes with it. */
export interface Decided {
  readonly decision: Decision;
  /** Everything that the call destroys has been kept for undo. */
  readonly isKept?: boolean | undefined;
  /** What the user has to know besides, such as hooks that did not run. */
  readonly told: readonly string[];
  /** The answer to the agent, if an adapter translates it. */
  readonly fitted?: Fitted | undefined;
  /** What the `async` hooks gave, where they were waited for. */
  readonly background?: readonly HookResult[] | undefined;
  /** Where the journal keeps the call. */
  readonly record?: JournalRecord | undefined;
}

/** What the agent gets: nothing else is printed. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The short id under which `sluice why` finds a call, or why it will not be found. */
export type JournalRecord = { readonly id: string } | { readonly lost: Problem };

/** The hooks that match a call and start something: what they are, and how long they may take. */
export interface MatchedHooks {
  readonly kinds: readonly RunKind[];
  /** Whether one may open a connection that needs certificates. */
  readonly usesNetwork: boolean;
  readonly root: string;
  /** Milliseconds until the answer has to be there. */
  readonly patience: number;
}

/** Thrown where a call may not be decided in this process, or not yet; nothing has happened. */
export class Undecided extends Error {}

/** Thrown where another process has to decide the call, because hooks match that this one may not run. */
export class DecidedElsewhere extends Undecided {
  readonly matched: MatchedHooks;

  constructor(matched: MatchedHooks) {
    super("another process decides this call");
    this.matched = matched;
  }
}
