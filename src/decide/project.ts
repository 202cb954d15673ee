import { isAbsolute, join } from "node:path";
import type { Native } from "../adapters/read-call.ts";
import { examine } from "../config/examine.ts";
import type { Loaded } from "../config/load-layers.ts";
import { isOfProject } from "../config/locate.ts";
import { BUNDLE_LOSSES } from "../config/managed-bundle.ts";
import { configuredRoot, enclosingRepository, repositoryOf } from "../config/root.ts";
import { type Trusted, type TrustOptions, underTrust, type Vouching, vouchingFor } from "../config/trusted.ts";
import type { History } from "../engine/history.ts";
import { EVENT_NAMES, eventSpec } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { oncePerObject } from "../event/once.ts";
import type { WorkBudget } from "../event/work-budget.ts";
import { stateDir } from "../fs/state-dir.ts";
import { Hook, type Layer } from "../hook/hook.ts";
import type { GuardPolicy } from "../policies/guards/policy.ts";
import { withGuards } from "../policies/guards/with-guards.ts";
import type { Problem } from "../problem/problem.ts";
import { visible } from "../problem/visible-text.ts";
import { HookRegistry } from "../registry/registry.ts";
import { asksAboutRecent, eventsOfTeam } from "../rule/recent.ts";
import { traceFolder } from "../trace/change/trace-paths.ts";
import { isSettingApproved } from "../trust/ledger.ts";

/** The variables of the process that asks for a decision. */
export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** A project and its configuration, with only those hooks left that may run. */
export interface Configuration extends Trusted {
  readonly root: string;
  /** The resulting guards, if files contain more than a preset. */
  readonly guardPolicy?: GuardPolicy | undefined;
  /** All hooks as they are written, with those that may not run. */
  readonly written: readonly Hook[];
  /** Whether the project is known to keep no trace; left out where nothing has looked for one. */
  readonly isTraceMissing?: boolean | undefined;
}

/** The configuration of a project and its user, with the guards that it turns on, before trust is checked. */
export interface Layers extends Loaded {
  /** The resulting guards, if files contain more than a preset. */
  readonly guardPolicy?: GuardPolicy | undefined;
  /** Whether the project keeps no trace; the layers are read again when one appears. Left out where nothing has looked. */
  readonly isTraceMissing?: boolean;
}

/** How a configuration is read. */
export interface ConfigurationQuery {
  readonly env: ProcessEnvironment;
  /** Where the event happens, when that is not the project's folder. */
  readonly cwd?: string | undefined;
  /** The one event that hooks are wanted for. */
  readonly event?: HookEvent | undefined;
  /** The trust hash that the command line states. */
  readonly trustHash?: string | undefined;
  /** Reads the layers, or knows them from before. */
  readonly layers: (root: string) => Layers;
  /** What is left of the work that the call may cost. */
  readonly budget?: WorkBudget | undefined;
}

/**
 * The project whose hooks apply to a call: the one that the agent names, then that of the call's folder: the first with
 * hooks of its own, else the first repository. Only a call that names no project is one of the folder in which Sluice
 * was started.
 */
export function projectOf(
  { adapter, payload }: Native,
  event: Pick<HookEvent, "cwd">,
  from: { readonly cwd: string; readonly env: ProcessEnvironment },
): string {
  const folders: string[] = [];
  for (const name of adapter.projectVariables ?? []) add(folders, from.env[name]);
  add(folders, adapter.projectOf?.(payload));
  add(folders, event.cwd);
  const seen = new Map<string, readonly string[]>();
  for (const folder of folders) {
    const root = configuredRoot(folder, seen);
    if (root !== undefined) return root;
  }
  for (const folder of folders) {
    const root = enclosingRepository(folder, seen);
    if (root !== undefined) return root;
  }
  return configuredRoot(from.cwd, seen) ?? repositoryOf(folders[0] ?? from.cwd, seen);
}

function add(folders: string[], path: string | undefined): void {
  if (path !== undefined && isAbsolute(path) && !folders.includes(path)) folders.push(path);
}

/** Reads the configuration of a project; only what may run is left in it. */
export function configurationAt(root: string, { env, cwd, event, ...given }: ConfigurationQuery): Configuration {
  const layers = given.layers(root);
  const vouched = vouchingFor(given.trustHash, env);
  const known = UNQUESTIONED.get(layers);
  if (known?.root === root) return known;
  const configuration = trustedConfiguration(layers, root, { env, ...vouched, cwd, event, budget: given.budget });
  // Where no hook and no setting is the project's own, nothing ever waits for an approval.
  const isQuestioned = layers.lowering.length > 0 || layers.hooks.some((hook) => isOfProject(hook.layer));
  if (!isQuestioned) UNQUESTIONED.set(layers, configuration);
  return configuration;
}

/** The layers of a project as they are written, whether their hooks may run or not: no file that a hook runs is looked at. */
export function writtenLayers(root: string, { env, ...given }: ConfigurationQuery): Layers {
  const layers = given.layers(root);
  const { vouching } = vouchingFor(given.trustHash, env);
  return layers.lowering.length === 0 ? layers : withApprovedGuards(layers, root, { env, vouching });
}

const UNQUESTIONED = new WeakMap<Layers, Configuration>();

