import { existsSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../event/json.ts";
import { ensurePrivateDir, stateDir } from "../fs/state-dir.ts";
import { writePrivate } from "../fs/write-atomic.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What `sluice setup` wrote besides the settings of agents. */
interface SetupNote {
  readonly configuration: string;
  /** The outermost folder that had to be made for it. */
  readonly madeFolder?: string | undefined;
}

/** The outermost missing folder on the way to a file. */
export function missingFolder(path: string): string | undefined {
  const folder = dirname(path);
  return existsSync(folder) ? undefined : (missingFolder(folder) ?? folder);
}

/** Notes that `sluice setup` wrote the user's configuration, so that `sluice uninstall` takes it away again. */
export function noteSetup(note: SetupNote, env: Env): void {
  if (ensurePrivateDir(stateDir({ env }))) writePrivate(noteIn(env), `${JSON.stringify(note)}\n`);
}

/** Whether `sluice setup` wrote this file. */
export function wasSetUp(configuration: string, env: Env): boolean {
  return readNote(env)?.configuration === configuration;
}

/** Forgets the setup, once it is undone: folders that it made go away if they are empty. */
export function forgetSetup(env: Env): void {
  const { configuration, madeFolder } = readNote(env) ?? {};
  rmSync(noteIn(env), { force: true });
  if (configuration === undefined || madeFolder === undefined) return;
  for (let folder = dirname(configuration); folder.startsWith(madeFolder); folder = dirname(folder)) {
    if (!existsSync(folder)) continue;
    try {
      rmdirSync(folder);
    } catch {
      // Something else is in it by now.
      return;
    }
  }
}

function readNote(env: Env): SetupNote | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(noteIn(env), "utf8"));
    return isObject(note) && typeof note.configuration === "string" ? (note as unknown as SetupNote) : undefined;
  } catch {
    return undefined;
  }
}

function noteIn(env: Env): string {
  return join(stateDir({ env }), "setup.json");
}
