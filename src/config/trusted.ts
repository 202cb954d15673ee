import { eventsDerivedFrom } from "../event/catalogue.ts";
import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { type Fingerprint, type Hash, type PrintedFile, unapprovedFiles } from "../trust/fingerprint.ts";
import type { Standing } from "../trust/ledger.ts";
import { projectSets } from "../trust/private-approvals.ts";
import type { StateHome } from "../fs/state-dir.ts";
import { examine, hookCode, runsFiles, waitingAmong } from "./examine.ts";
import type { Loaded } from "./load.ts";
import { isOfProject } from "./locate.ts";
import { denyOnly } from "./deny-only.ts";

/** Who answers for a project: the user's own approvals, the caller for everything, or the caller for these bytes. */
export type Vouching = "ledger" | "all" | Hash;

/** How trust is looked up. */
export interface TrustOptions extends StateHome {
  readonly vouching?: Vouching | undefined;
  /** Where the event happens, when that is not the project's folder. */
  readonly cwd?: string | undefined;
  /** The one event that hooks are wanted for: those that never match it need no approval now. */
  readonly event?: HookEvent | undefined;
}

/** A hook that does not run, or runs with its denials alone. */
interface Skipped {
  readonly hook: Hook;
  readonly why: string;
  /** Whether its denials and questions still hold. */
  readonly stillDenies: boolean;
}

/** How a project stands, and what that costs. */
export interface Trust {
  /** `none`: nothing here waits for an approval. `vouched`: the caller answers for it. */
  readonly state: Standing | "none" | "vouched";
  readonly hash: Hash | undefined;
  readonly skipped: readonly Skipped[];
  readonly files: readonly PrintedFile[];
  /** Why approvals could not be believed, or a hash did not count. */
  readonly problem: Problem | undefined;
}

/** A configuration of which everything may run that is left in it. */
export interface Trusted extends Loaded {
  readonly trust: Trust;
}

/** Takes out of a configuration what the user has not approved. What a project denies and asks stays. */
export function underTrust(loaded: Loaded, root: string, options: TrustOptions = {}): Trusted {
  const nothing = { hash: undefined, skipped: [], files: [], problem: undefined };
  const called = loaded.hooks.filter((hook) => isOfProject(hook.layer) && mayRun(hook, options.event));
  const waiting = called.length === 0 ? called : waitingAmong(called);
  if (waiting.length === 0) return { ...loaded, trust: { ...nothing, state: "none" } };
  if (options.vouching === "all") return { ...loaded, trust: { ...nothing, state: "vouched" } };
  const { print, entry, state: said } = examine(loaded, root, options);
  const state = said !== "denied" && options.vouching === print.hash ? "vouched" : said;
  const skipped =
    state === "trusted" || state === "vouched"
      ? waiting.flatMap((hook) => strayed(hook, print, options.cwd))
      : waiting.map((hook) => skip(hook, WHY[state]));
  const problem = entry.problem ?? wrongHash(options.vouching, print, state);
  const trust: Trust = { state, hash: print.hash, skipped, files: print.files, problem };
  return { ...without(loaded, skipped), trust, notices: [...loaded.notices, ...noticesAbout(trust)] };
}

/** By the names and the tool alone, which nothing changes: of the event, and of those that are derived from it. */
function mayRun(hook: Hook, event: HookEvent | undefined): boolean {
  if (event === undefined || hook.patternMatches(event.type, event.toolName)) return true;
  return eventsDerivedFrom(event.type).some((name) => hook.patternMatches(name, event.toolName));
}

