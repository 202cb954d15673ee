import { waitingHooks } from "../config/examine.ts";
import type { FoundFile } from "../config/layer-files.ts";
import { skippedProblem, type Vouching } from "../config/trusted.ts";
import type { DecideContext, Decided } from "../decide/context.ts";
import { decide } from "../decide/decide.ts";
import { readLayers } from "../decide/layers.ts";
import { type Configuration, type Layers, trustedConfiguration } from "../decide/project.ts";
import type { Decision } from "../decision/decision.ts";
import type { HookResult } from "../decision/result.ts";
import { type ExecuteOptions, type ExecutorOptions, HookExecutor } from "../engine/executor.ts";
import { SessionHistory } from "../engine/history.ts";
import type { Alias, EventName } from "../event/catalogue.ts";
import { milliseconds } from "../event/clock.ts";
import type { HookEvent } from "../event/event.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { type FileStamp, isUnchanged } from "../fs/stat-cache.ts";
import { Hook } from "../hook/hook.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Problem, problems, warn } from "../problem/problem.ts";
import { HookRegistry } from "../registry/registry.ts";
import { readHookRules } from "../rule/hook-rules.ts";
import { inWords, type Session, sessionEvent, sessionIdOf } from "./session.ts";
import { type HookStats, Statistics } from "./statistics.ts";

/** The hooks a manager begins with; `load` adds those of the configuration files. */
export interface HooksConfig {
  /** Hooks, or what a configuration file would say. */
  readonly hooks: readonly (Hook | object)[];
}

/** The hooks of a manager at present: one that is pushed applies at once, another list replaces the preset ones. */
interface StandingHooks {
  get hooks(): Hook[];
  set hooks(hooks: HooksConfig["hooks"]);
}

/** Where a manager finds its hooks. */
export interface HooksManagerOptions {
  /** The project; the current folder when left out. */
  readonly root?: string;
  /**
   * Who answers for the project's hooks: what the user approved with `sluice trust` (`ledger`, when left out), this
   * program (`all`), or this program for exactly these bytes (`sha256:…`, as `sluice trust --status` prints it).
   */
  readonly trust?: Vouching;
}

/** How a manager takes one event through its hooks. */
export interface EmitOptions extends ExecuteOptions, Pick<DecideContext, "failure" | "memoryPatterns" | "denials"> {
  /** Whether a person can be asked; where none can, intents deny what needs an approval. */
  readonly canAsk?: boolean;
}

/** Hooks for programs that live in sessions: loads them, fires events at them, counts what they do. */
export class HooksManager {
  readonly root: string;
  readonly #vouching: Vouching;
  readonly #registry = new HookRegistry();
  readonly #statistics = new Statistics();
  readonly #history = new SessionHistory();
  /** What was switched by name, so that loading again does not undo it. */
  readonly #switched = new Map<string, boolean>();
  #executor: HookExecutor;
  #preset: readonly Hook[] = [];
  #loaded: readonly Hook[] = [];
  /** Those before the present one; their `async` hooks may still run. */
  #retired: readonly HookExecutor[] = [];
  #layers: Layers | undefined;
  #files: ChangedFiles | undefined;
  /** The configuration as trust leaves it; nothing before it was read. */
  #project: Configuration | undefined;
  /** The hooks that run only as long as what they run is approved. */
  #waiting: readonly Hook[] = [];
  #skipped: ReadonlySet<Hook> = new Set();
  /** Whether the program was told that its decisions are not recorded. */
  #isLossTold = false;

  constructor({ root = process.cwd(), trust = "ledger" }: HooksManagerOptions = {}) {
    this.root = root;
    this.#vouching = trust;
    this.#executor = this.#executorWith({});
  }

