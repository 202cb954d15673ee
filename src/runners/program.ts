import { closeSync, readSync, type Stats, statSync } from "node:fs";
import { extname, isAbsolute, resolve } from "node:path";
import type { Failure } from "../decision/failure.ts";
import { attempt } from "../event/attempt.ts";
import { openRegularFile } from "../fs/regular-file.ts";
import type { Hook } from "../hook/hook.ts";
import { typescriptInterpreter } from "./typescript.ts";
import { fromHome } from "./working-directory.ts";

/** What to start for a hook, or why nothing can be started. */
export type HookProgram =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly failure: Extract<Failure, { why: "not_found" | "not_executable" }> };

/** The program of a command hook: its own arguments, a shell with its command, or whatever runs its script. */
export function programOf(
  hook: Hook,
  cwd: string,
  {
    command = hook.command,
    script = scriptPath(hook.script ?? "", cwd),
  }: Partial<Record<"command" | "script", string | undefined>> = {},
): HookProgram {
  const [program, ...args] = hook.args ?? [];
  if (program !== undefined) return { program, args };
  return command === undefined ? scriptOf(script) : shellOf(hook, command);
}

/** The path of a hook's script. */
export function scriptPath(script: string, cwd: string): string {
  return resolve(cwd, fromHome(script));
}

function shellOf(hook: Hook, command: string): HookProgram {
  if (process.platform !== "win32") return { program: hook.shell ?? "/bin/sh", args: ["-c", command] };
  const shell = hook.shell ?? process.env.ComSpec ?? "cmd.exe";
  return { program: shell, args: /cmd(\.exe)?$/i.test(shell) ? ["/d", "/s", "/c", command] : ["-c", command] };
}

/** A script with a first line `#!` is run by that; else its suffix decides. */
function scriptOf(script: string): HookProgram {
  const stats = statsOf(script);
  if (!stats?.isFile()) return { failure: { why: "not_found", program: script } };
  const isExecutable = (stats.mode & 0o111) !== 0 && process.platform !== "win32";
  const bySuffix = interpreterFor(extname(script).toLowerCase());
  // Without a first line that names its interpreter, the system would take it for a shell script, whatever it is.
  if (isExecutable && (bySuffix === undefined || shebangOf(script) !== undefined)) return { program: script, args: [] };
  const [program, ...args] = namedInterpreter(script) ?? bySuffix ?? [];
  if (program === undefined) return { failure: { why: "not_executable", program: script } };
  return { program, args: [...args, script] };
}

function statsOf(file: string): Stats | undefined {
  return attempt(() => statSync(file));
}

function namedInterpreter(script: string): readonly string[] | undefined {
  const parts = shebangOf(script)?.map((part) => part.trimEnd());
  return parts?.[0] !== undefined && isAbsolute(parts[0]) ? parts : undefined;
}

function interpreterFor(suffix: string): readonly string[] | undefined {
  return TYPESCRIPT.has(suffix) ? typescriptInterpreter() : INTERPRETERS[suffix];
}

/** The interpreter in a script's first line, and its one argument; undefined if there is none. */
export function shebangOf(script: string): readonly [program: string, ...argument: string[]] | undefined {
  const found = /^#![ \t]*([^ \t\n]+)(?:[ \t]+([^\n]*?))?[ \t]*(?:\n|$)/.exec(firstBytes(script));
  if (found?.[1] === undefined) return undefined;
  return found[2] ? [found[1], found[2]] : [found[1]];
}

function firstBytes(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openRegularFile(file);
    const buffer = Buffer.alloc(256);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const TYPESCRIPT: ReadonlySet<string> = new Set([".ts", ".mts", ".cts"]);
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  ".sh": ["/bin/sh"],
  ".bash": ["bash"],
  ".zsh": ["zsh"],
  ".fish": ["fish"],
  ".py": ["python3"],
  ".js": [process.execPath],
  ".mjs": [process.execPath],
  ".cjs": [process.execPath],
  ".rb": ["ruby"],
  ".pl": ["perl"],
  ".ps1": ["pwsh", "-NoProfile", "-File"],
};
