import { readFileSync, statSync } from "node:fs";
import { Problem, problems } from "../problem/problem.ts";

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
    return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw PROBLEMS.unreadable({ why }, { place: { file: path }, cause: error });
  }
}

const PROBLEMS = problems("install", {
  noText: (_: object) => ({
    what: "This file is not UTF-8 text. Nothing was changed.",
    fix: "Save it as UTF-8, and run the command again.",
  }),
  unreadable: ({ why }: { why: string }) => ({
    what: `This file cannot be read: ${why}. Nothing was changed.`,
    fix: "Let it be a file that you may read, and run the command again.",
  }),
});
