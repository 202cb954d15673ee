import type { FileEdit } from "../../install/settings-file.ts";
import { errorText, Problem, problems } from "../../problem/problem.ts";
import { changedParts, lineDiff } from "../../trust/line-diff.ts";
import type { CommandInput } from "../command.ts";
import { shortPath } from "../configuration.ts";
import type { Exit } from "../exit-codes.ts";
import { type Io, systemErrorText } from "../io.ts";
import { paintFor } from "../show/terminal-text.ts";
import { isConfirmed } from "./confirm.ts";

/** How one command writes changes into settings, and what it prints about them. */
export interface SettingsWriting {
  readonly verb: "install" | "uninstall" | "import";
  readonly write: (change: FileEdit) => void;
  readonly written: (change: FileEdit) => string;
  readonly unchanged: string;
  /** The user's own configuration, where it is written too; it belongs to no agent. */
  readonly configuration?: FileEdit | undefined;
  /** Additional fields for programs. */
  readonly more?: object;
}

/** Shows what would change, asks where a person can answer, and writes. One file that cannot be written stops no other. */
export async function writeChanges(
  planned: readonly (FileEdit | Problem)[],
  input: CommandInput,
  writing: SettingsWriting,
): Promise<Exit> {
  const { io } = input;
  const problems = planned.filter((change) => change instanceof Problem);
  const settings = planned.filter((change): change is FileEdit => !(change instanceof Problem));
  const { configuration } = writing;
  const changes = configuration === undefined ? settings : [configuration, ...settings];
  const isJson = input.has("json");
  if (!isJson) for (const change of changes) showChange(change, input, writing.verb === "uninstall" ? "-" : "+");
  const isCut = !input.has("diff") && changes.some(({ does }) => does !== undefined);
  if (!isJson && isCut && !input.has("yes")) io.out(paintFor(io).dim("--diff shows every line."));
  const isTrial = input.has("dry-run");
  const may = changes.length > 0 && !isTrial && (await isAllowed(changes, input, writing.verb));
  const refused = may ? changes.flatMap((change) => attempt(change, input, writing)) : [];
  const all = [...problems, ...refused];
  for (const problem of all) io.err(problem.format());
  if (isJson)
    io.out(
      JSON.stringify(
        {
          written: may,
          changes: settings.map(changeJson),
          ...(configuration === undefined ? {} : { configuration: changeJson(configuration) }),
          problems: all,
          ...writing.more,
        },
        null,
        2,
      ),
    );
  else if (changes.length === 0 && all.length === 0) io.out(writing.unchanged);
  return (may || isTrial || changes.length === 0) && all.length === 0 ? "done" : "problem";
}

/** Whether this call only shows what it would do, because of an option or because no person can confirm it. */
export function isOnlyShown({ has, io }: Pick<CommandInput, "has" | "io">): boolean {
  return has("dry-run") || (!has("yes") && (!io.isTerminal || has("json")));
}

/** One line for a file, and a short description of its changes; with `--diff`, or without a short description, every line. */
function showChange({ path, before, after, agent, does }: FileEdit, { io, has }: CommandInput, sign: "+" | "-"): void {
  const what = after === undefined ? "goes away" : before === undefined ? "is new" : "changes";
  io.out(`${agent}: ${shortPath(path, io)} ${what}`);
  if (does === undefined || has("diff"))
    for (const line of diffLines(withoutSecrets(before), withoutSecrets(after), io)) io.out(line);
  else for (const line of does) io.out(shortLine(`  ${sign} ${line}`, io));
}

/** A line of a preview, as wide as the terminal; whole where nothing is a terminal. */
function shortLine(line: string, io: Io): string {
  const columns = process.stdout.columns ?? COLUMNS;
  return io.isTerminal && line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}

/** Without a terminal no question is asked, and nothing is written without `--yes`. */
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
    const why = systemErrorText(error) ?? errorText(error);
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

/** What is shown may end in a log. */
function withoutSecrets(text: string | undefined): string | undefined {
  return text?.replaceAll(/\bBearer [0-9a-f]{64}\b/g, "Bearer …");
}

/** What would change in a file, as lines that a person can read. */
function diffLines(before: string | undefined, after: string | undefined, io: Io): string[] {
  const paint = paintFor(io);
  const parts = changedParts(lineDiff(before ?? "", after ?? ""));
  return parts.map((part) => {
    if (part === undefined) return paint.dim("    …");
    if (part.kind === "same") return paint.dim(`    ${part.line}`);
    return part.kind === "new" ? paint.good(`  + ${part.line}`) : paint.bad(`  - ${part.line}`);
  });
}

const COLUMNS = 80;

const PROBLEMS = problems("install", {
  unwritable: ({ why }: { why: string }) => ({
    what: `This file could not be written: ${why}. It is as it was.`,
    fix: "Change its rights, or name another scope: --scope user or --scope project.",
  }),
});
