import { statSync } from "node:fs";
import type { Adapter } from "../adapters/adapter.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { errorText, Problem, problems } from "../problem/problem.ts";
import type { InstallContext } from "./install-context.ts";
import { wroteLast } from "./ledger.ts";
import { isOurFile } from "./targets.ts";

/** What a file says; `undefined` when there is none. Bytes that no text gives back are refused, so that none are lost. */
export function textOf(path: string): string | undefined {
  const bytes = bytesOf(path);
  if (bytes === undefined) return undefined;
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw PROBLEMS.noText({}, { place: { file: path } });
  return text;
}

/** What a piece of work gives, or what a person has to fix before it can be done. */
export function orProblem<Result>(path: string, work: () => readonly Result[]): readonly (Result | Problem)[] {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return [error.place === undefined ? error.at({ file: path }) : error];
    throw error;
  }
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readRegularFile(path);
  } catch (error) {
    const why = errorText(error);
    throw PROBLEMS.unreadable({ why }, { place: { file: path }, cause: error });
  }
}

/** One file that is to change; `undefined` stands for a file that is not there. */
export interface FileEdit {
  readonly agent: string;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isProgram: boolean;
  /** Holds a secret: only its owner may read it. */
  readonly isPrivate?: boolean;
  /** What was there before Sluice came, as far as it is known. */
  readonly original: string | undefined;
  /** What the change brings or takes, in one line each. */
  readonly does?: readonly string[] | undefined;
  /** The MCP server that is all there is to change, in a file that may hold private data. */
  readonly server?: object | undefined;
}

/** A whole file of ours; another program's file under the same name is left alone. */
export function ownFile(
  adapter: Adapter,
  path: string,
  text: string,
  isProgram: boolean,
  around: Pick<InstallContext, "env">,
  does?: readonly string[],
): FileEdit {
  const before = textOf(path);
  const isTheirs = before !== undefined && before.trim() !== "" && !isOurFile(before, adapter);
  if (isTheirs) throw PROBLEMS.notOurs({ title: adapter.title }, { place: { file: path } });
  const otherwise = before?.trim() === "" ? before : undefined;
  return {
    agent: adapter.id,
    path,
    before,
    after: text,
    isProgram,
    original: originalOf(path, before, otherwise, around),
    does,
  };
}

/** Where Sluice wrote the file last, what was there before that is still the original. */
export function originalOf(
  path: string,
  now: string | undefined,
  otherwise: string | undefined,
  { env }: Pick<InstallContext, "env">,
): string | undefined {
  const last = now === undefined ? undefined : wroteLast(path, now, env);
  return last === undefined ? otherwise : (last.original ?? undefined);
}

const PROBLEMS = problems("install", {
  noText: (_: object) => ({
    what: "This file is not UTF-8 text. Nothing was changed.",
    fix: "Save it as UTF-8, and run the command again.",
  }),
  unreadable: ({ why }: { why: string }) => ({
    what: `This file cannot be read: ${why}. Nothing was changed.`,
    fix: "Make it a file that you can read, and run the command again.",
  }),
  notOurs: ({ title }: { title: string }) => ({
    what: `A file that Sluice did not write is where its own has to be for ${title}. Nothing was changed.`,
    fix: "Move it away and run the command again; `sluice import` can make a hook of what it did.",
  }),
});