/** Takes out of layers what the user has not approved. */
export function trustedConfiguration(
  layers: Layers,
  root: string,
  trust: Pick<ConfigurationQuery, "cwd" | "event" | "budget"> &
    Pick<TrustOptions, "refused"> & { readonly env: ProcessEnvironment; readonly vouching: Vouching },
): Configuration {
  const approved = layers.lowering.length === 0 ? layers : withApprovedGuards(layers, root, trust);
  const trusted = underTrust(approved, root, trust);
  const gates = layers.errors.length === 0 ? [] : [...gatesOfUnreadable(layers), ...layers.shut];
  const hooks = gates.length === 0 ? trusted.hooks : [...gates, ...trusted.hooks];
  return { ...trusted, hooks, root, written: approved.hooks, isTraceMissing: layers.isTraceMissing };
}

/** The layers with the guards as the project lowers them, where the user has approved exactly that. */
function withApprovedGuards(
  layers: Layers,
  root: string,
  { env, vouching }: { readonly env: ProcessEnvironment; readonly vouching: Vouching },
): Layers {
  const isVouched = vouching === "all" || (vouching !== "ledger" && vouching === examine(layers, root, { env }).hash);
  const approved = layers.lowering.filter(
    ({ setting, value }) => isVouched || isSettingApproved(root, setting, value, { env }),
  );
  const known = LOWERED.get(layers);
  if (
    known !== undefined &&
    known.approved.length === approved.length &&
    approved.every((one) => known.approved.includes(one))
  )
    return known.layers;
  const lowered =
    approved.length === 0 ? layers : withGuards(layers, (statement) => approved.some((one) => one === statement));
  LOWERED.set(layers, { approved, layers: lowered });
  return lowered;
}

/** A daemon is asked about the same layers again and again. */
const LOWERED = new WeakMap<Layers, { readonly approved: readonly unknown[]; readonly layers: Layers }>();

/** What the user has to know: guards that are missing, and hooks that wait for an approval. */
export function noticesOf({ notices, trust }: Configuration): readonly string[] {
  if (notices.length === 0 && trust.state === "none") return [];
  const problem = trust.problem === undefined ? [] : [visible(trust.problem.format())];
  return [...new Set([...problem, ...notices])];
}

/** Files that change a decision when they appear, and are not files of a layer. */
export function signsIn(root: string): readonly string[] {
  return [traceFolder(root)];
}

/** What follows from a list of hooks alone. */
interface PreparedHooks {
  /** The `async` hooks, which decide nothing and run in the background. */
  readonly background: readonly Hook[];
  /** All others, indexed by event. */
  readonly registry: HookRegistry;
  /** Whether one of the others asks about earlier events. */
  readonly asksAboutPast: boolean;
  /** Whether all are rules, which start nothing. */
  readonly areRules: boolean;
}

/** Indexes hooks; a daemon is asked about the same list again and again, so the index stays with the list. */
export const preparedHooks = oncePerObject((hooks: readonly Hook[]): PreparedHooks => {
  const deciding = hooks.filter((hook) => !hook.async);
  const registry = new HookRegistry();
  registry.loadHooks(deciding);
  const found: PreparedHooks = {
    background: hooks.filter((hook) => hook.async),
    registry,
    asksAboutPast: deciding.some(asksAboutRecent),
    areRules: hooks.every(({ type, combination }) => type === "inline" && combination === undefined),
  };
  return found;
});

/** A history that outlives this process, where a rule asks about earlier events; none is written otherwise. */
export async function historyFor(hooks: readonly Hook[], env: ProcessEnvironment): Promise<History | undefined> {
  return hooks.some(asksAboutRecent) ? fileHistory(hooks, env) : undefined;
}

/** Such a history. */
export async function fileHistory(hooks: readonly Hook[], env: ProcessEnvironment): Promise<History> {
  const { FileHistory } = await import("../engine/file-history.ts");
  return new FileHistory(join(stateDir({ env }), "sessions"), hooks.flatMap(eventsOfTeam));
}

/**
 * Where a file of the user's own configuration, or of the machine's, is there and cannot be read at all, it is not known
 * what it would have denied: a hook in its place asks about every call that could be stopped.
 */
export function gatesOfUnreadable({ errors, files }: Pick<Loaded, "errors" | "files">): Hook[] {
  return errors.flatMap((problem) => {
    if (BUNDLE_LOSSES.has(problem.code)) return [gateOf(problem, "managed", "deny", problem.message)];
    if (problem.code === "config/being-written")
      return [gateOf(problem, "user", "deny", `${problem.place?.file ?? ""}: ${problem.message}`)];
    const found = files.find(({ path }) => path === problem.place?.file);
    if (!UNREADABLE.has(problem.code) || problem.place === undefined) return [];
    if (found?.layer !== "user" && found?.layer !== "managed") return [];
    const reason = `${problem.place.file} cannot be read, so the answers of its hooks are unknown.`;
    return [gateOf(problem, found.layer, "ask", reason)];
  });
}

/** A hook in the place of hooks that are lost. */
function gateOf({ place, fix = "" }: Problem, layer: Layer, action: "ask" | "deny", why: string): Hook {
  const gates = EVENT_NAMES.filter((name) => eventSpec(name).gate && !eventSpec(name).keepsWorking);
  const reason = `${why} ${fix}`.trim();
  const rules = `event in ${JSON.stringify(gates)} -> ${action}(${JSON.stringify(reason)})`;
  const origin = { place: place ?? { file: "" }, layer, index: 0 };
  const name = layer === "managed" && action === "deny" ? "managed-bundle" : "unreadable-configuration";
  return Hook.fromJSON({ name, event: "*", rules }, origin, { isChecked: true });
}

const UNREADABLE: ReadonlySet<string> = new Set([
  "config/unreadable",
  "config/too-large",
  "config/too-much",
  "config/too-many-parts",
  "config/too-many-problems",
  "config/takes-too-long",
]);
