/** A declared intent, as its file has it. */
export interface SidecarIntent {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly owned_scope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptance_criteria: readonly string[];
}

/** One record of the trace. */
export interface TracedChange {
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly timestamp: string;
  readonly intent_id: string | null;
  readonly mutation_class: string;
  readonly files: readonly {
    readonly relative_path: string;
    readonly deleted?: boolean;
    readonly mutation_class?: string;
    readonly ranges: readonly { readonly start_line: number; readonly end_line: number }[];
  }[];
}

/** A text of the user or the assistant. */
export interface TextEntry {
  readonly type: "text";
  readonly who: string;
  readonly text: string;
}

/** One call of a tool, and how far it has come. */
export interface CallEntry {
  readonly type: "call";
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The steps that it has passed: `pre-hooks`, `dispatch`, `tool`, `post-hooks`, `sidecar`, `result`. */
  readonly steps: readonly string[];
  readonly decision?:
    | { readonly allow: true; readonly contextPatch?: Readonly<Record<string, unknown>> }
    | { readonly allow: false; readonly code: string; readonly reason: string };
  /** How the user has answered, if the call needed approval. */
  readonly approved?: boolean;
  readonly result?: { readonly ok: boolean; readonly text: string };
}

/** One row of the timeline. */
export type TimelineEntry = TextEntry | CallEntry;

/** A call that waits for the user's approval. */
export interface HostQuestion {
  readonly id: string;
  /** The id of the call. */
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
  readonly reasons: readonly string[];
}

/** All that a page shows: it is sent whole after each change. */
export interface HostState {
  readonly project: string;
  readonly session: string;
  readonly tools: readonly { readonly name: string; readonly does: string; readonly input: readonly string[] }[];
  /** Calls that the page offers as buttons. */
  readonly examples: readonly {
    readonly title: string;
    readonly tool: string;
    readonly input: Readonly<Record<string, string>>;
  }[];
  /** The intent that the session has selected. */
  readonly selected: string | null;
  readonly intents: readonly SidecarIntent[];
  readonly timeline: readonly TimelineEntry[];
  readonly questions: readonly HostQuestion[];
  readonly trace: { readonly records: readonly TracedChange[]; readonly verdict: string; readonly map: string };
}

/** What a page may send to the host. */
export type HostMessage =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "call_tool"; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: "answer"; readonly question: string; readonly approved: boolean }
  | { readonly kind: "ready" };

/** What the host sends to its pages. */
export type HostReply =
  | { readonly kind: "state"; readonly state: HostState }
  | { readonly kind: "heard" }
  | { readonly kind: "refused"; readonly what: string; readonly fix: string };
