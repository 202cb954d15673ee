import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { stateDir } from "../../fs/state-dir.ts";
import { fingerprint } from "../../trace/fingerprint.ts";

/** What tells a call from others, before it runs and when it has ended. */
export interface CallSigns {
  readonly session_id?: string | undefined;
  readonly tool: string;
  readonly call_id?: string | undefined;
  /** A hash of its input, for agents that give calls no id; empty where the end of a call does not tell it. */
  readonly input: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the end of any call is waited for: one look at a folder that is mostly empty or not there. */
export function hasOpenCalls(env: Environment): boolean {
  return names(openFolder(env)).length > 0;
}

/**
 * Remembers that the end of a call is of interest. Everything about it is in the name of its file, so that the end of a call
 * opens none; of calls that never end, only the latest are remembered.
 */
export function openCall(env: Environment, name: string, signs: CallSigns): void {
  const open = names(openFolder(env));
  for (const old of open.slice(0, Math.max(0, open.length + 1 - MAX_OPEN))) forget(env, old);
  writeFileSync(join(openFolder(env), [name, ...marksOf(signs)].join(".")), "", { mode: 0o600 });
}

/**
 * Forgets the open call that has ended, the latest that fits; its name among the kept calls. Those that never will end are
 * forgotten too.
 */
export function closeCall(env: Environment, signs: CallSigns, now = Date.now()): string | undefined {
  const [wanted, id, input] = marksOf(signs);
  const open = names(openFolder(env)).filter((file) => {
    const isOld = now - Number.parseInt(file, 36) > LONGEST_CALL_MS;
    if (isOld) forget(env, file);
    return !isOld;
  });
  const ended = open.findLast((file) => {
    const [, session, call, given] = file.split(".");
    return session === wanted && (id !== NONE && call !== NONE ? call === id : given === input || input === NONE);
  });
  if (ended !== undefined) forget(env, ended);
  return ended?.split(".")[0];
}

function marksOf({ session_id = "", tool, call_id, input }: CallSigns): readonly [string, string, string] {
  const mark = (text: string | undefined) =>
    text === undefined || text === "" ? NONE : fingerprint(text).slice(0, 16);
  return [mark(`${session_id}\0${tool}`), mark(call_id), mark(input)];
}

function forget(env: Environment, file: string): void {
  rmSync(join(openFolder(env), file), { force: true });
}

/** The folder of open calls. */
function openFolder(env: Environment): string {
  return join(stateDir({ env }), "undo", "open");
}

function names(folder: string): string[] {
  return attempt(() => readdirSync(folder).sort()) ?? [];
}

const NONE = "-";
const LONGEST_CALL_MS = 30 * 60_000;
const MAX_OPEN = 200;
