import { existsSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWord } from "../../effects/parse/value.ts";
import { attempt } from "../../event/attempt.ts";
import { readRegularText } from "../../fs/regular-file.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { makePrivateDir, PROJECTS, stateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { PROJECT_CLIENT, PROJECT_COMMAND } from "../../install/invocation.ts";
import type { Request } from "../protocol.ts";
import type { ColdCommand } from "../runtime-dir.ts";
import type { Client } from "./make-client.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Lets the lines in a project's settings find the client of the copy of Sluice that the project depends on, or know that there is none. */
export function keepProjectClient(
  project: string,
  cold: ColdCommand,
  client: Client | undefined,
  env: Environment,
): void {
  const path = clientFile(project, env);
  makePrivateDir(dirname(path));
  writePrivate(path, textFor(project, cold, client));
}

/** Whether the lines in a project's settings know what to start for this copy, be it a client or none. */
export function isProjectClientReady(project: string, cold: ColdCommand, env: Environment): boolean {
  const text = textAt(clientFile(project, env)) ?? "";
  if (!text.startsWith(firstLine(cold))) return false;
  const client = clientIn(text);
  return client === undefined || existsSync(client);
}

/** The client that the lines in a project's settings start; undefined if they start node. */
export function projectClient(project: string, env: Environment): string | undefined {
  const client = clientIn(textAt(clientFile(project, env)) ?? "");
  return client !== undefined && existsSync(client) ? client : undefined;
}

/** Forgets a project's client; the client itself stays while other settings start it. */
export function forgetProjectClient(project: string, env: Environment): void {
  const path = clientFile(project, env);
  const top = join(stateDir({ env }), PROJECTS);
  rmSync(path, { force: true });
  try {
    for (let folder = dirname(path); folder.startsWith(`${top}/`); folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Another project is below, or there was nothing.
  }
}

/**
 * A request of a project's line as arguments of the cold command. The line names the project's command, which has to be this
 * copy: its file, or for package managers that write a script in its place, the file that the script starts.
 */
export function inColdWords(request: Request, cold: ColdCommand): Request {
  const [command = "", verb] = request.words;
  if (verb !== "run" || !command.endsWith(`/${PROJECT_COMMAND}`)) return request;
  const own = statSync(cold[1], { throwIfNoEntry: false });
  const isOwn = filesOf(command.slice(0, -PROJECT_COMMAND.length - 1)).some((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found !== undefined && found.ino === own?.ino && found.dev === own.dev;
  });
  return isOwn ? { ...request, words: [...cold, ...request.words.slice(1)] } : request;
}

/** The line that a shell reads: it sets the arguments before the project's command, while that is the same copy. */
function textFor(project: string, cold: ColdCommand, client: Client | undefined): string {
  const file = filesOf(project).find((path) => realPath(path) === cold[1]);
  if (client === undefined || file === undefined) return firstLine(cold);
  const [command, own, program] = [file, cold[1], client.path].map(shellWord);
  return `${firstLine(cold)}[ ${command} -ef ${own} ] && [ -x ${program} ] && ${SET}${program}\n`;
}

/** A comment, so that a text of another copy or another Node is recognised at once. */
function firstLine(cold: ColdCommand): string {
  return `# ${JSON.stringify(cold)}\n`;
}

function clientIn(text: string): string | undefined {
  const word = text.split(SET)[1]?.trim();
  return word?.replace(/^'(.*)'$/s, "$1").replaceAll(String.raw`'\''`, "'");
}

function filesOf(project: string): string[] {
  return [PROJECT_COMMAND, "node_modules/sluice/dist/sluice.cjs"].map((file) => join(project, file));
}

function clientFile(project: string, env: Environment): string {
  return join(stateDir({ env }), PROJECTS, project, PROJECT_CLIENT);
}

function textAt(path: string): string | undefined {
  return attempt(() => readRegularText(path));
}

const SET = "set -- ";
