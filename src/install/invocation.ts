import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import { isOurUrl, postUrl, type Recipe, SCOPE_VARIABLE, type Scope, type Wanted } from "../adapters/recipe.ts";
import { shellWord } from "../effects/parse/value.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { PROJECTS } from "../fs/state-dir.ts";
import type { InstallContext } from "./install-context.ts";
import { windowsUserLine } from "./windows-line.ts";

/** One hook event of a command line. */
interface Called {
  /** A gate answers 2 whenever Sluice cannot run at all: to most agents any other exit code lets the call pass. */
  readonly gate: boolean;
  /** The hook event, where payloads do not name it. */
  readonly hookEvent?: string | undefined;
}

/** The command line that an agent's settings hold in a scope, for sh. */
export function commandLine(adapter: Adapter, scope: Scope, around: InstallContext, called: Called): string {
  const args = argsOf(adapter.id, called);
  if (scope === "project" && adapter.recipe !== undefined)
    return portableLine(adapter.recipe, args, packageManagerOf(around.root).installs, called);
  if ((around.platform ?? process.platform) === "win32")
    return windowsUserLine([...callOf(around), ...args], { gate: called.gate, shells: adapter.recipe?.windowsShells });
  const words = [...callOf(around), ...args].map(shellWord).join(" ");
  const line = called.gate ? `${words} || exit 2` : words;
  if (around.client === undefined) return checkedLine(line, adapter, around, called);
  return called.gate || adapter.recipe?.anyShell === true ? line : `${BECOMES}${line}`;
}

/** A gate needs its shell: one that is gone cannot say no. Every other line need not keep it waiting, and starts a process less. */
const BECOMES = "exec ";

/**
 * Where Node is started without a client, which would say it, the line itself says that the package is gone: Node would show
 * where it looked.
 */
function checkedLine(line: string, { id, recipe }: Adapter, { sluice }: InstallContext, { gate }: Called): string {
  const launcher = sluice[1];
  if (launcher === undefined) return line;
  const said = `Sluice is gone ($s), so nothing was decided. Install its package again, then: sluice install ${id}`;
  const checked = [
    `s=${shellWord(launcher)}`,
    `[ -e "$s" ] || { echo "${said}" >&2; exit ${gate ? 2 : 1}; }`,
    line,
  ].join("; ");
  return recipe?.anyShell === true ? `exec /bin/sh -c ${shellWord(checked)}` : checked;
}

/** The line of a project for a shell of Windows; undefined if it is the same. */
export function windowsLine(adapter: Adapter, scope: Scope, called: Called): string | undefined {
  if (scope === "user") return undefined;
  return [String.raw`node_modules\.bin\sluice.cmd`, ...argsOf(adapter.id, called)].join(" ");
}

/** The words that call us for an agent, for programs that start them without a shell. */
export function callWords(adapter: Adapter, scope: Scope, around: InstallContext): readonly string[] {
  return scope === "user"
    ? [...callOf(around), ...argsOf(adapter.id)]
    : ["/bin/sh", "-c", commandLine(adapter, scope, around, { gate: true })];
}

/** The words that start the MCP server; a project's file names nothing of one machine. */
export function serverWords({ recipe }: Adapter, scope: Scope, { mcp }: InstallContext): readonly string[] {
  return scope === "user" ? mcp : [`${recipe?.mcp?.projectDir ?? "."}/${PROJECT_COMMAND}`, "mcp"];
}

