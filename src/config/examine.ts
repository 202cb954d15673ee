import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { shellWord } from "../effects/parse/value.ts";
import { canonicalJson } from "../event/json.ts";
import type { WorkBudget } from "../event/work-budget.ts";
import { foldersAbove } from "../fs/resolve-path.ts";
import type { StateHome } from "../fs/state-dir.ts";
import type { Hook } from "../hook/hook.ts";
import { fromHome } from "../runners/working-directory.ts";
import { type Fingerprint, fingerprint, type Hash, hashOfAll } from "../trust/fingerprint.ts";
import {
  type Approval,
  approvalOf,
  changedFiles,
  lookUp,
  settingPrint,
  type TrustEntry,
  type TrustState,
  trustState,
} from "../trust/ledger.ts";
import { type ObservedDisk, observedDisk } from "../trust/observed-disk.ts";
import { type HookCode, type RunFiles, runFiles } from "../trust/run-files.ts";
import { isDenyOnly } from "./deny-only.ts";
import type { Loaded } from "./load.ts";
import { isOfProject } from "./locate.ts";
import type { Statement } from "./settings.ts";

/** One hook or block of settings that needs the user's approval, its bytes, and the user's answer. */
export interface ExaminedItem {
  readonly print: Fingerprint;
  /** The files of the fingerprint, as they were looked at for it. */
  readonly files: RunFiles["files"];
  readonly state: TrustState;
  /** What was approved under its key before. */
  readonly before: Approval | undefined;
  /** The hook; nothing for a block of settings. */
  readonly hook: Hook | undefined;
  readonly setting: Statement | undefined;
}

/** Everything in a project that needs an approval, one by one, with the user's answer. */
export interface Examined {
  readonly root: string;
  /** One hash over everything that needs an approval. */
  readonly hash: Hash;
  /** Whether hooks are left out, so that the hash is not over everything. */
  readonly isCut: boolean;
  readonly state: TrustState;
  readonly items: readonly ExaminedItem[];
  readonly entry: TrustEntry;
}

/**
 * Looks at everything of a project that needs an approval, and runs nothing. Hooks that a budget does not reach are left out,
 * and then there is no hash over everything.
 */
export function examine(
  loaded: Loaded,
  folder: string,
  where: StateHome = {},
  budget?: Pick<WorkBudget, "isSpent">,
): Examined {
  const root = resolve(folder);
  const entry = lookUp(root, where);
  // One look at the disk for all of them: what many hooks run is read once.
  const disk = observedDisk();
  const waiting = waitingHooks(loaded);
  const hooks = waiting.flatMap((hook) =>
    budget?.isSpent() ? [] : (examineHook(hook, loaded, root, entry, { disk, budget }) ?? []),
  );
  const isCut = hooks.length < waiting.length;
  const settings = loaded.lowering.map((setting): ExaminedItem => {
    const print = settingPrint(root, setting.setting, setting.value);
    return {
      print,
      files: [],
      state: trustState(entry, print),
      before: approvalOf(entry, print),
      hook: undefined,
      setting,
    };
  });
  const items = [...hooks, ...settings];
  const state = entry.record?.said === "denied" ? "denied" : worst(items.map((item) => item.state));
  return { root, hash: hashOfAll(items.map(({ print }) => print)), isCut, state, items, entry };
}

/** What a look at a hook may use: the disk as others have seen it, and the work that is left. */
interface LookOptions {
  readonly disk?: ObservedDisk | undefined;
  readonly budget?: Pick<WorkBudget, "isSpent"> | undefined;
}

/** Looks at one hook of a project; undefined if that takes more work than is left. */
export function examineHook(
  hook: Hook,
  loaded: Loaded,
  root: string,
  entry: TrustEntry,
  look: LookOptions = {},
): ExaminedItem | undefined {
  const known = knownHook(hook, root, [root], look);
  if (known.files.isStopped) return undefined;
  const { files } = known.files;
  known.print ??= fingerprint(
    root,
    { kind: "hook", key: keyOf(hook, loaded, root), written: definitionOf(hook) },
    known.files,
  );
  const { print } = known;
  const state = trustState(entry, print);
  const before = approvedAs(hook, loaded, root, entry);
  const isRenamed = state === "untrusted" && before !== undefined;
  return { print, state: isRenamed ? "modified" : state, files, before, hook, setting: undefined };
}

