import type { BoardIntent } from "../policies/intent/intent.ts";
/** One recorded call in a list: what the timeline shows of it before it is opened. */
export interface CallRow {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The machine that shipped it, where calls come from a database. */
  readonly machine?: string;
  readonly agent?: string;
  readonly session?: string;
  /** The session of the agent that started this one as a sub-agent. */
  readonly parent?: string;
  /** The sub-agent of the session that called, where the agent names it. */
  readonly sub?: string;
  /** What the agent calls this use of a tool: the records before and after its run have the same. */
  readonly use?: string;
  readonly root?: string;
  readonly event: string;
  readonly tool?: string;
  /** What the agent was answered. */
  readonly action: string;
  /** What hooks in monitor mode would have decided; the strictest. */
  readonly would?: string;
  /** From the beginning of the call to its decision. */
  readonly ms: number;
  /** The hooks that decided something, or broke. */
  readonly hooks?: readonly string[];
  /** Milliseconds that the tool took, as the agent reports them. */
  readonly ran?: number;
  /** What the agent reports: US dollars, and tokens. */
  readonly cost?: number;
  readonly tokens?: number;
  /** The command, the file, the address or the prompt, shortened; for other events a sentence. */
  readonly text: string;
  /** A hook that ran broke. */
  readonly failed?: true;
  /** Files were kept, so that the call can be undone. */
  readonly kept?: true;
  /** It would have written over a file that had changed since its session read it. */
  readonly stale?: true;
  /** In the last line of an answer: the place after which older ones are asked for. */
  readonly place?: string;
}

/** What every page receives first. */
export interface Hello {
  readonly version: string;
  /** The project around the folder in which `sluice ui` was started. */
  readonly root: string;
  readonly home: string;
  /** True if a person at the terminal of `sluice ui` can confirm what weakens a protection; else why not. */
  readonly confirms: true | string;
  /** The database that calls come from, without its password; left out if they are this machine's own. */
  readonly store?: string;
}

/** What went wrong with a request, for a person. */
export interface WireError {
  readonly error: string;
  readonly fix?: string;
}

/** Everything that is known about one recorded call. */
export interface CallDetail {
  readonly id: string;
  readonly at: number;
  readonly machine?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly cwd?: string;
  readonly root?: string;
  readonly event: string;
  readonly tool?: string;
  readonly action: string;
  readonly would?: string;
  readonly ms: number;
  readonly reasons: readonly string[];
  readonly input?: unknown;
  /** What hooks made of the input, field by field, or of the result. */
  readonly changes: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly changed?: "input" | "result";
  readonly act?: { readonly commands: readonly string[]; readonly effects: readonly string[] };
  readonly results: readonly WireResult[];
  /** How many guards objected to nothing. */
  readonly quiet: number;
  readonly told: readonly string[];
  readonly kept?: { readonly id: string; readonly files: number; readonly bytes: number };
  /** The box in which the call runs or ran: its state, and what `sluice undo` takes back. */
  readonly contained?: {
    readonly id: string;
    readonly backend: string;
    readonly state: string;
    readonly undo?: string;
  };
  /** Files that the call changed, by the trace of changes. */
  readonly traced: readonly { readonly path: string; readonly kind: string; readonly intent?: string }[];
  readonly notes: readonly string[];
  /** Whether a person may let exactly this call pass once, and whether it may become an exception of a guard. */
  readonly may: { readonly once: boolean; readonly always: boolean };
}

/** What one hook returned about a call, and what its rules return today. */
export interface WireResult {
  readonly hook: string;
  readonly layer: string;
  readonly file?: string;
  readonly line?: number;
  readonly kind: string;
  readonly action: string;
  readonly monitor?: string;
  readonly rule?: string;
  readonly reason?: string;
  readonly failure?: string;
  readonly error?: string;
  readonly ms: number;
  readonly since?: "unchanged" | "changed" | "gone";
  readonly caution?: string;
  readonly rules?: readonly WireRule[];
}

/** A rule beside a call. */
export interface WireRule {
  readonly text: string;
  readonly matched: boolean;
  readonly decides: boolean;
  readonly condition: WireCondition;
}

/** A part of a rule: whether it held, and on which values. */
export interface WireCondition {
  readonly kind: "compare" | "all" | "any" | "not";
  readonly text: string;
  readonly held: boolean;
  readonly values?: readonly { readonly text: string; readonly fits: boolean }[];
  readonly of?: readonly WireCondition[];
}

/** What a person wants to try: a command line, a tool call or an agent's payload; with texts of policies that are not saved. */
export interface TryRequest {
  readonly text: string;
  /** The project; the one in which `sluice ui` was started when left out. */
  readonly root?: string;
  readonly drafts?: readonly { readonly path: string; readonly text: string }[];
}

/** What it would result in. Nothing was run. */
export interface TryResult {
  /** What the text was taken for. */
  readonly read: {
    readonly as: "command" | "tool call" | "payload";
    readonly agent?: string;
    readonly hookEvent?: string;
  };
  readonly event: string;
  readonly tool?: string;
  readonly action: string;
  readonly reasons: readonly string[];
  readonly contexts: readonly string[];
  /** The input as hooks would change it. */
  readonly input?: unknown;
  readonly act?: { readonly commands: readonly string[]; readonly effects: readonly string[] };
  readonly matched: readonly TriedHook[];
  readonly near: readonly {
    readonly hook: string;
    readonly why: string;
    readonly file?: string;
    readonly line?: number;
  }[];
  readonly answers: readonly TriedAnswer[];
  readonly problems: readonly string[];
}

