import type { Passkey, PasskeyQuestion } from "../approvals/passkey.ts";
import type { ExceptionWidth } from "../suggest/narrow-exceptions.ts";
import type { CallSource } from "./call-source.ts";
import type { CallIndex } from "./journal-index.ts";
import type { ReplayJobs } from "./replay-jobs.ts";
import type { ActOutcome, Hello } from "./wire.ts";

/** What the pages are about, and what their requests may ask for. */
export interface UiContext {
  /** The folder of this machine's journal of decisions. */
  readonly journal: string;
  /** Where calls are read from. */
  readonly source: CallSource;
  /** The sums of those calls. */
  readonly index: CallIndex;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hello: Hello;
  /** The folder into which the build has written the pages. */
  readonly assets: string;
  readonly acts: PersonActs;
  /** Recorded calls judged by texts that are not saved, and for how many milliseconds of processor time at most. */
  readonly replays: ReplayJobs;
  /** Questions for a passkey that are open, by their challenge. */
  readonly proofs: Map<string, RequestProof>;
  readonly replayLimit: number;
}

/** What weakens a protection: each asks at the terminal of `sluice ui` first, and changes nothing without a person. */
export interface PersonActs {
  /** Asks a question at the terminal of `sluice ui`, and nothing else. */
  confirm(question: string, signal: AbortSignal): Promise<boolean>;
  /** Makes the call of an objection an exception of its guard. */
  allow(id: string, signal: AbortSignal, width?: ExceptionWidth): Promise<ActOutcome>;
  /** What that would write. It asks nothing, and writes nothing. */
  previewAllow(id: string, width?: ExceptionWidth): Promise<PolicyChange>;
  /** Lets exactly this call pass, once. */
  allowOnce(id: string, signal: AbortSignal): Promise<ActOutcome>;
  /** Turns a hook on or off in its file, or lets it only watch. */
  switchHook(change: HookSwitch, signal: AbortSignal): Promise<ActOutcome>;
  /** Writes a file of hooks, unless it was changed meanwhile. */
  savePolicy(change: PolicyChange, signal: AbortSignal): Promise<ActOutcome>;
}

/** A question for a passkey, and the answer to requests that it confirms. */
interface RequestProof {
  readonly question: PasskeyQuestion<Passkey>;
  readonly about: string;
}

/** A text of hooks that is to be written. */
export interface PolicyChange {
  readonly path: string;
  /** What the file held when the person began; nothing for a file that is new. */
  readonly before: string | undefined;
  readonly after: string;
}

/** How a hook is to be changed, and whose it is. */
export interface HookSwitch {
  readonly hook: string;
  readonly to: "on" | "off" | "monitor" | "enforce";
  readonly layer: "user" | "project";
}

/** A request that has passed every check. */
interface UiRequest {
  readonly query: URLSearchParams;
  /** The body, read as JSON; undefined without a body. */
  readonly body: unknown;
  /** The origin of the page that asks; empty for a request that names none. */
  readonly origin: string;
  /** Aborted when the browser goes away. */
  readonly signal: AbortSignal;
}

/** An answer: JSON at once, or lines of text as they come. */
export type UiReply =
  | { readonly json: unknown; readonly status?: number }
  | { readonly type: string; readonly lines: AsyncIterable<string> };

/** Answers one kind of request. */
export type UiRoute = (request: UiRequest, context: UiContext) => Promise<UiReply> | UiReply;

/** A request that cannot be answered, with a message for the person at the page. */
export function refusedReply(status: number, error: string, fix?: string): UiReply {
  return { status, json: { error, ...(fix !== undefined && { fix }) } };
}