/** Whether no approval can be about a hook, whatever files it runs: its definition is none that was ever approved. */
export function isStrange(hook: Hook, loaded: Loaded, root: string, entry: TrustEntry): boolean {
  const { record } = entry;
  if (record?.said !== "trusted") return true;
  if (approvedAs(hook, loaded, root, entry) !== undefined) return false;
  const known = WRITTEN.get(record.approvals) ?? new Set(record.approvals.map(({ written }) => canonicalJson(written)));
  WRITTEN.set(record.approvals, known);
  return !known.has(canonicalJson(definitionOf(hook)));
}

const WRITTEN = new WeakMap<readonly Approval[], ReadonlySet<string>>();

/**
 * What was approved of a hook before: under its own key, or under another one that no hook of the project has any more,
 * where that hook matched the same events or did the same. A gate does not open because its hook got another name.
 */
export function approvedAs(hook: Hook, loaded: Loaded, root: string, entry: TrustEntry): Approval | undefined {
  const own = approvalOf(entry, { kind: "hook", key: keyOf(hook, loaded, root) });
  const { record } = entry;
  if (own !== undefined || record?.said !== "trusted") return own;
  const gone = goneHooks(record.approvals, loaded, root);
  if (gone.byAct.size === 0) return undefined;
  const [act, target] = partsOf(definitionOf(hook));
  return gone.byAct.get(act) ?? gone.byTarget.get(target);
}

interface GoneHooks {
  readonly approvals: readonly Approval[];
  readonly byAct: ReadonlyMap<string, Approval>;
  readonly byTarget: ReadonlyMap<string, Approval>;
}

/** Approved hooks whose keys no hook of the project has, by what they did and by what they matched; the first of each. */
function goneHooks(approvals: readonly Approval[], { hooks }: Loaded, root: string): GoneHooks {
  const known = GONE.get(hooks);
  if (known?.approvals === approvals) return known;
  const keys = new Set(keysOf(hooks, root).values());
  const gone = approvals.filter(({ kind, key }) => kind === "hook" && !keys.has(key)).toReversed();
  const parts = gone.map((approval) => [approval, ...partsOf(approval.written)] as const);
  const fresh: GoneHooks = {
    approvals,
    byAct: new Map(parts.map(([approval, act]) => [act, approval])),
    byTarget: new Map(parts.map(([approval, , target]) => [target, approval])),
  };
  GONE.set(hooks, fresh);
  return fresh;
}

const GONE = new WeakMap<readonly Hook[], GoneHooks>();

/** What a hook does, and which calls it matches, each as text to compare. */
function partsOf(written: unknown): readonly [act: string, target: string] {
  const { name: _, description: __, event, matcher, ...act } = Object(written) as Record<string, unknown>;
  return [canonicalJson(act), canonicalJson({ event, matcher })];
}

/** The state of a project is that of its least approved hook. */
export function worst(states: readonly TrustState[]): TrustState {
  return (["denied", "modified", "untrusted"] as const).find((state) => states.includes(state)) ?? "trusted";
}

/** A short description of each part of a hook that is not as it was approved. */
export function changesIn(before: Approval, print: Fingerprint, root: string): string[] {
  const isRewritten = canonicalJson(before.written) !== canonicalJson(print.written);
  const files = changedFiles(before, print).map(({ path, script }) => {
    const file = relative(root, path);
    return script === undefined ? file : `"${script}" in ${file}`;
  });
  const isRenamed = before.kind === "hook" && before.key !== print.key;
  const all = [...(isRenamed ? ["its name"] : isRewritten ? ["its definition"] : []), ...files];
  const more = all.length - MAX_CHANGES;
  return more > 0 ? [...all.slice(0, MAX_CHANGES), `${more} more`] : all;
}

const MAX_CHANGES = 3;

/** The hooks of a project that need its user's approval. */
export function waitingHooks({ hooks }: Loaded): Hook[] {
  return waitingAmong(hooks.filter(({ layer }) => isOfProject(layer)));
}

/** Those of them that do more than deny and ask. */
export function waitingAmong(hooks: readonly Hook[]): Hook[] {
  return hooks.filter((hook) => {
    const known = WAITING.get(hook);
    if (known !== undefined) return known;
    const isWaiting = !isDenyOnly(hook);
    WAITING.set(hook, isWaiting);
    return isWaiting;
  });
}

/** What a hook does never changes. */
const WAITING = new WeakMap<Hook, boolean>();

/** A hook as it is written; whether it is enabled is not a part of what it does. */
export function definitionOf(hook: Hook): object {
  const { enabled: _, ...written } = hook.toJSON();
  return written;
}

/**
 * What distinguishes a hook from the others of its project, also after a change: its name, or if it does not have one, its
 * place among the hooks of its file that match the same events.
 */
function keyOf(hook: Hook, { hooks }: Loaded, root: string): string {
  return keysOf(hooks, root).get(hook) ?? hook.name;
}

