import type { Effect } from "./effect.ts";
import { GAP, type SimpleCommand } from "./parse/command.ts";
import { pathFrom } from "./paths.ts";
import type { RunReport } from "./programs/call.ts";
import { isProgram } from "./programs/program-name.ts";

/** Whether a file is emptied before a command, or one that its input comes from, has read it: `sort a > a`. */
export function cutsItsInput(
  command: SimpleCommand,
  report: Pick<RunReport, "program" | "reads" | "writes">,
  commands: readonly SimpleCommand[],
  effects: readonly Effect[],
): boolean {
  const cut = cutBy(command, report);
  // Version control shows files as they were, which is not what they hold now.
  if (cut.length === 0 || isProgram("version-control", report.program)) return false;
  if (report.reads.some(({ text }) => cut.includes(text))) return true;
  const before = stagesBefore(command, commands);
  return (
    before.size > 0 &&
    effects.some(
      (effect) =>
        effect.does === "read" &&
        !isProgram("version-control", effect.program) &&
        before.has(effect.command) &&
        cut.includes(effect.path.text),
    )
  );
}

/** The same for commands in brackets, or started by another program: `{ cat a; echo; } > a`, `npx prettier a > a`. */
export function cutAround(commands: readonly SimpleCommand[], effects: readonly Effect[]): readonly Effect[] {
  if (!commands.some(({ redirects }) => redirects.length > 0)) return NONE;
  const found: Effect[] = [];
  for (const [at, command] of commands.entries()) {
    let end = at + 1;
    if (command.redirects.length === 0) continue;
    const last = Math.min(commands.length, end + MAX_INSIDE);
    while (end < last && isInside(commands[end] as SimpleCommand, command)) end++;
    const cut = end === at + 1 ? NONE : cutBy(command, NO_PROGRAM);
    if (cut.length === 0) continue;
    const isRead = effects.some(
      (effect) =>
        effect.does === "read" &&
        !isProgram("version-control", effect.program) &&
        effect.command > at &&
        effect.command < end &&
        cut.includes(effect.path.text),
    );
    if (isRead) found.push({ does: "run", program: command.program?.text ?? "", roles: ["overwrite"], command: at });
  }
  return found;
}

function isInside(inner: SimpleCommand, outer: SimpleCommand): boolean {
  if (outer.program === undefined) return inner.source !== "" && outer.source.includes(inner.source);
  return inner.source === outer.source && inner.via.length > outer.via.length;
}

const NONE: readonly never[] = [];
const MAX_INSIDE = 64;
const NO_PROGRAM = { program: "", writes: [] };

/** What the shell empties before the program starts, and what `tee` empties as soon as it runs. */
function cutBy(
  { redirects, folder, args }: SimpleCommand,
  report: Pick<RunReport, "program" | "writes">,
): readonly string[] {
  const cut: string[] = [];
  for (const { way, target } of redirects) if (way === "write") cut.push(pathFrom(folder, target).text);
  if (isProgram("empties-first", report.program) && !args.some(({ text }) => /^(?:-\w*a|--append$)/.test(text)))
    for (const { text } of report.writes) cut.push(text);
  return cut.filter((text) => !text.includes(GAP));
}

function stagesBefore({ input }: SimpleCommand, commands: readonly SimpleCommand[]): ReadonlySet<number> {
  const found = new Set<number>();
  const left = input.from === "commands" ? [...input.of] : [];
  for (let at = left.pop(); at !== undefined && found.size < MAX_VISITED; at = left.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    const before = commands[at]?.input;
    if (before?.from === "commands") left.push(...before.of);
  }
  return found;
}

const MAX_VISITED = 32;