/** A hook that matches. */
export interface TriedHook {
  readonly hook: string;
  readonly layer: string;
  readonly file?: string;
  readonly line?: number;
  readonly kind: string;
  readonly mode: string;
  /** It would have to run before its answer is known. */
  readonly wouldRun: boolean;
  readonly action?: string;
  readonly reason?: string;
  readonly rules?: readonly WireRule[];
}

/** What one agent would be answered. */
export interface TriedAnswer {
  readonly agent: string;
  readonly title: string;
  /** The agent's own name of the event; left out if it has none. */
  readonly hookEvent?: string;
  readonly action?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  /** What became stricter, or cannot be carried out, and why. */
  readonly notes: readonly string[];
}

/** Objections that are alike: the same hook and rule, about calls of one shape. */
export interface ReviewGroup {
  readonly key: string;
  readonly hook: string;
  readonly rule?: string;
  readonly shape: string;
  readonly action: string;
  readonly count: number;
  readonly sessions: number;
  readonly agents: readonly string[];
  readonly projects: readonly string[];
  readonly first: number;
  readonly last: number;
  /** The latest of them. */
  readonly example: {
    readonly id: string;
    readonly at: number;
    readonly text: string;
    readonly reasons: readonly string[];
  };
  readonly may: CallDetail["may"];
  /** When a person found this right. */
  readonly reviewed?: number;
}

/** What came of an act that a person confirms at the terminal. */
export interface ActOutcome {
  readonly done: boolean;
  /** What the command printed. */
  readonly told: readonly string[];
}

/** One hook as the page of rules lists it. */
export interface RuleRow {
  readonly hook: string;
  readonly layer: string;
  readonly file?: string;
  readonly line?: number;
  readonly kind: string;
  readonly event: string;
  readonly mode: string;
  readonly enabled: boolean;
  /** Why it does not run although it is on. */
  readonly off?: string;
  readonly rules: readonly RuleFigures[];
  readonly ran: number;
  readonly fired: number;
  readonly denied: number;
  readonly asked: number;
  readonly would: number;
  readonly broke: number;
  readonly letPass: number;
  /** When it last fired; left out if it never did. */
  readonly lastFired?: number;
  readonly p50: number;
  readonly p95: number;
  /** Its part of the time of all hooks, from 0 to 1. */
  readonly share: number;
  /** A hook that objected to every call to which this one did. */
  readonly always?: string;
  /** Why parts of it, or all of it, change nothing. */
  readonly shadowed: readonly string[];
  /** Whether it is in a file that this user may change. */
  readonly isWritable: boolean;
}

/** One rule of a hook: how often it fired, and when last; left out if records do not name the rule of the hook. */
interface RuleFigures {
  readonly text: string;
  readonly fired?: number;
  readonly last?: number;
}

/** Figures of the last days. */
export interface Figures extends FigureSums {
  readonly days: number;
  readonly byDay: readonly FigureRow[];
  readonly byAgent: readonly FigureRow[];
  readonly byProject: readonly FigureRow[];
  readonly byHook: readonly FigureRow[];
  /** Shapes of calls that were stopped most often. */
  readonly byShape: readonly FigureRow[];
}

/** Calls of one day, agent, project, hook or shape. */
export interface FigureRow extends FigureSums {
  readonly name: string;
}

/** What calls came to, and how long their hooks took. */
interface FigureSums {
  readonly calls: number;
  readonly denied: number;
  readonly asked: number;
  readonly modified: number;
  /** Bytes that were kept for `sluice undo`. */
  readonly kept: number;
  /** Milliseconds of all decisions together; of a hook, of its runs. */
  readonly ms: number;
  /** Left out if there was no call. */
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
}

/** What agents have written in the project, and the intents that own it. */
export interface WrittenFiles {
  readonly files: readonly WrittenFile[];
  readonly intents: readonly BoardIntent[];
  /** All files of the project, with the intents whose scopes contain them. */
  readonly tree: {
    readonly paths: readonly string[];
    /** For each path the place of its intents in `ownerSets`. */
    readonly owners: readonly number[];
    readonly ownerSets: readonly (readonly string[])[];
    /** The project has more files than these. */
    readonly isCut: boolean;
  };
  /** Why no change is recorded. */
  readonly why?: string;
  /** Why the file of intents cannot be read. */
  readonly problem?: string;
}

/** A file that agents have changed. */
export interface WrittenFile {
  readonly path: string;
  readonly changes: number;
  readonly last: number;
  readonly agents: readonly string[];
  /** Intents for which it was changed. */
  readonly intents: readonly string[];
  /** Intents whose scope contains it. */
  readonly owners: readonly string[];
  /** Why no recorded call explains what it holds now. */
  readonly unexplained?: string;
}

/** A file with who wrote each line. */
export interface LineAuthors {
  readonly path: string;
  readonly lines: readonly { readonly text: string; readonly by?: number; readonly isRewritten?: true }[];
  readonly changes: readonly {
    readonly id: string;
    readonly at: number;
    readonly intent?: string;
    readonly agent?: string;
    readonly session?: string;
    readonly tool?: string;
    readonly kind: string;
    readonly action?: string;
    readonly reasons: readonly string[];
  }[];
}

/** What a file of calls holds that needs no server. */
export interface ExportedCalls {
  readonly hello: Hello;
  /** Which calls these are, for a person. */
  readonly range: string;
  readonly rows: readonly CallRow[];
  /** Details by `id=…&at=…`; calls without one are shown as their line alone. */
  readonly details: Readonly<Record<string, CallDetail>>;
}