/** What a caller without a terminal vouches for: the option, else the variable, unless the project sets that itself. */
export function vouchingFor(
  root: string,
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Vouching {
  const stated = option ?? env.SLUICE_TRUST_HASH;
  if (stated === undefined || stated === "") return "ledger";
  if (option === undefined && projectSets(root, "SLUICE_TRUST_HASH")) return "ledger";
  if (/^sha256:[0-9a-f]{64}$/i.test(stated)) return stated.toLowerCase() as Hash;
  throw PROBLEMS.noHash({ stated });
}

/** One sentence that tells the user why a hook of the project did nothing. */
export function noticesAbout({ skipped, state }: Pick<Trust, "skipped" | "state">): string[] {
  const active = skipped.filter(({ hook }) => hook.enabled);
  if (active.length === 0) return [];
  const some = active.slice(0, MOST_NAMES).map(({ hook }) => plainName(hook.name));
  const more = active.length > some.length ? ` and ${active.length - some.length} more` : "";
  const hooks = active.length === 1 ? "1 hook of this project does" : `${active.length} hooks of this project do`;
  const why = state === "trusted" || state === "vouched" ? (active[0]?.why ?? "") : WHY[state];
  return [`${hooks} not run: ${some.join(", ")}${more} (${why}). Run \`sluice trust\` to look at them.`];
}

/** The same as something a program can be told once. */
export function skippedProblem(trust: Trust): Problem | undefined {
  const [notice] = noticesAbout(trust);
  const first = trust.skipped[0]?.hook.origin?.place;
  return notice === undefined ? undefined : PROBLEMS.skipped({ notice }, { place: first && { file: first.file } });
}

function without(loaded: Loaded, skipped: readonly Skipped[]): Loaded {
  const left = new Map(skipped.map(({ hook, stillDenies }) => [hook, stillDenies ? denyOnly(hook) : undefined]));
  const disabledBy = new Map(loaded.disabledBy);
  const hooks = loaded.hooks.flatMap((hook) => {
    if (!left.has(hook)) return [hook];
    const [rest, by] = [left.get(hook), loaded.disabledBy.get(hook)];
    if (rest !== undefined && by !== undefined) disabledBy.set(rest, by);
    return rest === undefined ? [] : [rest];
  });
  return { ...loaded, hooks, disabledBy };
}

function skip(hook: Hook, why: string): Skipped {
  return { hook, why, stillDenies: denyOnly(hook) !== undefined };
}

/** A relative name means another file in another folder, which the user has not approved. */
function strayed(hook: Hook, print: Fingerprint, cwd: string | undefined): Skipped[] {
  if (cwd === undefined || cwd === print.root || !isOfProject(hook.layer)) return [];
  const acts = hook.parts.filter(runsFiles).map((part) => hookCode(part, cwd, [cwd]));
  const [stranger] = unapprovedFiles(print, acts);
  return stranger === undefined ? [] : [skip(hook, `in ${cwd} it would run ${stranger}, which is not approved`)];
}

function wrongHash(vouching: Vouching | undefined, { hash }: Fingerprint, state: Trust["state"]): Problem | undefined {
  if (vouching === undefined || !vouching.startsWith("sha256:") || vouching === hash) return undefined;
  return state === "trusted" ? undefined : PROBLEMS.otherHash({ stated: vouching, hash });
}

/** Names come from the project too, and are read by agents. */
function plainName(name: string): string {
  const plain = name.replaceAll(/[^\w.:@*-]+/g, "_");
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}

const WHY = {
  untrusted: "not approved yet",
  modified: "changed since you approved it",
  denied: "you denied this project",
  none: "",
} as const;
const MOST_NAMES = 5;
const LONGEST_NAME = 40;

const PROBLEMS = problems("trust", {
  skipped: ({ notice }: { notice: string }) => ({
    what: notice.replace(/ Run `sluice trust`.*$/, ""),
    fix: 'Run `sluice trust` in this project; a program that answers for its root says `trust: "all"`.',
  }),
  otherHash: ({ stated, hash }: { stated: string; hash: string }) => ({
    what: `The trust hash ${stated} is not that of this project, which is ${hash}. Its hooks do not run.`,
    fix: "Look at what changed with `sluice trust --status`, and pin the new hash.",
  }),
  noHash: ({ stated }: { stated: string }) => ({
    what: `"${stated.slice(0, 80)}" is no trust hash.`,
    fix: "Write sha256: and 64 hexadecimal digits, as `sluice trust --status` prints them.",
  }),
});