  /** Every hook there is, preset and loaded. Setting it replaces the preset ones and leaves the loaded ones. */
  get hooksConfig(): StandingHooks {
    const list = growingList(this.#registry.hooks, (given) => this.#add(given));
    const replace = (hooks: HooksConfig["hooks"]) => {
      this.hooksConfig = { hooks };
    };
    return {
      get hooks() {
        return list;
      },
      set hooks(hooks) {
        replace(hooks);
      },
    };
  }

  set hooksConfig(config: HooksConfig) {
    const { hooks } = Object(config) as HooksConfig;
    if (!Array.isArray(hooks)) throw PROBLEMS.noHooks({ got: inWords(hooks) });
    this.#preset = hooks.map(ownHook).filter((hook) => !this.#loaded.includes(hook));
    this.#fill();
  }

  /**
   * Reads the configuration of `root` and adds it to what was preset; says aloud what it could not read, and which hooks
   * of the project do not run because the user has not approved them.
   */
  load(): void {
    this.#layers = readLayers(this.root);
    const { errors, files } = this.#layers;
    this.#files = new ChangedFiles(files);
    const allowed = this.#allow();
    for (const problem of [...errors, ...allowed.hooks.flatMap(unreadableRules)]) warn(problem);
    this.#use(allowed);
  }

  /** Refuses a session that cannot carry events. Hooks reach every session, registered or not. */
  async registerWithSession(session: Session): Promise<void> {
    sessionIdOf(session);
  }

  /** Fires an event and returns what each hook gave; of a call that a person allowed once, no result is a denial. */
  async emit(
    session: Session,
    event: EventName | Alias,
    data: object = {},
    options?: EmitOptions,
  ): Promise<HookResult[]> {
    const { results, action, event: happened } = await this.decide(session, event, data, options);
    return happened.isGate && action === "continue" ? results.map(permitted) : [...results];
  }

  /** Fires an event and adds up what the hooks say, with all that the project's configuration adds to every decision. */
  async decide(
    session: Session,
    event: EventName | Alias,
    data: object = {},
    { canAsk = false, ...options }: EmitOptions = {},
  ): Promise<Decision> {
    const happened = sessionEvent(session, event, data, this.root);
    for (const file of this.#files?.since() ?? []) this.#tellChange(file);
    this.#check(happened);
    const decided = await decide(happened, {
      ...options,
      executor: this.#executor,
      root: this.root,
      env: process.env,
      project: this.#project,
      // A program that answers for its project is not compared with what agents' calls were judged by.
      hasInventory: this.#vouching !== "all",
      canAsk,
      journal: { began: milliseconds() },
    });
    this.#tellLosses(decided);
    return decided.decision;
  }

  /** What was loaded applies until the program loads again; the user is told, and what is wrong with the file. */
  #tellChange(file: string): void {
    const broken = readLayers(this.root).errors.filter(({ place }) => place?.file === file);
    for (const problem of [PROBLEMS.changed({ file }), ...broken]) warn(problem);
  }

  /** A record that is lost is said aloud, because hosts seldom look at what comes with a decision. */
  #tellLosses({ decision, record }: Decided): void {
    for (const { hook, failure } of decision.results)
      if (hook.layer === "managed" && hook.name === "trace" && failure?.why === "exception")
        warn(PROBLEMS.notTraced({ why: failure.message }));
    if (record === undefined || !("lost" in record) || this.#isLossTold) return;
    this.#isLossTold = true;
    warn(PROBLEMS.notRecorded({ why: record.lost.format() }));
  }

  /** What takes events through the hooks as they stand; loading makes a new one. */
  get executor(): HookExecutor {
    return this.#executor;
  }

  /** What every hook has done so far, by its name. */
  getStats(): Record<string, HookStats> {
    return this.#statistics.all(this.#registry.hooks.map(({ name }) => name));
  }

  /** Acts at once, and outlives `load`. */
  enableHook(name: string): void {
    this.#switch(name, true);
  }

  /** Acts at once: the next event does not reach the hook any more. */
  disableHook(name: string): void {
    this.#switch(name, false);
  }

  /** Waits for the `async` hooks that are still running. */
  async close(): Promise<void> {
    await Promise.all([...this.#retired, this.#executor].map((executor) => executor.idle()));
    this.#retired = [];
  }

  /** A session is long: what was approved when it began may be other bytes by now, or another file in another folder. */
  #check(event: HookEvent): void {
    if (!this.#waiting.some((hook) => hook.enabled && hook.matches(event))) return;
    const allowed = this.#allow(event.cwd);
    const { skipped } = allowed.trust;
    const isSame = skipped.length === this.#skipped.size && skipped.every(({ hook }) => this.#skipped.has(hook));
    if (!isSame) this.#use(allowed);
  }

  #allow(cwd?: string): Configuration {
    this.#layers ??= readLayers(this.root);
    return trustedConfiguration(this.#layers, this.root, { env: process.env, vouching: this.#vouching, cwd });
  }

  #use(allowed: Configuration): void {
    const { hooks, notices, settings, trust } = allowed;
    for (const problem of [trust.problem, skippedProblem(trust)]) if (problem !== undefined) warn(problem);
    this.#skipped = new Set(trust.skipped.map(({ hook }) => hook));
    this.#waiting = this.#vouching === "all" || this.#layers === undefined ? [] : waitingHooks(this.#layers);
    this.#loaded = hooks;
    this.#project = allowed;
    this.#retired = [...this.#retired, this.#executor].filter((executor) => executor.isBusy);
    this.#executor = this.#executorWith({ notices, llm: settings.llm });
    this.#fill();
  }

  #switch(name: string, enabled: boolean): void {
    const hooks = this.#registry.hooks.filter((hook) => hook.name === name);
    if (hooks.length === 0) throw PROBLEMS.unknownHook({ name, known: this.#registry.hooks.map((hook) => hook.name) });
    this.#switched.set(name, enabled);
    for (const hook of hooks) hook.enabled = enabled;
  }

  #add(given: Hook | object): Hook {
    const hook = ownHook(given);
    this.#preset = [...this.#preset, hook];
    this.#fill();
    return hook;
  }

  #fill(): void {
    const hooks = [...this.#preset, ...this.#loaded];
    for (const hook of hooks) hook.enabled = this.#switched.get(hook.name) ?? hook.enabled;
    this.#registry.clear();
    this.#registry.loadHooks(hooks);
  }

  #executorWith(said: Pick<ExecutorOptions, "notices" | "llm">): HookExecutor {
    const trace = { result: (_: unknown, result: HookResult) => this.#statistics.add(result) };
    const mine = { registry: this.#registry, workingDir: this.root, trace, history: this.#history };
    return new HookExecutor({ ...said, ...mine });
  }
}

function permitted(result: HookResult): HookResult {
  if (result.action !== "deny" && result.action !== "ask") return result;
  return { ...result, action: "continue", shouldContinue: true, wouldBe: result.action };
}

/** Templates are frozen and shared; a manager switches its own copy. */
function ownHook(hook: Hook | object): Hook {
  if (!(hook instanceof Hook)) return Hook.fromJSON(hook);
  return Object.isFrozen(hook) ? Hook.fromJSON(hook.toJSON()) : hook;
}

const PROBLEMS = problems("host", {
  changed: ({ file }: { file: string }) => ({
    what: `${file} has changed since it was loaded. Its old hooks still apply.`,
    fix: "Call load() for the hooks as they are now; `sluice check` says whether the file can be read.",
  }),
  noHooks: ({ got }: { got: string }) => ({
    what: `\`hooks\` of hooksConfig is ${got}; it has to be a list of hooks.`,
    fix: 'Set hooksConfig = { hooks: [{ event: "stop", command: "npm test" }] }, for example.',
  }),
  notTraced: ({ why }: { why: string }) => ({
    what: why,
    fix: "`sluice doctor` looks at the trace; `trace: required` denies what cannot be recorded.",
  }),
  notRecorded: ({ why }: { why: string }) => ({
    what: `Decisions are not in the journal: ${why.trim()}`,
    fix: "The decisions themselves hold; `sluice doctor` looks at the journal.",
  }),
  unknownHook: ({ name, known }: { name: string; known: readonly string[] }) => ({
    what: `There is no hook named "${name}".`,
    fix: known.length === 0 ? "No hooks are loaded; call load() first." : nearby(name, known),
  }),
  onlyGrows: () => ({
    what: "Hooks of `hooksConfig.hooks` can be added there, and neither removed nor replaced.",
    fix: "Set `hooksConfig = { hooks: [ … ] }` for other preset hooks; `disableHook(name)` switches one off.",
  }),
});

/** Rules that cannot be read cost a guard; the program is told when it loads them. */
function unreadableRules(hook: Hook): Problem[] {
  const found = hook.parts.filter(({ type }) => type === "inline").flatMap((part) => readHookRules(part).problems);
  const place = hook.origin?.place;
  return found.map((problem) => (place ? problem.at(place) : problem));
}

function nearby(name: string, known: readonly string[]): string {
  return `${didYouMean(name, known)} There are: ${known.join(", ")}.`.trim();
}

/** Tells of every file of a configuration once for each change since it was read. */
class ChangedFiles {
  readonly #stamps = new Map<string, FileStamp>();

  constructor(files: readonly FoundFile[]) {
    for (const { path } of files) this.#stamps.set(path, statsAt(path));
  }

  /** The files that changed or went away since they were last looked at. */
  since(): string[] {
    const changed: string[] = [];
    for (const [path, before] of this.#stamps) {
      const now = statsAt(path);
      if (isUnchanged(before, now)) continue;
      this.#stamps.set(path, now);
      changed.push(path);
    }
    return changed;
  }
}

/** A list that a program can push to: `add` gets each item first, and returns what is kept. Nothing can be removed. */
function growingList<Item>(items: Item[], add: (given: Item) => Item): Item[] {
  return new Proxy(items, {
    set(list, key, given) {
      if (key === String(list.length)) list.push(add(given));
      else if (key !== "length" || given !== list.length) throw PROBLEMS.onlyGrows(undefined);
      return true;
    },
    deleteProperty() {
      throw PROBLEMS.onlyGrows(undefined);
    },
  });
}
