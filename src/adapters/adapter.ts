import type { Decision } from "../decision/decision.ts";
import type { EventName } from "../event/catalogue.ts";
import type { Payload } from "./payload.ts";
import type { Recipe, Scope } from "./recipe.ts";
import type { TranscriptFormat } from "./transcripts/format.ts";

/** What an agent can carry out at one of its hook events. */
const POWERS = {
  deny: "stop what is about to happen",
  ask: "let its user decide",
  modify: "take another input",
  approve: "go on without asking its user",
  context: "pass context to the model",
  feedback: "tell the model that hooks object to what it did",
  output: "take another result",
} as const;

export type Power = keyof typeof POWERS;

/** A payload, translated to our names. */
export interface Decoded {
  readonly toolName?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sessionId?: string | undefined;
  readonly cwd?: string | undefined;
  /** Seconds since 1970; now, when left out. */
  readonly timestamp?: number | undefined;
}

/** A decision that the agent can carry out at this hook event. */
export interface FittedDecision {
  readonly action: "continue" | "deny" | "ask" | "modify";
  /** Never empty when the action is deny or ask. */
  readonly reason: string;
  /** A message for the model; empty if there is none. */
  readonly context: string;
  /** What hooks object to after the fact; only where the agent has a form for it, and then not among the context. */
  readonly feedback?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  /** The user's own hooks approve; the agent need not ask. */
  readonly approved: boolean;
  /** What the call destroys, kept first. */
  readonly kept?: Decision["kept"];
  /** The request under which a person can answer the question. */
  readonly request?: Decision["request"];
  /** The box in which the call runs. */
  readonly contained?: Decision["contained"];
}

/** What goes back to the agent; objects are written as one line of JSON, and nothing else is printed. */
export interface Reply {
  readonly stdout?: object | string;
  readonly stderr?: string;
  /** 0 when left out. */
  readonly exitCode?: number;
}

/** One event of an agent's own: which of ours it is, what it allows, and both translations. */
export interface AgentHookEvent {
  readonly as: EventName;
  readonly can: readonly Power[];
  /** Throws `Unreadable` if the payload lacks a field that this hook event needs. */
  readonly decode: (payload: Payload) => Decoded;
  readonly encode: (outcome: FittedDecision, payload: Payload) => Reply;
  /** Why the agent would drop this very change, where it takes others; the call is denied instead. */
  readonly refuses?: (outcome: FittedDecision, payload: Payload) => string | undefined;
  /** The largest text for the model that the agent accepts here, in bytes; it drops a longer one. */
  readonly maxContext?: number;
  /** The seconds that the agent gives a hook here, where they differ from the agent's usual ones. */
  readonly seconds?: number;
  /** Whether `sluice install` registers this hook event: always if left out, or only if a hook listens to its event. */
  readonly installed?: "always" | "if matched" | "never";
  /** Which tools the agent should call us for, in the agent's own matcher language; all when left out. */
  readonly matcher?: string;
  /** The agent shows its dialog while the hook runs, and takes the answer that comes first. */
  readonly isBesideDialog?: true;
  /** A fact about this hook event that the table of powers cannot express. */
  readonly note?: string;
}

/** A call that `sluice doctor` makes up, in the agent's format. */
export interface Canary {
  readonly hookEvent: string;
  readonly payload: (command: string, cwd: string) => Payload;
}

/** How to recognise a run of an agent in which no person can be asked, or in which the agent would drop the question. */
interface Unattended {
  /** Every `permission_mode` in which a question reached the user in each real run. In any other mode an `ask` is a denial. */
  readonly askingModes?: readonly string[];
  /** Arguments that start it in another mode; they decide for a payload without a mode. */
  readonly modeFlags?: readonly string[];
  /** Options of its program. */
  readonly flags?: readonly string[];
  /** Standard input without a terminal is a sign of it, too. */
  readonly isByInput?: true;
  /** Options under which its standard input is a protocol, through which another program asks its user. */
  readonly protocols?: readonly string[];
}

/** How an agent is started, or set, so that its hooks do not run; self-protection watches these. */
interface Escapes {
  /** Options of its program. */
  readonly flags?: readonly string[];
  /** Arguments on its command line, at any position. */
  readonly words?: readonly string[];
  /** Variables that send it to other settings, or away from them. */
  readonly variables?: readonly string[];
  /** Settings beside the recipe's that can switch hooks off, as seen from the home folder or the project. */
  readonly files?: Partial<Readonly<Record<Scope, readonly string[]>>>;
  /** Files and folders from which an administrator's settings come for everybody on the machine. */
  readonly machine?: readonly string[];
}

/** Where an agent keeps which plugins it has, and which of them are on. */
interface PluginPlaces {
  /** The list of installed plugins with their folders, as seen from the home folder. */
  readonly registry: string;
  /** The key of its settings that switches plugins on and off. */
  readonly switches: string;
}

