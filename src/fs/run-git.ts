import { delimiter, isAbsolute } from "node:path";
import { topOf } from "./git-index.ts";
import { homeDir } from "./home-dir.ts";
import { execFileSync } from "./late-builtins.ts";
import { isWithin } from "./resolve-path.ts";

/** The program, as results name it. */
export const GIT = "git";

/** A git command that Sluice may run. */
export type GitCommand = keyof typeof COMMANDS;

/** The input of git, its time limit, and the limit of its output. */
export interface GitOptions {
  readonly input?: string | Buffer | undefined;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/** The output of git; its exit code if it failed; no answer if it took too long, printed too much or did not start. */
export type GitAnswer =
  | { readonly kind: "printed"; readonly bytes: Buffer }
  | { readonly kind: "failed"; readonly code: number }
  | { readonly kind: "no answer"; readonly isStarted: boolean };

/**
 * Starts git; no other code does. It starts nothing that the repository, the user or the system configures: none of the
 * commands in the table reads a file of the work tree (which would apply filters), fetches, merges, signs or prints a patch,
 * and the settings below switch off what the commands could start.
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
    // Output that is too long may come with an exit code.
    if (code === undefined && typeof status === "number") return { kind: "failed", code: status };
    return { kind: "no answer", isStarted: !NOT_STARTED.has(code) };
  }
}

/** The output of git; undefined if it fails. */
export function git(
  folder: string,
  args: readonly [GitCommand, ...string[]],
  input?: string | Buffer,
): Buffer | undefined {
  const answer = runGit(folder, args, { input });
  return answer.kind === "printed" ? answer.bytes : undefined;
}

/** The output as text, without the last line end. */
export function gitText(folder: string, args: readonly [GitCommand, ...string[]]): string | undefined {
  return git(folder, args)?.toString("utf8").replace(/\n$/, "");
}

interface CommandRow {
  /** Options that come first. */
  readonly always?: readonly string[];
  /** Options that make the command read files of the work tree or start a program. */
  readonly refused?: RegExp;
}

const NO_DIFF_PROGRAMS = ["--no-ext-diff", "--no-textconv"];
const DIFF_PROGRAMS = /^(?:-[up]|--patch|--ext-diff|--textconv|--output.*|--submodule.*)$/;

/** Every git command that Sluice runs. Each is built into git, so that no alias can replace it. */
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
  // Registers a stash commit that exists already.
  stash: { always: ["store"] },
  "symbolic-ref": {},
  "update-ref": {},
} as const satisfies Record<string, CommandRow>;

/** Commands after which git runs a hook about references. */
const WRITES: ReadonlySet<GitCommand> = new Set(["stash", "symbolic-ref", "update-ref"]);

/** Switches off everything that the commands above could start. */
const SETTINGS: readonly string[] = [
  "--no-pager",
  ...Object.entries({
    // An empty value means no program in every version; older versions take `false` as the name of a program.
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

/** The environment without variables that select another repository or make git start a program. */
function gitEnvironment(folder: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    // No protocol has this name, so nothing is fetched, even if the repository allows it.
    GIT_ALLOW_PROTOCOL: "none",
  };
  for (const [name, value] of Object.entries(process.env))
    if (!name.startsWith("GIT_") && !STARTS_PROGRAM.has(name)) env[name] = value;
  const project = topOf(folder) ?? folder;
  // If the home directory is a repository, it contains the user's own programs.
  if (env.PATH !== undefined) env.PATH = pathOutside(isWithin(project, homeDir()) ? undefined : project, env.PATH);
  return env;
}

/** PATH without relative folders and folders of the project, which may contain another git. */
function pathOutside(project: string | undefined, path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !(project !== undefined && isWithin(project, folder)))
    .join(delimiter);
}

/**
 * Newer versions of git also run hooks that are named in settings: each is replaced by a command that does nothing. The
 * environment states them, because a name with an equals sign cannot be passed to `-c`.
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
/** Git or the folder does not exist. */
const NOT_STARTED: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "EACCES"]);
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;
