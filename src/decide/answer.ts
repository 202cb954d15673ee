import type { Reply, Said } from "../adapters/adapter.ts";
import { type Fitted, fitDecision } from "../adapters/fit.ts";
import { type Call, type Native, type ReadCall, readCall } from "../adapters/read-call.ts";
import type { Decision } from "../decision/decision.ts";
import { eventSpec } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import type { HookKind } from "../hook/schema.ts";

/** Who decides and who remembers: the engine in this process, or a resident one. */
export interface Engine {
  /** Asked before anything is done about a call besides answering it; throws where it may not be done yet. */
  readonly begin?: (() => Promise<void>) | undefined;
  /** Whether what passes quietly has to be written down before it is answered, too. */
  readonly isPressed?: () => boolean;
  readonly decide: (event: HookEvent, native: Native) => Promise<Decided>;
  /** Writes down what happened. */
  readonly remember: (happened: Happened) => Remembered;
}

/** The short id under which `sluice why` finds a call, or why it will not be found. */
export type Remembered = { readonly id: string } | { readonly lost: string };

/** A decision, and what the user has to know besides, such as hooks that did not run. */
export interface Decided {
  readonly decision: Decision;
  readonly told: readonly string[];
  /** The project whose hooks decided. */
  readonly root: string;
}

/** What one call came to, for whoever remembers it. */
export type Happened =
  | {
      readonly kind: "decided";
      readonly decision: Decision;
      /** What the agent is told. */
      readonly said: Said;
      readonly notes: readonly string[];
      readonly told: readonly string[];
      readonly root: string;
      readonly native: Native;
    }
  | { readonly kind: "failed"; readonly why: string; readonly call: ReadCall };

/** What the agent gets: nothing else is printed. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The hooks that hear a call and could do something: what they are, and how long they may take. */
export interface HeardHooks {
  readonly kinds: readonly HookKind[];
  /** Whether one may open a connection that needs certificates. */
  readonly usesNetwork: boolean;
  readonly root: string;
  /** Milliseconds until the answer has to be there. */
  readonly patience: number;
}

/** Thrown by an engine that may not decide a call, or not yet; nothing has happened. */
export class Undecided extends Error {}

/** The call is another engine's: it takes it. */
export class DecidedElsewhere extends Undecided {
  readonly heard: HeardHooks;

  constructor(heard: HeardHooks) {
    super("another engine decides this");
    this.heard = heard;
  }
}

/** The whole journey of one call: decode, decide, fit, encode. Whatever breaks on the way, a gate stays shut. */
export async function answer(call: Call, engine: Engine): Promise<Printed> {
  const read = readCall(call);
  if (read.kind !== "event") await engine.begin?.();
  switch (read.kind) {
    case "nothing":
      engine.remember({ kind: "failed", why: read.why, call: read });
      return { stdout: "", stderr: `${read.why}\n`, exitCode: 2 };
    case "unknown moment":
      engine.remember({ kind: "failed", why: `${read.adapter.title} has no moment "${read.name}"`, call: read });
      return QUIET;
    case "unreadable":
      return refused(read, `the payload of ${read.native.name} cannot be read: ${read.why}`, engine);
    case "event":
      try {
        return await decided(await engine.decide(read.event, read.native), read.native, engine);
      } catch (error) {
        if (error instanceof Undecided) throw error;
        await engine.begin?.();
        return refused(read, `the hooks broke: ${error instanceof Error ? error.message : String(error)}`, engine);
      }
  }
}

async function decided({ decision, told, root }: Decided, native: Native, engine: Engine): Promise<Printed> {
  const { adapter, moment, payload } = native;
  const { said, notes }: Fitted = fitDecision(decision, moment, adapter.title, payload);
  const objects = said.action === "deny" || said.action === "ask";
  if (engine.begin !== undefined && (objects || engine.isPressed?.())) await engine.begin();
  const kept = engine.remember({ kind: "decided", decision, said, notes, told, root, native });
  const reply = moment.encode({ ...said, reason: objects ? withId(said.reason, kept) : said.reason }, payload);
  const words = [...told, ...("lost" in kept ? [kept.lost] : [])];
  return printed(words.length === 0 ? reply : withWords(reply, words.join("\n"), native));
}

function withId(reason: string, kept: Remembered): string {
  return "id" in kept ? `${reason} (why: sluice why ${kept.id})` : reason;
}

/** The user is told once, when a session begins, where the agent shows it; everywhere else on standard error. */
function withWords(reply: Reply, words: string, { adapter, moment }: Native): Reply {
  const stderr = [reply.stderr, words].filter(Boolean).join("\n");
  const { messageKey } = adapter;
  const { stdout = {} } = reply;
  if (messageKey === undefined || moment.as !== "session:start" || typeof stdout === "string")
    return { ...reply, stderr };
  return { ...reply, stderr, stdout: { ...stdout, [messageKey]: words } };
}

/** What cannot be decided is denied, in the agent's own words; where nothing can be stopped, the user is told. */
function refused(read: Extract<ReadCall, { native: Native }>, why: string, engine: Engine): Printed {
  const { moment, payload } = read.native;
  const reason = withId(why, engine.remember({ kind: "failed", why, call: read }));
  const { gate, keepsWorking = false } = eventSpec(moment.as);
  const action = gate && !keepsWorking ? "deny" : "continue";
  // Some agents want an answer whatever it says; whoever has none to give the words to shows them himself.
  return printed({ stderr: reason, ...moment.encode({ action, reason, context: "", approved: false }, payload) });
}

function printed({ stdout = "", stderr = "", exitCode = 0 }: Reply): Printed {
  const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
  return { stdout: text && `${text}\n`, stderr: stderr && `${stderr}\n`, exitCode };
}

const QUIET: Printed = { stdout: "", stderr: "", exitCode: 0 };