/** Sluice as a plugin of the agent: the agent's own installer copies it, so no settings file of the user has its lines. */
export interface OwnPlugin {
  /** The folder that its copies are in, as seen from the home folder. */
  readonly folder: string;
  /** The files by which the agent knows its plugins, as seen from the home folder. */
  readonly lists: readonly string[];
  /** The variable in the plugin's lines for its folder. */
  readonly variable: string;
  /** The commands with which its user switches it on and removes it. */
  readonly enables: string;
  readonly removes: string;
  /** The copy that is installed for this user or this project. `read` parses a JSON file, if it can. */
  readonly find: (
    read: (path: string) => unknown,
    place: { readonly home: string; readonly root: string },
  ) => { readonly folder: string; readonly isOn: boolean } | undefined;
}

/** A way in which an agent differs from its manual. */
interface Quirk {
  readonly behaviour: string;
  readonly answer: string;
  /** The recorded payload that shows it, where there is one. */
  readonly fixture?: string;
}

/** What was seen of an agent's patience (`tests/e2e/patience.mjs`). */
interface Waited {
  readonly version: string;
  /** Our own name of the event. */
  readonly event: EventName;
  readonly seconds: number;
  /** The outcome. */
  readonly came: string;
}

/** A run of the real program against a scripted model: its version, and the day as `YYYY-MM-DD`. */
export interface RealRun {
  readonly version: string;
  readonly date: string;
}

/** What this adapter rests on, as a phrase: a real run of the agent, or only the agent's documentation. */
export function provenBy({ proven }: Pick<Adapter, "proven">): string {
  return proven === undefined ? "from documentation" : `version ${proven.version} on ${proven.date}`;
}

/** Our translator for one agent. It uses neither the engine nor the disk nor the console. */
export interface Adapter {
  readonly id: string;
  readonly title: string;
  /** The keys under which its tools for files are given texts and paths, as recorded; undefined if no such call was recorded. */
  readonly fileKeys?: readonly string[];
  /** The agent's own page about hooks. */
  readonly docs: string;
  /** The version whose wire this adapter was written for. */
  readonly version: string;
  /** The last real run of this agent in which every proof held; `npm run e2e` writes it, and nothing else does. */
  readonly proven?: RealRun;
  /** The program that prints its version with `--version`; editors have none. */
  readonly program?: string;
  /** Whether this payload is from this agent. Called in the order of the table, for payloads that do not name an agent. */
  readonly recognises: (payload: Payload) => boolean;
  /** The agent's own name of the hook event; `undefined` if the payload does not contain one. */
  readonly hookEventOf: (payload: Payload) => string | undefined;
  /** The keys of a payload that name its hook event; a hook event that the command line states is written under the first. */
  readonly nameKeys?: readonly string[];
  readonly hookEvents: Readonly<Record<string, AgentHookEvent>>;
  /** Why a hook event that is not among them cannot be read; without this it is one that this version does not know, and passes. */
  readonly whyUnknown?: (name: string) => string;
  /** Seconds that the agent gives a hook, as `sluice install` writes them; the engine answers before they are over. */
  readonly seconds: number;
  /** How long real versions of the agent were seen to wait for a hook that never answers, with these seconds in their settings. */
  readonly waited?: readonly Waited[];
  /** Where this agent names the project it works on: variables of its hooks, then fields of its payload. */
  readonly projectVariables?: readonly string[];
  readonly projectOf?: (payload: Payload) => string | undefined;
  /** How to recognise a run without a person to ask, in which the agent would wait for an answer or skip the question. */
  readonly unattended?: Unattended;
  /** Its own permission rules for commands see what hooks have made of a call, not what the model asked for. */
  readonly judgesRewritten?: boolean;
  /** The key on the top level of an answer whose text the agent shows to its user, where it has one. */
  readonly messageKey?: string;
  /** Settings of other agents that it reads as well: installed for both, each hook would run twice. */
  readonly alsoReads?: readonly string[];
  /** How it writes its own history, where that is known; read only when it is asked for. */
  readonly transcripts?: () => Promise<{ readonly TRANSCRIPTS: TranscriptFormat }>;
  /** How its settings are written; absent when there is nothing to install. */
  readonly recipe?: Recipe;
  /** A shell call as this agent reports it before it runs: `sluice doctor` sends one through the agent's own settings. */
  readonly canary?: Canary;
  /** Plugins that bring hooks of their own. */
  readonly plugins?: PluginPlaces;
  readonly ownPlugin?: OwnPlugin;
  /** How it can be started or configured to run without its hooks. */
  readonly escapes?: Escapes;
  /** Variables that it sets for the commands that it runs. */
  readonly marks?: readonly string[];
  /** What no hook can enforce in this agent, in sentences. */
  readonly limits: readonly string[];
  readonly quirks: readonly Quirk[];
}
