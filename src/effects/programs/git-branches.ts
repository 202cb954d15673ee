import type { CallPlace } from "../effect.ts";
import { GAP, type RepositoryFacts, type SimpleCommand } from "../parse/command.ts";
import { resolvedPath } from "../paths.ts";
import { canonicalProgram } from "./program-name.ts";

/** A branch that a command of git changes, by its name; undefined if it may be any branch. */
export interface ChangedBranch {
  readonly does: "push" | "commit";
  readonly branch: string | undefined;
}

/** The branches that the commands of a line push to, or commit to. */
export function changedBranches(
  does: ChangedBranch["does"],
  { commands, place }: { readonly commands: readonly SimpleCommand[]; readonly place: CallPlace },
): readonly ChangedBranch[] {
  const found: ChangedBranch[] = [];
  for (const [at, command] of commands.entries()) {
    const run = runOf(command);
    if (run === undefined) continue;
    const repository = run.isOpen ? undefined : place.repository?.(run.folder);
    const facts = { repository, current: () => branchAt(at, run.folder, commands, repository) };
    for (const branch of (does === "push" ? pushed : committedTo)(run, facts)) found.push({ does, branch });
  }
  return found;
}

/** A command of git: its verb, its arguments, and the folder in which it runs. */
interface GitRun {
  readonly verb: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** What it does is known only at run time. */
  readonly isOpen: boolean;
  /** Settings that the command states itself. */
  readonly settings: ReadonlyMap<string, string>;
}

interface Facts {
  readonly repository: RepositoryFacts | undefined;
  /** The branch that is checked out at that point; undefined if it is not known. */
  readonly current: () => string | undefined;
}

const ANY: readonly undefined[] = [undefined];

function runOf({ program, args, folder, assignments }: SimpleCommand): GitRun | undefined {
  if (program === undefined || !NAMES.has(canonicalProgram(program.text))) return undefined;
  const words = args.map(({ text }) => text);
  const settings = new Map<string, string>();
  let [at, to] = [0, folder];
  let isOpen = Object.keys(assignments).some((name) => name.startsWith("GIT_") && !HARMLESS.test(name));
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    const next = words[at + 1] ?? "";
    if (word === "-C") to = resolvedPath(to, words[++at] ?? ".");
    else if (word === "-c") {
      const [, key = "", value = "true"] = /^([^=]+)(?:=([\s\S]*))?$/.exec(next) ?? [];
      settings.set(key.toLowerCase(), value);
      at++;
    } else if (/^--(?:git-dir|work-tree|namespace)(?:=|$)/.test(word)) {
      isOpen = true;
      if (!word.includes("=")) at++;
    } else if (/^--(?:config-env|exec-path|super-prefix|attr-source)$/.test(word)) at++;
    else if (!word.startsWith("-")) break;
  }
  const verb = words[at];
  if (verb === undefined) return undefined;
  return { verb, args: words.slice(at + 1), folder: to, isOpen: isOpen || to.includes(GAP), settings };
}

const NAMES: ReadonlySet<string> = new Set(["git", "hub"]);
const HARMLESS = /^GIT_(?:AUTHOR|COMMITTER|EDITOR|PAGER|TERMINAL_PROMPT|TRACE|SSH|ASKPASS|SEQUENCE)/;

/** The options of a run, with values that are separate arguments, and its operands. */
function operandsOf(args: readonly string[], takesValue: RegExp): { options: string[]; operands: string[] } {
  const options: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") return { options, operands: [...operands, ...args.slice(at + 1)] };
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else {
      options.push(word);
      if (takesValue.test(word)) {
        at++;
        options.push(`${word}=${args[at] ?? ""}`);
      }
    }
  }
  return { options, operands };
}

function has(options: readonly string[], long: RegExp, short: string): boolean {
  return options.some(
    (word) => long.test(word) || (/^-[a-z]/i.test(word) && !word.startsWith("--") && word.includes(short)),
  );
}

function pushed(
  { verb, args, settings, isOpen }: GitRun,
  { repository, current }: Facts,
): readonly (string | undefined)[] {
  if (verb === "subtree") return args.includes("push") ? [plainBranch(args.at(-1) ?? "")] : [];
  if (verb !== "push" && verb !== "send-pack" && verb !== "http-push") return [];
  const { options, operands } = operandsOf(
    args,
    /^(?:-o|--push-option|--repo|--receive-pack|--exec|--recurse-submodules)$/,
  );
  if (has(options, /^--dry-run$/, "n")) return [];
  if (options.some((word) => /^--(?:mirror|prune|stdin)$/.test(word))) return ANY;
  const given = (key: string) => settings.get(key) ?? repository?.setting(key);
  const local = () => repository?.branches() ?? ANY;
  if (options.some((word) => /^--(?:all|branches)$/.test(word))) return local();
  const repo = options.find((word) => word.startsWith("--repo="))?.slice("--repo=".length);
  const [remote = repo, ...refs] = operands;
  const mapped = (ref: string) => targetsOf(ref, { current, local });
  if (refs.length > 0) {
    const tagged = refs.map((ref, at) => refs[at - 1] === "tag" || ref === "tag");
    return refs.flatMap((ref, at) => (tagged[at] ? [] : mapped(ref)));
  }
  if (options.includes("--tags")) return [];
  if (repository === undefined || isOpen) return settings.get("push.default") === "nothing" ? [] : ANY;
  const branch = current();
  const to =
    remote ??
    given(`branch.${branch}.pushremote`) ??
    given("remote.pushdefault") ??
    given(`branch.${branch}.remote`) ??
    "origin";
  if (given(`remote.${to}.mirror`) === "true") return ANY;
  const configured = repository.settings(`remote.${to}.push`);
  if (configured.length > 0) return configured.flatMap(mapped);
  switch (given("push.default") ?? "simple") {
    case "nothing":
      return [];
    case "matching":
      return local();
    case "upstream":
    case "tracking":
      return [plainBranch(given(`branch.${branch}.merge`) ?? branch ?? "") || undefined];
    default:
      return [branch];
  }
}

