import type { StageName } from "./stages.ts";

/** One way into a decision. */
export interface Front {
  readonly name: string;
  /** What brings the call. */
  readonly from: string;
  /** The stages that it leaves out. */
  readonly lacks?: readonly StageName[];
  /** Why it leaves them out. */
  readonly why?: string;
}

const OF_THE_CONFIGURATION: readonly StageName[] = [
  "guards",
  "trust",
  "inventory",
  "data flow",
  "self-protection",
  "memory of denials",
  "intents",
  "undo",
  "no box",
  "approvals",
  "contain",
  "trace",
  "journal",
];

/** Every way into a decision. A front without `lacks` takes a call through all stages. */
export const FRONTS = [
  { name: "`sluice run`", from: "an agent, alone or through the daemon" },
  { name: "`sluice fire`", from: "a person who fires an event" },
  {
    name: "`sluice explain`",
    from: "a person who asks what rules would decide",
    lacks: ["approvals", "trace", "journal"],
    why: "an explanation runs, uses up and records nothing",
  },
  { name: "`createHookEngine`", from: "an extension host" },
  { name: "`HooksManager`, `SessionLifecycleHooks`", from: "a program, after `load()`" },
  { name: "`ToolExecutionHooks.wrapToolCall`", from: "a tool of such a program" },
  { name: "the SDK adapters (`hooksFrom({ manager, session })`)", from: "a tool of an SDK" },
  {
    name: "`HooksManager` before `load()`, `hooksFrom({ executor })`",
    from: "a program with hooks of its own",
    lacks: OF_THE_CONFIGURATION,
    why: "it has read no configuration",
  },
  {
    name: "`ToolExecutor`",
    from: "a tool that a program executes",
    lacks: OF_THE_CONFIGURATION,
    why: "it knows its registry alone",
  },
  {
    name: "`HookExecutor`, `fireEvent`",
    from: "one event",
    lacks: [...OF_THE_CONFIGURATION, "derived events"],
    why: "they run the hooks of the registry that they were given, for this one event",
  },
] as const satisfies readonly Front[];
