import { join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { eventsDerivedFrom } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import { canonicalJson } from "../event/json.ts";
import { WorkBudget } from "../event/work-budget.ts";
import { realPath } from "../fs/resolve-path.ts";
import { type FileStamp, isSettled, isUnchanged } from "../fs/stat-cache.ts";
import { type StateHome, stateDir } from "../fs/state-dir.ts";
import { Hook } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { Hash } from "../trust/fingerprint.ts";
import { type Approval, ledgerStamp, lookUp, type TrustState } from "../trust/ledger.ts";
import { pinParts } from "../trust/pin.ts";
import type { RunFiles } from "../trust/run-files.ts";
import { denyOnly } from "./deny-only.ts";
import {
  approvedAs,
  changesIn,
  definitionOf,
  type ExaminedItem,
  examine,
  examineHook,
  filesRunBy,
  isStrange,
  waitingAmong,
  waitingHooks,
  worst,
} from "./examine.ts";
import type { Loaded } from "./load.ts";
import { isOfProject } from "./locate.ts";
import { askAtGates, plainName } from "./shut-gate.ts";

/** Who answers for a project: the user's own approvals, the caller for everything, or the caller for these bytes. */
export type Vouching = "ledger" | "all" | Hash;

/** How trust is looked up. */
export interface TrustOptions extends StateHome {
  readonly vouching?: Vouching | undefined;
  /** Why a hash in the environment is ignored. */
  readonly refused?: Problem | undefined;
  /** Where the event happens, when that is not the project's folder. */
  readonly cwd?: string | undefined;
  /** The one event that hooks are wanted for: those that never match it need no approval now. */
  readonly event?: HookEvent | undefined;
  /** What is left of the work that the call may cost; as much as a command may take when left out. */
  readonly budget?: Pick<WorkBudget, "isSpent"> | undefined;
}

/** A hook that does not run, or runs with its denials alone. */
interface Skipped {
  readonly hook: Hook;
  readonly why: string;
  /** Whether its denials and questions still hold. */
  readonly stillDenies: boolean;
  /** Asks about every call that the hook would have matched when it was approved; undefined if it could not stop any. */
  readonly instead?: Hook | undefined;
}

/** The state of a project's approvals, and the hooks that are skipped for it. */
export interface Trust {
  /** `none`: nothing here waits for an approval. `vouched`: the caller answers for it. */
  readonly state: TrustState | "none" | "vouched";
  /** One hash over everything of the project that needs an approval; undefined if only the hooks of one event were looked at. */
  readonly hash: Hash | undefined;
  readonly skipped: readonly Skipped[];
  /** Why approvals could not be used, or a hash was ignored. */
  readonly problem: Problem | undefined;
}

/** A configuration of which everything may run that is left in it. */
export interface Trusted extends Loaded {
  readonly trust: Trust;
}

/** Takes out of a configuration what the user has not approved, hook by hook. What a project denies and asks stays. */
export function underTrust(loaded: Loaded, root: string, options: TrustOptions = {}): Trusted {
  const nothing = { hash: undefined, skipped: [], problem: undefined };
  const waiting = waitingFor(loaded, root, options);
  if (waiting.length === 0) return { ...loaded, trust: { ...nothing, state: "none" } };
  const { vouching = "ledger", event } = options;
  if (vouching === "all") return { ...loaded, trust: { ...nothing, state: "vouched" } };
  const { budget = event === undefined ? new WorkBudget(COMMAND_MS) : new WorkBudget() } = options;
  const all = event === undefined || vouching !== "ledger" ? examine(loaded, root, options, budget) : undefined;
  const entry = all?.entry ?? lookUp(root, options);
  const examined = new Map(all?.items.map((item) => [item.hook, item]));
  // What a hook would run is looked at only where it may have been approved: thousands of strange ones cost a call little.
  const unchecked = new Set<Hook>();
  for (const hook of waiting) {
    if (examined.has(hook) || isStrange(hook, loaded, root, entry)) continue;
    const item = budget.isSpent() ? undefined : examineHook(hook, loaded, root, entry, { budget });
    if (item === undefined) unchecked.add(hook);
    else examined.set(hook, item);
  }
  const unseen = entry.record?.said === "denied" ? "denied" : "untrusted";
  const said = worst(waiting.map((hook) => examined.get(hook)?.state ?? unseen));
  const isVouched = said !== "denied" && all?.isCut === false && vouching === all.hash;
  const state = isVouched ? "vouched" : said;
  const left = waiting.flatMap((hook) => {
    const item = examined.get(hook);
    if (unchecked.has(hook) || (item?.state === "trusted" && budget.isSpent())) return [skipped(hook, TOO_LONG, hook)];
    if (item === undefined) return [skipped(hook, WHY[unseen])];
    return isVouched || item.state === "trusted" ? strayed(item, root, { ...options, budget }) : unapproved(item, root);
  });
  const refused = state === "trusted" ? undefined : options.refused;
  const problem = entry.problem ?? refused ?? (all?.isCut === false ? wrongHash(vouching, all.hash, state) : undefined);
  const trust: Trust = { state, hash: all?.isCut === false ? all.hash : undefined, skipped: left, problem };
  return { ...without(loaded, left), trust, notices: [...loaded.notices, ...noticesAbout(trust)] };
}

/** The hooks that need an approval and match an event, or matched it when they were approved. */
function waitingFor(loaded: Loaded, root: string, options: TrustOptions): Hook[] {
  const own = loaded.hooks.filter((hook) => isOfProject(hook.layer));
  const called = own.filter((hook) => mayRun(hook, options.event));
  const waiting = called.length === 0 ? called : waitingAmong(called);
  if (called.length === own.length || options.vouching === "all") return waiting;
  const moved = rewrittenHooks(loaded, root, options).filter(
    ({ hook, approved }) => !called.includes(hook) && mayRun(approved, options.event),
  );
  return moved.length === 0 ? waiting : [...waiting, ...moved.map(({ hook }) => hook)];
}

interface RewrittenHook {
  readonly hook: Hook;
  readonly approved: Hook;
}

/** The hooks whose definition is not the approved one; compared again only when the ledger or the configuration changes. */
function rewrittenHooks(loaded: Loaded, root: string, options: TrustOptions): readonly RewrittenHook[] {
  const stamp = ledgerStamp(root, options);
  if (stamp === undefined) return [];
  const known = REWRITTEN.get(loaded.hooks);
  if (known !== undefined && known.root === root && isUnchanged(known.stamp, stamp)) return known.hooks;
  const entry = lookUp(root, options);
  const hooks = waitingHooks(loaded).flatMap((hook): RewrittenHook[] => {
    const approval = approvedAs(hook, loaded, root, entry);
    const isSame = approval === undefined || canonicalJson(approval.written) === canonicalJson(definitionOf(hook));
    const approved = isSame ? undefined : approvedHook(approval);
    return approved === undefined ? [] : [{ hook, approved }];
  });
  if (isSettled(stamp)) REWRITTEN.set(loaded.hooks, { root, stamp, hooks });
  return hooks;
}

const REWRITTEN = new WeakMap<
  readonly Hook[],
  { readonly root: string; readonly stamp: FileStamp; readonly hooks: readonly RewrittenHook[] }
>();

/** By the names and the tool alone, which nothing changes: of the event, and of those that are derived from it. */
function mayRun(hook: Hook, event: HookEvent | undefined): boolean {
  if (event === undefined || hook.patternMatches(event.type, event.toolName)) return true;
  return eventsDerivedFrom(event.type).some((name) => hook.patternMatches(name, event.toolName));
}

/**
 * What a caller without a terminal vouches for: the option of the command. A project can set variables wherever its files
 * are loaded, those of a system for continuous integration too, so a variable vouches for nothing.
 */
export function vouchingFor(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Pick<TrustOptions, "vouching" | "refused"> & { readonly vouching: Vouching } {
  if (option !== undefined && option !== "") return { vouching: statedHash(option) };
  return (env.SLUICE_TRUST_HASH ?? "") === "" ? LEDGER : { ...LEDGER, refused: PROBLEMS.notInVariable({}) };
}

const LEDGER = { vouching: "ledger" } as const;

/** The hash that an option of the command states. */
export function statedHash(stated: string): Hash {
  if (/^sha256:[0-9a-f]{64}$/i.test(stated)) return stated.toLowerCase() as Hash;
  throw PROBLEMS.noHash({ stated });
}

/** The message if a project does not have the stated hash. */
export function otherHash(stated: Hash, hash: Hash): Problem {
  return PROBLEMS.otherHash({ stated, hash });
}

/** Sentences for the user about the hooks of the project that did nothing, and why. */
export function noticesAbout({ skipped }: Pick<Trust, "skipped">): string[] {
  const active = skipped.filter(({ hook }) => hook.enabled);
  const [shut, open] = [active.filter(({ instead }) => instead), active.filter(({ instead }) => !instead)];
  const [strict, silent] = [open.filter((one) => one.stillDenies), open.filter((one) => !one.stillDenies)];
  const look = (these: readonly Skipped[]) => `to look at ${these.length === 1 ? "it" : "them"}`;
  return [
    ...notice(silent, "does not run", "do not run", look(silent)),
    ...notice(strict, "denies and asks, but changes and approves nothing", STRICT, look(strict)),
    ...notice(shut, "does not run, and its gate stays shut", SHUT, "to see the difference"),
  ];
}

function notice(these: readonly Skipped[], one: string, many: string, why: string): string[] {
  if (these.length === 0) return [];
  return [`${counted(these.length, one, many)}: ${listed(these)}. Run \`sluice trust\` ${why}.`];
}

const STRICT = "deny and ask, but change and approve nothing";
const SHUT = "do not run, and their gates stay shut";

/** The same for the agent, which cannot approve anything itself: of the hooks that match its event; all when a session starts. */
export function agentNotices({ skipped }: Pick<Trust, "skipped">, { type, toolName }: HookEvent): string[] {
  if (skipped.length === 0) return [];
  const isAbout = ({ hook, instead = hook }: Skipped) =>
    type === "session:start" || [hook, instead].some((one) => one.patternMatches(type, toolName));
  return noticesAbout({ skipped: skipped.filter(isAbout) }).map((notice) =>
    forAgent(notice).replace(/Run (`sluice trust`) to .*$/, "Only the user can change that, with $1."),
  );
}

/** What addresses the user, for a reader that is not the user. */
function forAgent(text: string): string {
  return text.replaceAll(/\byou (approved|denied)\b/g, "the user $1");
}

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `1 hook of this project ${one}` : `${count} hooks of this project ${many}`;
}

/** Names, grouped by reason, with the reason after them. */
function listed(skipped: readonly Skipped[]): string {
  const some = skipped.slice(0, MAX_NAMES);
  const more = skipped.length > some.length ? ` and ${skipped.length - some.length} more` : "";
  const reasons = [...new Set(some.map(({ why }) => why))];
  const groups = reasons.map((reason) => {
    const names = some.filter(({ why }) => why === reason).map(({ hook }) => plainName(hook.name));
    return `${names.join(", ")} (${reason})`;
  });
  return groups.join(", ") + more;
}

/** The same as a warning that a program gets once. */
export function skippedProblem(trust: Trust): Problem | undefined {
  const notice = noticesAbout(trust).join(" ");
  const first = trust.skipped[0]?.hook.origin?.place;
  return notice === "" ? undefined : PROBLEMS.skipped({ notice }, { place: first && { file: first.file } });
}

function without(loaded: Loaded, skipped: readonly Skipped[]): Loaded {
  const replaced = new Map(skipped.map((one) => [one.hook, replacementsOf(one)]));
  const disabledBy = new Map(loaded.disabledBy);
  const hooks = loaded.hooks.flatMap((hook) => {
    const left = replaced.get(hook);
    const by = loaded.disabledBy.get(hook);
    if (by !== undefined) for (const rest of left ?? []) disabledBy.set(rest, by);
    return left ?? [hook];
  });
  return { ...loaded, hooks, disabledBy };
}

function replacementsOf({ hook, stillDenies, instead }: Skipped): Hook[] {
  const rest = stillDenies ? denyOnly(hook) : undefined;
  return [rest, instead].filter((one) => one !== undefined);
}

/** What becomes of a hook that is not approved as it is. */
function unapproved({ hook, state, before, print }: ExaminedItem, root: string): Skipped[] {
  if (hook === undefined || state === "trusted") return [];
  if (state !== "modified" || before === undefined) return [skipped(hook, WHY[state])];
  const why = `${changesIn(before, print, root).join(" and ") || "a file"} changed since you approved it`;
  return [skipped(hook, why, approvedHook(before) ?? hook)];
}

/** The hook as it was approved; it could be read then. */
function approvedHook({ written }: Approval): Hook | undefined {
  return attempt(() => Hook.fromJSON(written, undefined, { isChecked: true }));
}

/** A relative name means another file in another folder, which the user has not approved. */
function strayed(item: ExaminedItem, root: string, options: TrustOptions): Skipped[] {
  const { hook, print } = item;
  if (hook === undefined) return [];
  const { cwd = root } = options;
  const isElsewhere = cwd !== root && cwd !== realPath(root);
  const approved = new Set(print.files.map((file) => file.sha256));
  const run = isElsewhere ? filesRunBy(hook, root, [cwd], options.budget) : undefined;
  if (run?.isStopped) return [skipped(hook, TOO_LONG, hook)];
  const found = run?.files.filter(({ isImplied }) => !isImplied) ?? [];
  const stranger = found.find((file) => !approved.has(file.sha256));
  if (stranger === undefined) {
    if (print.files.length > 0) pinHook(hook, item, root, found, options);
    return [];
  }
  return [skipped(hook, `in ${cwd} it would run ${stranger.path}, which is not approved`, hook)];
}

/** What an approved hook runs from here on are the bytes that were approved, whatever becomes of its files. */
function pinHook(hook: Hook, item: ExaminedItem, root: string, found: RunFiles["files"], where: StateHome): void {
  const placed = (files: readonly PlacedFile[]) =>
    files.map((file) => [`${file.path}\0${file.script ?? ""}`, file] as const);
  const approved = new Map(placed(item.print.files));
  const isStill = () => {
    const now = placed(filesRunBy(hook, root).files);
    return now.length === approved.size && now.every(([place, file]) => approved.get(place)?.sha256 === file.sha256);
  };
  const known = new Set(approved.keys());
  const files = [...item.files, ...found.filter((file) => !known.has(`${file.path}\0${file.script ?? ""}`))];
  pinParts(hook.parts, { root, files, folder: join(stateDir(where), "sealed"), isStill });
}

type PlacedFile = Pick<RunFiles["files"][number], "path" | "script" | "sha256">;

/**
 * A hook that does not run. Where it was approved, `approved` is the hook as it was then: every call that it could have
 * stopped is asked about instead. At the end of a session only once, or the session would never end.
 */
function skipped(hook: Hook, why: string, approved?: Hook): Skipped {
  const stillDenies = denyOnly(hook) !== undefined;
  const isGate = approved !== undefined && hook.enabled && !approved.async && approved.mode !== "monitor";
  return { hook, why, stillDenies, ...(isGate ? { instead: shutGate(hook, why, approved) } : {}) };
}

function shutGate(hook: Hook, why: string, { eventPattern, matcher, priority }: Hook): Hook | undefined {
  const reason = `The hook ${plainName(hook.name)} guards this call and does not run: ${forAgent(why)}. Until the user has seen the difference with \`sluice trust\`, the user has to decide.`;
  const rules = askAtGates(reason);
  const spec = { name: hook.name, event: eventPattern, ...(matcher && { matcher }), priority, rules };
  return Hook.fromJSON(spec, hook.origin, { isChecked: true });
}

function wrongHash(vouching: Vouching, hash: Hash, state: Trust["state"]): Problem | undefined {
  if (vouching === "ledger" || vouching === hash) return undefined;
  return state === "trusted" ? undefined : PROBLEMS.otherHash({ stated: vouching, hash });
}

const WHY = {
  untrusted: "not approved yet",
  modified: "changed since you approved it",
  denied: "you denied this project",
} as const;
const TOO_LONG = "the files of this project's hooks take longer to check than a call may wait";
const COMMAND_MS = 5000;
const MAX_NAMES = 5;

const PROBLEMS = problems("trust", {
  skipped: ({ notice }: { notice: string }) => ({
    what: notice.replaceAll(/ Run `sluice trust` to [^.]*\./g, ""),
    fix: 'Run `sluice trust` in this project; a program that answers for its root says `trust: "all"`.',
  }),
  otherHash: ({ stated, hash }: { stated: string; hash: string }) => ({
    what: `The trust hash ${stated} is not that of this project, which is ${hash}. Its hooks do not run.`,
    fix: "Look at what changed with `sluice trust --status`, and pin the new hash.",
  }),
  notInVariable: (_: object) => ({
    what: "SLUICE_TRUST_HASH in the environment approves nothing, because files of a project can set it. No hook runs by it.",
    fix: 'Pass the hash to the command itself: `sluice trust --trust-hash "$SLUICE_TRUST_HASH"`, once before the agent starts.',
  }),
  noHash: ({ stated }: { stated: string }) => ({
    what: `"${stated.slice(0, 80)}" is not a trust hash.`,
    fix: "Write sha256: and 64 hexadecimal digits, as `sluice trust --status` prints them.",
  }),
});
