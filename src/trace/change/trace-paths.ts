import { readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "../../event/attempt.ts";
import { sha256 } from "../../fs/read-once.ts";
import { realPath } from "../../fs/resolve-path.ts";
import { stateDir } from "../../fs/state-dir.ts";

/** A project, and the environment that determines the folder of this user's state. */
export interface TracedProject {
  readonly root: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The path of a project's trace, and what is remembered about it out of the project's reach. */
export interface TracePaths {
  /** `.orchestration`. */
  readonly folder: string;
  /** The trace itself. */
  readonly file: string;
  /** This user's own folder about this project. */
  readonly state: string;
}

/** The paths of a project's trace; a project is identified by its real path. */
export function tracePaths({ root, env = process.env }: TracedProject): TracePaths {
  const folder = traceFolder(root);
  const state = join(stateDir({ env }), "trace", sha256(realPath(root)).slice(0, KEY_DIGITS));
  return { folder, file: join(folder, FILE), state };
}

const FILE = "agent_trace.jsonl";
const KEY_DIGITS = 32;

/** The folder in which a project keeps its intents and its trace. */
export function traceFolder(root: string): string {
  return join(root, ".orchestration");
}

/** The files of a trace, oldest first: those that were closed, then the one that is written to. */
export function traceFiles({ file }: Pick<TracePaths, "file">): string[] {
  const folder = dirname(file);
  const numbers = namesIn(folder).flatMap((name) => {
    const number = NUMBERED.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...numbers.sort((one, other) => one - other).map((number) => segmentFile(file, number)), file];
}

/** Closes the file that is written to, as the segment of this number. */
export function closeSegment(file: string, number: number): void {
  renameSync(file, segmentFile(file, number));
}

/** The file of a closed segment. */
export function segmentFile(file: string, number: number): string {
  return join(dirname(file), basename(file).replace(/\.jsonl$/, `.${number}.jsonl`));
}

/** The names in a folder; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

const NUMBERED = /^agent_trace\.(\d+)\.jsonl$/;
