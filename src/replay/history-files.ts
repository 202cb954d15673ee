import { readdirSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { TranscriptFormat } from "../adapters/transcripts/format.ts";
import { attempt } from "../event/attempt.ts";
import { homeDir } from "../fs/home-dir.ts";
import { statsAt } from "../fs/resolve-path.ts";
import { fileLines } from "../trace/file-lines.ts";
import { isDatabase } from "./database-rows.ts";

/** A file of an agent's history. */
export interface HistoryFile {
  readonly path: string;
  readonly stats: Stats;
}

/** Every file of an agent's history, by name, so that sessions come in the order in which they began. */
export function historyFiles(
  { folders, home, file, first }: TranscriptFormat,
  env: Readonly<Record<string, string | undefined>>,
): HistoryFile[] {
  const stated = home === undefined ? undefined : env[home.variable];
  const found: HistoryFile[] = [];
  for (const folder of folders) {
    const isElsewhere = home !== undefined && stated !== undefined && isAbsolute(stated);
    const base = isElsewhere ? join(stated, relative(home.instead, folder)) : join(homeDir(env), folder);
    collect(base, file, 0, found);
  }
  const rank = ({ path }: HistoryFile) => (first?.test(path) ? 0 : 1);
  return found.sort(
    (one, other) =>
      rank(one) - rank(other) || compare(basename(one.path), basename(other.path)) || compare(one.path, other.path),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function collect(folder: string, file: RegExp, depth: number, found: HistoryFile[]): void {
  if (depth > MAX_DEPTH || found.length >= MAX_FILES) return;
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const stats = statsAt(path);
    if (stats?.isDirectory()) collect(path, file, depth + 1, found);
    else if (stats?.isFile() && file.test(path)) found.push({ path, stats: newest(path, stats) });
  }
}

/** The latest changes of a database are in the log beside it. */
function newest(path: string, stats: Stats): Stats {
  const log = isDatabase(path) ? statsAt(`${path}-wal`) : undefined;
  return log !== undefined && log.mtimeMs > stats.mtimeMs ? log : stats;
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder).sort()) ?? [];
}

/** The folder that a file around this one names. */
export function folderSaid(path: string, { folderFile }: TranscriptFormat): string | undefined {
  if (folderFile === undefined) return undefined;
  for (let [folder, depth] = [dirname(path), 0]; depth <= MAX_DEPTH; [folder, depth] = [dirname(folder), depth + 1]) {
    const [said = ""] = fileLines(join(folder, folderFile), { broken: 0 });
    if (isAbsolute(said.trim())) return said.trim();
  }
  return undefined;
}

const MAX_DEPTH = 6;
const MAX_FILES = 1_000_000;
