import type { FileEdit } from "../../install/settings-file.ts";
import { Problem, problems } from "../../problem/problem.ts";
import { changedParts, lineDiff } from "../../trust/line-diff.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { type Io, systemErrorText } from "../io.ts";
import { paintFor } from "../show/terminal-text.ts";
import { isConfirmed } from "./confirm.ts";

/** How one command writes changes into settings, and what it says about them. */
export interface SettingsWriting {
  readonly verb: "install" | "uninstall" | "import";
  readonly write: (change: FileEdit) => void;
  readonly written: (change: FileEdit) => string;
  readonly unchanged: string;
  /** What programs are told besides. */
  readonly more?: object;
}

/** Shows what would change, asks where somebody can answer, and writes. One file that cannot be written stops no other. */
export async function writeChanges(
  planned: readonly (FileEdit | Problem)[],
  input: CommandInput,
  writing: SettingsWriting,
): Promise<Exit> {
  const { io } = input;
  const problems = planned.filter((change) => change instanceof Problem);
  const changes = planned.filter((change): change is FileEdit => !(change instanceof Problem));
  const isJson = input.has("json");
  if (!isJson) for (const change of changes) showChange(change, input);
  const isTrial = input.has("dry-run");
  const may = changes.length > 0 && !isTrial && (await isAllowed(changes, input, writing.verb));
  const refused = may ? changes.flatMap((change) => attempt(change, input, writing)) : [];
  const all = [...problems, ...refused];
  for (const problem of all) io.err(problem.format());
  if (isJson)
    io.out(JSON.stringify({ written: may, changes: changes.map(changeJson), problems: all, ...writing.more }, null, 2));
  else if (changes.length === 0 && all.length === 0) io.out(writing.unchanged);
  return (may || isTrial || changes.length === 0) && all.length === 0 ? "done" : "problem";
}

/** Whether this call only shows what it would do, because it was told to or because nobody can agree to it. */
export function isOnlyShown({ has, io }: Pick<CommandInput, "has" | "io">): boolean {
  return has("dry-run") || (!has("yes") && (!io.isTerminal || has("json")));
}

function showChange({ path, before, after, agent }: FileEdit, { io }: CommandInput): void {
  const what = after === undefined ? "goes away" : before === undefined ? "is new" : "changes";
  io.out(`${agent}: ${shortPath(path, io)} ${what}`);
  for (const line of diffLines(withoutSecrets(before), withoutSecrets(after), io)) io.out(line);
}

/** Without a terminal nobody is asked, and nothing is written without `--yes`. */
async function isAllowed(changes: readonly FileEdit[], input: CommandInput, verb: string): Promise<boolean> {
  const { io } = input;
  if (input.has("yes")) return true;
  if (!io.isTerminal || input.has("json")) {
    io.err(`Nothing was written. \`sluice ${verb} … --yes\` writes what is shown.`);
    return false;
  }
  const files = changes.length === 1 ? "this file" : `these ${changes.length} files`;
  const isYes = await isConfirmed(`Write ${files}?`);
  if (!isYes) io.err("Nothing was written.");
  return isYes;
}

function attempt(change: FileEdit, input: CommandInput, { write, written }: SettingsWriting): Problem[] {
  try {
    write(change);
    if (!input.has("json")) input.io.out(`${shortPath(change.path, input.io)}: ${written(change)}`);
    return [];
  } catch (error) {
    if (error instanceof Problem) return [error];
    const why = systemErrorText(error) ?? (error instanceof Error ? error.message : String(error));
    return [PROBLEMS.unwritable({ why }, { place: { file: change.path } })];
  }
}

function changeJson({ agent, path, before, after, server }: FileEdit): object {
  return {
    agent,
    path,
    change: after === undefined ? "removed" : before === undefined ? "new" : "changed",
    ...(server === undefined ? { after: withoutSecrets(after) } : { server }),
  };
}

/** What is shown may be kept by whoever sees it. */
function withoutSecrets(text: string | undefined): string | undefined {
  return text?.replaceAll(/\bBearer [0-9a-f]{64}\b/g, "Bearer …");
}

/** What would change in a file, as lines that a person can read. */
function diffLines(before: string | undefined, after: string | undefined, io: Io): string[] {
  const paint = paintFor(io);
  const parts = changedParts(lineDiff(before ?? "", after ?? ""));
  const shown = parts.length > MOST_LINES + 1 ? parts.slice(0, MOST_LINES) : parts;
  const lines = shown.map((part) => {
    if (part === undefined) return paint.dim("    …");
    if (part.kind === "same") return paint.dim(`    ${part.line}`);
    return part.kind === "new" ? paint.good(`  + ${part.line}`) : paint.bad(`  - ${part.line}`);
  });
  return shown === parts
    ? lines
    : [...lines, paint.dim(`    … and ${parts.length - MOST_LINES} more lines like these`)];
}

const MOST_LINES = 100;

const PROBLEMS = problems("install", {
  unwritable: ({ why }: { why: string }) => ({
    what: `This file could not be written: ${why}. It is as it was.`,
    fix: "Change its rights, or name another scope: --scope user or --scope project.",
  }),
});
