import { readdirSync, rmSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { oncePerText } from "../../event/once.ts";
import { sha256Text } from "../../fs/late-builtins.ts";
import { appendRegularFile, readRegularText } from "../../fs/regular-file.ts";
import { entryAt, realPath, statsAt } from "../../fs/resolve-path.ts";
import { FileCache } from "../../fs/stat-cache.ts";
import { makePrivateDir, type StateHome, stateDir } from "../../fs/state-dir.ts";
import { writePrivate } from "../../fs/write-atomic.ts";
import { problems } from "../../problem/problem.ts";
import { repositoryName } from "../../runners/git-remotes.ts";
import { WHY_UNWRITABLE } from "../../trace/rotation.ts";
import { unsafeStateProblem } from "../../trust/private-approvals.ts";

/** A session as agents tell it apart from others. */
export interface SessionKey {
  readonly agent: string | undefined;
  readonly sessionId: string | undefined;
}

/** Which intent a session has selected. */
export interface Binding {
  readonly root: string;
  readonly agent: string;
  readonly session_id: string;
  readonly intent_id: string;
  /** When, in ISO 8601. */
  readonly at: string;
}

/** The intent that this session has selected; undefined if it has selected none. Throws if others could have written it. */
export function boundIntent(
  root: string,
  session: SessionKey,
  where: StateHome = {},
  real = realPath(root),
): string | undefined {
  const path = fileFor(real, session, where);
  const stats = entryAt(path);
  const problem = unsafeStateProblem(dirname(path), "folder") ?? unsafeStateProblem(path, "file", { stats });
  if (problem !== undefined) throw problem;
  const found = stats && BINDINGS.read(path, () => readBinding(path), stats);
  const isOurs = found?.root === real && found.session_id === (session.sessionId ?? "");
  return isOurs ? found.intent_id : undefined;
}

/** Writes down which intent a session has selected; it holds until the session selects another. */
export function bindSession(root: string, session: SessionKey, intentId: string, where: StateHome = {}): void {
  const real = realPath(root);
  const path = fileFor(real, session, where);
  const { agent = "", sessionId = "" } = session;
  const at = new Date().toISOString();
  const binding: Binding = { root: real, agent, session_id: sessionId, intent_id: intentId, at };
  try {
    makePrivateDir(dirname(path));
    const problem = unsafeStateProblem(dirname(path), "folder") ?? unsafeStateProblem(path, "file");
    if (problem !== undefined) throw problem;
    writePrivate(path, `${JSON.stringify(binding)}\n`);
    leaveForOthers(binding, where);
  } catch (error) {
    const why = WHY_UNWRITABLE[(error as NodeJS.ErrnoException).code ?? ""];
    throw why === undefined ? error : PROBLEMS.unwritableBinding({ path, why }, { cause: error });
  }
}

/** Where sessions leave which intent they select, if machines share that. */
export const SHARED_BINDINGS = "intents/shared";

/** Writes a selection down for other machines that work on the same repository. */
function leaveForOthers({ root, ...binding }: Binding, where: StateHome): void {
  const path = sharedFile(root, where);
  if (path === undefined) return;
  // What is in it was sent long ago.
  if ((statsAt(path)?.size ?? 0) > MAX_SHARED_BYTES) rmSync(path, { force: true });
  appendRegularFile(path, `${JSON.stringify(binding)}\n`);
}

/** What sessions of other machines have selected in this repository. */
function bindingsElsewhere(root: string, where: StateHome): Binding[] {
  const path = sharedFile(root, where);
  const lines = (path === undefined ? undefined : attempt(() => readRegularText(path)))?.split("\n") ?? [];
  // The newest first: two selections may be of the same millisecond.
  return lines.reverse().flatMap((line): Binding[] => {
    const { agent, session_id, intent_id, at, from } = Object(attempt(() => JSON.parse(line)));
    const isWhole = [agent, session_id, intent_id, at, from].every((one) => typeof one === "string");
    return isWhole ? [{ root, agent, session_id, intent_id, at }] : [];
  });
}

function sharedFile(root: string, where: StateHome): string | undefined {
  const folder = join(stateDir(where), SHARED_BINDINGS);
  const repository = statsAt(folder) === undefined ? undefined : repositoryName(root);
  return repository === undefined ? undefined : join(folder, `${sha256(repository)}.jsonl`);
}

const PROBLEMS = problems("intent", {
  unwritableBinding: ({ path, why }: { path: string; why: string }) => ({
    what: `${path} cannot be written, ${why}.`,
    fix: "Make room or give yourself the right to write there, and select the intent again.",
  }),
});

/** What the other sessions of a project have selected lately, the newest first. */
export function otherBindings(
  root: string,
  { agent = "", sessionId = "" }: SessionKey,
  where: StateHome = {},
): Binding[] {
  const real = realPath(root);
  const folder = folderFor(real, where);
  const since = new Date(Date.now() - LATELY_MS).toISOString();
  const names = attempt(() => readdirSync(folder).filter((name) => name.endsWith(".json"))) ?? [];
  const here = names.slice(0, MAX_SESSIONS).flatMap((name) => readBinding(join(folder, name)) ?? []);
  const found = [...here, ...bindingsElsewhere(real, where)]
    .filter((one) => one.at > since && (one.session_id !== sessionId || one.agent !== agent))
    .sort((one, other) => other.at.localeCompare(one.at));
  const key = (one: Binding) => `${one.agent}\0${one.session_id}`;
  // A session that has selected twice works on what it selected last.
  return found.filter((one, at) => found.findIndex((other) => key(other) === key(one)) === at);
}

function readBinding(path: string): Binding | undefined {
  try {
    const found = JSON.parse(readRegularText(path)) as Binding;
    return typeof found.intent_id === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}

function fileFor(real: string, { agent = "", sessionId = "" }: SessionKey, where: StateHome): string {
  return `${folderFor(real, where)}${sep}${sha256(`${agent}\0${sessionId}`)}.json`;
}

/** A project is identified by its resolved path. */
function folderFor(real: string, where: StateHome): string {
  return join(stateDir(where), "intents", sha256(real));
}

/** The same few projects and sessions are asked about at every call. */
const sha256 = oncePerText((text: string): string => sha256Text(text));

const BINDINGS = new FileCache<Binding | undefined>();
const LATELY_MS = 24 * 60 * 60 * 1000;
const MAX_SESSIONS = 500;
const MAX_SHARED_BYTES = 256 * 1024;