/** The branches of the other repository that a refspec changes. */
function targetsOf(
  written: string,
  {
    current,
    local,
  }: { readonly current: () => string | undefined; readonly local: () => readonly (string | undefined)[] },
): readonly (string | undefined)[] {
  const ref = written.replace(/^\+/, "");
  if (ref === ":") return local();
  if (ref.startsWith("^")) return [];
  const [from = "", to] = ref.includes(":") ? [ref.slice(0, ref.indexOf(":")), ref.slice(ref.indexOf(":") + 1)] : [ref];
  const target = to === undefined || to === "" ? from : to;
  if (target.includes(GAP)) return ANY;
  if (target === "HEAD" || target === "@") return [current()];
  if (/^refs\/(?!heads\/)/.test(target)) return /^refs\/\*/.test(target) ? ANY : [];
  if (!target.includes("*")) return [plainBranch(target)];
  const [before = "", after = ""] = plainBranch(target).split("*");
  const [fromBefore = "", fromAfter = ""] = plainBranch(from || target).split("*");
  return local().map((branch) => {
    if (branch === undefined) return undefined;
    const isMatched = branch.startsWith(fromBefore) && branch.endsWith(fromAfter);
    return isMatched ? before + branch.slice(fromBefore.length, branch.length - fromAfter.length) + after : branch;
  });
}

function plainBranch(ref: string): string {
  return ref.replace(/^(?:refs\/)?heads\//, "");
}

/** Verbs of git that make a commit on the branch that is checked out. */
const COMMITS: ReadonlySet<string> = new Set(["commit", "merge", "cherry-pick", "revert", "am"]);

function committedTo({ verb, args }: GitRun, { current }: Facts): readonly (string | undefined)[] {
  if (verb === "update-ref") {
    const ref = args.find((word) => /^refs\/heads\//.test(word));
    return ref === undefined ? [] : [ref.includes(GAP) ? undefined : plainBranch(ref)];
  }
  if (!COMMITS.has(verb)) return [];
  const { options } = operandsOf(args, /^(?:-m|-F|-C|-c|--message|--file|--author|--date|-s|--strategy)$/);
  if (options.some((word) => /^--(?:dry-run|abort|quit|no-commit|squash)$/.test(word))) return [];
  return [current()];
}

/** The branch that is checked out when a command of the line runs. */
function branchAt(
  end: number,
  folder: string,
  commands: readonly SimpleCommand[],
  repository: RepositoryFacts | undefined,
): string | undefined {
  let branch = repository?.branch();
  for (const command of commands.slice(0, end)) {
    const run = runOf(command);
    if (run === undefined || (run.folder !== folder && !run.isOpen)) continue;
    const { operands, options } = operandsOf(run.args, /^(?:-[bBcC]|--orphan|--create|--force-create)$/);
    if (run.verb === "checkout" || run.verb === "switch") {
      const made = options
        .map((word) => /^(?:-[bBcC]|--orphan|--create|--force-create)=(.*)$/s.exec(word)?.[1])
        .find(Boolean);
      const [first] = operands;
      if (made !== undefined) branch = made.includes(GAP) ? undefined : made;
      else if (first === undefined) continue;
      else if (first === "-" || first.includes(GAP) || options.some((word) => /^(?:-d|--detach)$/.test(word)))
        branch = undefined;
      // `git checkout name` may name a file.
      else if (run.verb === "switch" || (operands.length === 1 && repository?.isBranch(first) !== false))
        branch = first;
    } else if (run.verb === "branch" && has(options, /^--move$/, "m")) branch = operands.at(-1) ?? undefined;
    else if (run.verb === "branch" && has(options, /^$/, "M")) branch = operands.at(-1) ?? undefined;
    else if (run.verb === "symbolic-ref" && operands[0] === "HEAD")
      branch = operands[1] === undefined ? branch : plainBranch(operands[1]);
  }
  return branch?.includes(GAP) ? undefined : branch;
}
