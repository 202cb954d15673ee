import { delimiter, isAbsolute } from "node:path";
import { topOf } from "./git-index.ts";
import { homeDir } from "./home-dir.ts";
import { execFileSync } from "./late-builtins.ts";
import { isWithin } from "./resolve-path.ts";

/** A command of git that Sluice may run. */
export type GitCommand = keyof typeof COMMANDS;

/** How long git may take, how much it may print, and what it reads. */
export interface GitOptions {
  readonly input?: string | Buffer | undefined;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/** What git printed; its exit code if it failed; no answer if it took too long, printed too much or did not start. */
export type GitAnswer =
  | { readonly kind: "printed"; readonly bytes: Buffer }
  | { readonly kind: "failed"; readonly code: number }
  | { readonly kind: "no answer"; readonly isStarted: boolean };

/**
 * Starts git: the only place that does. Nothing that the repository, the user or the system configures is started by it.
 * The table of commands has none that reads the content of a file in the work tree, so no filter is applied, and none that
 * fetches, merges, signs or prints a patch. What the remaining commands could start is switched off below.
 */
export function runGit(
  folder: string,
  [command, ...args]: readonly [GitCommand, ...string[]],
  { input, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: GitOptions = {},
): GitAnswer {
  const { always, refused }: CommandRow = COMMANDS[command];
  const end = args.findIndex((one) => one === "--" || one === "--end-of-options");
  const wrong = args.slice(0, end < 0 ? args.length : end).find((one) => refused?.test(one));
  if (wrong !== undefined) throw new Error(`git ${command} ${wrong} may start a program of the repository`);
  const env = { ...gitEnvironment(folder), ...(WRITES.has(command) ? withoutConfiguredHooks(folder) : {}) };
  try {
    const bytes = execFileSync("git", [...SETTINGS, command, ...(always ?? []), ...args], {
      cwd: folder,
      env,
      timeout: timeoutMs,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
      maxBuffer: maxBytes,
      ...(input === undefined ? {} : { input }),
    });
    return { kind: "printed", bytes };
  } catch (error) {
    const { status, code } = error as { readonly status?: unknown; readonly code?: unknown };
    // An answer that is too long may have an exit code too.
    if (code === undefined && typeof status === "number") return { kind: "failed", code: status };
    return { kind: "no answer", isStarted: !NOT_STARTED.has(code) };
  }
}

/** What git prints; undefined if it fails. */
export function git(
  folder: string,
  args: readonly [GitCommand, ...string[]],
  input?: string | Buffer,
): Buffer | undefined {
  const answer = runGit(folder, args, { input });
  return answer.kind === "printed" ? answer.bytes : undefined;
}

/** The same as text, without the last line end. */
export function gitText(folder: string, args: readonly [GitCommand, ...string[]]): string | undefined {
  return git(folder, args)?.toString("utf8").replace(/\n$/, "");
}

interface CommandRow {
  /** Options that come first. */
  readonly always?: readonly string[];
  /** Options by which the command would read files of the work tree or start a program. */
  readonly refused?: RegExp;
}

const NO_DIFF_PROGRAMS = ["--no-ext-diff", "--no-textconv"];
const DIFF_PROGRAMS = /^(?:-[up]|--patch|--ext-diff|--textconv|--output.*|--submodule.*)$/;

/** Every command of git that Sluice runs. Each has been built into git for many years, so that no alias can replace it. */
const COMMANDS = {
  "cat-file": { refused: /^--(?:textconv|filters)/ },
  "check-ignore": {},
  config: { refused: /^(?:-e|--edit)$/ },
  "diff-index": { always: ["--cached", ...NO_DIFF_PROGRAMS, "--ignore-submodules=all"], refused: DIFF_PROGRAMS },
  "diff-tree": { always: NO_DIFF_PROGRAMS, refused: DIFF_PROGRAMS },
  "for-each-ref": { refused: /%\(signature/ },
  log: {
    always: [...NO_DIFF_PROGRAMS, "--no-show-signature"],
    refused: /^(?:-[up]|--patch|--ext-diff|--textconv|--output.*|--show-signature)$|%G/,
  },
  "ls-files": { refused: /^(?:-[a-z]*m[a-z]*|--modified|--eol|--recurse-submodules)$/ },
  "ls-tree": {},
  "merge-base": {},
  reflog: { always: ["show", "--no-show-signature"], refused: /^(?:-p|--patch|--show-signature)$|%G/ },
  "rev-list": {},
  "rev-parse": {},
  // Notes a stash that is there already.
  stash: { always: ["store"] },
  "symbolic-ref": {},
  "update-ref": {},
} as const satisfies Record<string, CommandRow>;

/** Commands after which git runs a hook about references. */
const WRITES: ReadonlySet<GitCommand> = new Set(["stash", "symbolic-ref", "update-ref"]);

/** What the commands above could start, switched off. A name that the repository chooses is not needed for any of them. */
const SETTINGS: readonly string[] = [
  "--no-pager",
  ...Object.entries({
    // An empty value means no program in every version; `false` would be the name of one in older versions.
    "core.fsmonitor": "",
    "core.hooksPath": "/dev/null",
    "core.untrackedCache": "false",
    "core.alternateRefsCommand": ":",
    "core.sshCommand": "false",
    "core.askPass": "",
    "core.gitProxy": "",
    "core.editor": "false",
    "core.pager": "cat",
    "credential.helper": "",
    "diff.external": "",
    "gc.auto": "0",
    "gpg.program": "false",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
];

/** The environment without variables that lead git to another repository or make it start a program. */
function gitEnvironment(folder: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    // No protocol has this name: nothing is fetched, also where a repository allows it.
    GIT_ALLOW_PROTOCOL: "none",
  };
  for (const [name, value] of Object.entries(process.env))
    if (!name.startsWith("GIT_") && !STARTS_PROGRAM.has(name)) env[name] = value;
  const project = topOf(folder) ?? folder;
  // Where the whole home is a repository, programs of the user are in it.
  if (env.PATH !== undefined) env.PATH = pathOutside(isWithin(project, homeDir()) ? undefined : project, env.PATH);
  return env;
}

/** A folder that is not absolute, or is in the project that git is asked about, may have another git in it. */
function pathOutside(project: string | undefined, path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !(project !== undefined && isWithin(project, folder)))
    .join(delimiter);
}

/**
 * Newer versions of git run hooks that settings name, besides those in a folder: each is replaced by a command that does
 * nothing. An equals sign in such a name would end it after `-c`, so variables state them.
 */
function withoutConfiguredHooks(folder: string): NodeJS.ProcessEnv {
  const listed = git(folder, ["config", "--name-only", "-z", "--get-regexp", "^hook\\."])?.toString() ?? "";
  const names = new Set(listed.split("\0").flatMap((name) => /^(hook\..+)\.[a-z]+$/is.exec(name)?.[1] ?? []));
  const settings = [...names].flatMap((name) => [
    [`${name}.command`, ":"],
    [`${name}.enabled`, "false"],
  ]);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([name = "", value = ""], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}

const STARTS_PROGRAM: ReadonlySet<string> = new Set(["PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS", "BROWSER"]);
/** There is no git, or no such folder. */
const NOT_STARTED: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EACCES"]);
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;