/** Which hook events start what, in one line; of a project's line the end that calls us. */
export function whatCalls(wanted: readonly Wanted[]): string[] {
  const [first] = wanted.filter(({ gate }) => gate).concat(wanted);
  if (first === undefined) return [];
  const names = wanted.map(({ hookEvent }) => hookEvent).join(", ");
  const line = first.command
    .split("; ")
    .at(-1)
    ?.replace(/^(?:exec )?"\$@" /, "")
    .replace(/'$/, "");
  return [`${wanted.length === 1 ? "1 hook event starts" : `${wanted.length} hook events start`} ${line}`, names];
}

/** The command as a dependency of a project has it. */
export const PROJECT_COMMAND = "node_modules/.bin/sluice";

/** The file, in the user's own state of a project, that puts a client in front of a project's command. */
export const PROJECT_CLIENT = "client.sh";

function callOf({ sluice, client }: InstallContext): readonly string[] {
  return client === undefined ? sluice : [client, ...sluice];
}

function argsOf(agent: string, { hookEvent }: Partial<Called> = {}): string[] {
  return ["run", agent, ...(hookEvent === undefined ? [] : ["--moment", hookEvent])];
}

/**
 * A line that works in every clone of a project. It starts the project's own dependency, through this user's client where
 * there is one: the file that names the client is in the user's state and belongs to the user, and nothing of the project
 * can take its place. A relative XDG_STATE_HOME would lead into the project; the slash before it leads nowhere.
 */
function portableLine(
  { projectDir: { sets, word }, anyShell = false }: Recipe,
  args: readonly string[],
  installs: string,
  { gate }: Called,
): string {
  const missing = `echo "Sluice is not installed in $d: run ${installs} there." >&2; exit ${gate ? 2 : 1}`;
  const line = [
    sets,
    "s=${XDG_STATE_HOME:-$HOME/.local/state}",
    `s=/\${s#/}/sluice/${PROJECTS}$d/${PROJECT_CLIENT}`,
    "set --",
    `[ -O "$s" ] && . "$s"`,
    `[ -x "$d/${PROJECT_COMMAND}" ] || { ${missing}; }`,
    `export ${SCOPE_VARIABLE}=project`,
    `${gate ? "" : BECOMES}"$@" ${word}/${PROJECT_COMMAND} ${args.join(" ")}${gate ? " || exit 2" : ""}`,
  ].join("; ");
  // No part of the line has a single quote, and all shells read what is between two of them as it is.
  return anyShell ? `exec /bin/sh -c '${line}'` : line;
}

/**
 * Whether a command line is one of ours for this agent: the mark by which entries are found again, also those that
 * start another copy of Sluice. Words in a list count like words in a line; so do the path of the agent's script and an
 * address of the daemon.
 */
export function isOurs(command: unknown, agent: string, script?: string): boolean {
  if (typeof command !== "string") return false;
  if (isOurUrl(command, agent)) return true;
  if (script !== undefined && `/${command}`.endsWith(`/${script}`)) return true;
  return new RegExp(`(?<![\\w-])sluice(?:\\.[cm]?js)?${BETWEEN}run${BETWEEN}${agent}(?![\\w-])`).test(command);
}

/** What is between two words of a command line or of a list. */
const BETWEEN = `["'\\\\]*[,\\s]+["']?`;

/** The same hook events, some of them posted to the daemon where it answers over HTTP. A secret is never written into a project. */
export function posted(
  wanted: readonly Wanted[],
  { id, recipe }: Adapter,
  scope: Scope,
  { http }: Pick<InstallContext, "http">,
): readonly Wanted[] {
  const form = recipe?.http;
  if (http === undefined || scope !== "user" || form === undefined || !("posts" in form)) return wanted;
  return wanted.map((one) =>
    form.posts.includes(one.hookEvent)
      ? { ...one, post: { url: postUrl(http.port, id, one.hookEvent), secret: http.secret } }
      : one,
  );
}

/** How an agent calls, and why, for the person who asked for HTTP. Port 0 stands for one that is still to be chosen. */
export function formOf({ title, recipe }: Adapter, { port }: { readonly port: number }): string {
  const form = recipe?.http;
  if (form !== undefined && "posts" in form)
    return `${title} posts ${form.posts.join(", ")} to ${port === 0 ? "a port of this machine" : `127.0.0.1:${port}`} and blocks when the daemon does not answer; everything else stays a command, and each of those starts the daemon when none is running.`;
  return `${title} keeps to commands: ${form?.keepsCommands ?? "it has no HTTP hooks that Sluice knows"}.`;
}

/** The commands of a package manager that a person needs here. */
interface PackageManager {
  /** Installs what the project names. */
  readonly installs: string;
  /** Makes Sluice a dependency of the project. */
  readonly adds: string;
}

/** The package manager of a project, recognised by its lock file. */
export function packageManagerOf(root: string): PackageManager {
  const found = Object.entries(MANAGERS).find(([file]) => existsSync(join(root, file)));
  return found?.[1] ?? NPM;
}

/** Whether a project names Sluice among its dependencies, so that installing them brings it to every clone. */
export function dependsOnSluice(root: string): boolean {
  try {
    const { dependencies, devDependencies } = Object(
      JSON.parse(readRegularFile(join(root, "package.json")).toString()),
    );
    return [dependencies, devDependencies].some((list) => Object.hasOwn(Object(list), "sluice"));
  } catch {
    return false;
  }
}

const NPM: PackageManager = { installs: "npm install", adds: "npm install --save-dev sluice" };

const MANAGERS: Readonly<Record<string, PackageManager>> = {
  "pnpm-lock.yaml": { installs: "pnpm install", adds: "pnpm add --save-dev sluice" },
  "yarn.lock": { installs: "yarn install", adds: "yarn add --dev sluice" },
  "bun.lock": { installs: "bun install", adds: "bun add --dev sluice" },
  "bun.lockb": { installs: "bun install", adds: "bun add --dev sluice" },
};
