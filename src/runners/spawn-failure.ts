import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Failure } from "../decision/failure.ts";
import { shebangOf } from "./program.ts";

/** Why a program did not start, as a fact about the hook. Never throws. */
export function spawnFailure(error: unknown, { program, cwd }: { program: string; cwd: string }): Failure {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const folder = kindOf(cwd);
  if (folder !== "folder") {
    const fact = folder === "other" ? "is not a folder" : "is not there";
    return { why: "spawn_error", message: `its working directory ${cwd} ${fact}` };
  }
  const why = WHY[code];
  if (why === "not_found") return { why, program: missingProgram(program, cwd) };
  if (why === "not_executable") return { why, program };
  return { why: "spawn_error", message: WORDS[code] ?? message ?? String(error) };
}

const WHY: Readonly<Record<string, "not_found" | "not_executable">> = {
  ENOENT: "not_found",
  ENOTDIR: "not_found",
  ELOOP: "not_found",
  ENAMETOOLONG: "not_found",
  EACCES: "not_executable",
  EPERM: "not_executable",
  EISDIR: "not_executable",
  ENOEXEC: "not_executable",
};

const WORDS: Readonly<Record<string, string>> = {
  E2BIG: "its arguments and environment are too large",
  EMFILE: "this program has too many files open",
  ENFILE: "the system has too many files open",
  EAGAIN: "the system allows no more processes",
  ENOMEM: "the system is short of memory",
  ETXTBSY: "its program is being written to",
};

/** A script that is there and cannot be found has a first line that names a program that is not. */
function missingProgram(program: string, cwd: string): string {
  const script = resolve(cwd, program);
  const interpreter = program.includes("/") && kindOf(script) === "other" ? shebangOf(script)?.[0] : undefined;
  if (interpreter === undefined) return program;
  const cause = interpreter.endsWith("\r") ? " (its lines end in CR LF)" : "";
  return `${interpreter.trimEnd()}, which the first line of ${program} names${cause}`;
}

function kindOf(path: string): "folder" | "other" | "missing" {
  try {
    return statSync(path).isDirectory() ? "folder" : "other";
  } catch {
    return "missing";
  }
}