function keysOf(hooks: readonly Hook[], root: string): ReadonlyMap<Hook, string> {
  const known = KEYS.get(hooks) ?? new Map<Hook, string>();
  KEYS.set(hooks, known);
  if (known.size === 0) {
    const counts = new Map<string, number>();
    for (const one of hooks.filter(({ layer }) => isOfProject(layer))) {
      const file = relative(root, one.origin?.place.file ?? root);
      const name = one.isNamed ? one.name : `${one.eventPattern} in ${file}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      known.set(one, count === 1 ? name : `${name} (${count})`);
    }
  }
  return known;
}

const KEYS = new WeakMap<readonly Hook[], Map<Hook, string>>();

/** The result for a hook, valid as long as the files on disk are the same. */
interface KnownHook {
  readonly place: string;
  readonly disk: ObservedDisk;
  readonly files: RunFiles;
  print?: Fingerprint;
}

const KNOWN = new WeakMap<Hook, KnownHook[]>();
/** The project's folder, and one working directory of an agent. */
const MAX_PLACES = 2;

/** The files that a hook runs if it starts in these folders; looked up again only if one of them has changed. */
export function filesRunBy(
  hook: Hook,
  root: string,
  folders: readonly string[] = [root],
  budget?: LookOptions["budget"],
): RunFiles {
  return hook.parts.some(runsFiles) ? knownHook(hook, root, folders, { budget }).files : NO_FILES;
}

function knownHook(
  hook: Hook,
  root: string,
  folders: readonly string[],
  { disk = observedDisk(), budget }: LookOptions,
): KnownHook {
  const place = [root, ...folders].join("\0");
  const all = KNOWN.get(hook) ?? [];
  const last = all.find((known) => known.place === place);
  if (last?.disk.isSame()) return last;
  const acts = hook.parts.filter(runsFiles).map((part) => hookCode(part, root, folders));
  const fresh: KnownHook = { place, disk, files: runFiles(acts, root, disk, budget) };
  if (fresh.files.isStopped) return fresh;
  KNOWN.set(hook, [fresh, ...all.filter((known) => known !== last)].slice(0, MAX_PLACES));
  return fresh;
}

const NO_FILES: RunFiles = { files: [], isCut: false, isStopped: false };

/** Whether a hook runs or loads files of the disk. */
function runsFiles({ type }: Hook): boolean {
  return type === "command" || type === "plugin";
}

/** What a single hook (not a combination) runs or loads if it starts in one of these folders. */
function hookCode(part: Hook, root: string, workingDirs: readonly string[]): HookCode {
  const { command, args, shell, script, module, env = {}, workingDir = "", origin } = part;
  const home = dirname(origin?.place.file ?? join(root, "."));
  const folders = workingDirs.map((folder) => resolve(folder, fromHome(workingDir)));
  const around = [...new Set([...folders, ...workingDirs, home, dirname(home)])];
  const given = Object.entries(env)
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
    .join("");
  return {
    files: [
      ...(script === undefined ? [] : around.map((folder) => resolve(folder, fromHome(script)))),
      ...(module === undefined ? [] : modulePaths(module, [...around, root])),
    ],
    texts: [command, shell, asLine(args), asLine(script === undefined ? undefined : ["sh", fromHome(script)])]
      .filter((text) => text !== undefined)
      .map((text) => given + text),
    folders,
  };
}

/** Arguments as a shell would read them back. */
function asLine(args: readonly string[] | undefined): string | undefined {
  return args?.map(shellWord).join(" ");
}

/** Where a module may lie: a file, or a package in a `node_modules` above. */
function modulePaths(module: string, folders: readonly string[]): string[] {
  const files = folders.map((folder) => resolve(folder, fromHome(module.replace(/^file:(?:\/\/)?/, ""))));
  const ended = files.flatMap((file) => MODULE_ENDINGS.map((ending) => file + ending));
  if (isAbsolute(module) || /^(?:\.|file:|~)/.test(module)) return ended;
  const [scope = "", name = ""] = module.split("/");
  const packageName = scope.startsWith("@") ? `${scope}/${name}` : scope;
  const homes = [...new Set(folders.flatMap((folder) => [folder, ...foldersAbove(folder)]))].map((folder) =>
    join(folder, "node_modules", packageName),
  );
  return [...ended, ...homes.flatMap((home) => PACKAGE_FILES.map((file) => join(home, file)))];
}

const MODULE_ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", "/index.js", "/index.ts", "/package.json"];
const PACKAGE_FILES = ["package.json", "index.js", "index.mjs", "index.cjs", "dist/index.js", "dist/index.mjs"];
