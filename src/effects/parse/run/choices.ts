import type { AndOr, Case, CommandNode, CompoundList, If, PipelineNode } from "unbash";
import { GAP } from "../command.ts";
import { copyShell, hasSameState, joinBranches, type Shell } from "../shell-state.ts";
import { expandToPattern, expandToValue } from "../words/expand.ts";
import { patternTest } from "../words/pattern.ts";
import { type Frame, framed, type Outcome, type Reader } from "./reader.ts";

type Run = (node: CommandNode | PipelineNode | AndOr | CompoundList, frame: Frame, reader: Reader) => Outcome;

/** Runs the commands between `&&` and `||`: for sure, never, or perhaps. */
export function runAndOr(node: AndOr, frame: Frame, reader: Reader, run: Run): Outcome {
  let outcome: Outcome = { stdout: "", ends: "well" };
  let stdout = "";
  /** The state of the shell after an `&&` that may not have been passed; the next `&&` continues in it. */
  let branch: Shell | undefined;
  for (const [index, command] of node.commands.entries()) {
    const operator = index === 0 ? undefined : node.operators[index - 1];
    if (branch !== undefined && operator === "||") {
      joinMaybe(frame.shell, branch, true);
      branch = undefined;
    }
    const isSurelyRun = operator === undefined || outcome.ends === (operator === "&&" ? "well" : "badly");
    const isSurelyNot = operator !== undefined && outcome.ends === (operator === "&&" ? "badly" : "well");
    if (isSurelyRun && branch === undefined) {
      outcome = run(command, frame, reader);
      stdout += outcome.stdout;
      continue;
    }
    const shell: Shell = branch === undefined || isSurelyNot ? copyShell(frame.shell) : branch;
    const inner = run(command, framed(frame, shell, frame.stdin), reader);
    if (isSurelyNot) continue;
    if (operator === "&&") branch = shell;
    else joinMaybe(frame.shell, shell, false);
    stdout += inner.stdout === "" ? "" : GAP;
    outcome = { stdout, ends: "unknown" };
  }
  if (branch !== undefined) joinMaybe(frame.shell, branch, true);
  return { stdout, ends: outcome.ends };
}

/** A line such as `… && cd there; …` relies on being there. */
function joinMaybe(shell: Shell, branch: Shell, isPassed: boolean): void {
  const { folder } = branch;
  if (!branch.hasLeft && !shell.hasLeft && hasSameState(shell, branch)) {
    shell.folder = isPassed || folder === shell.folder ? folder : GAP;
    return;
  }
  joinBranches(shell, [copyShell(shell), branch]);
  if (isPassed) shell.folder = folder;
}

/** Runs every branch, each in a shell of its own. */
export function runIf(node: If, frame: Frame, reader: Reader, run: Run): Outcome {
  run(node.clause, frame, reader);
  const branches = [node.then, ...node.elif, ...(node.else ? [node.else] : [])].map((branch) => {
    const shell = copyShell(frame.shell);
    const inner = { ...frame, shell };
    if (branch.type === "Elif") run(branch.clause, inner, reader);
    const { stdout } = run(branch.type === "Elif" ? branch.then : branch, inner, reader);
    return { shell, stdout };
  });
  const shells = branches.map(({ shell }) => shell);
  joinBranches(frame.shell, node.else ? shells : [copyShell(frame.shell), ...shells]);
  return { stdout: branches.every(({ stdout }) => stdout === "") ? "" : GAP, ends: "unknown" };
}

/** Runs the arm that fits, or all that may. */
export function runCase(node: Case, frame: Frame, reader: Reader, run: Run): Outcome {
  const word = expandToValue(node.word, frame, reader);
  const taken: (typeof node.items)[number][] = [];
  for (const item of node.items) {
    const fitting = item.pattern.map((pattern) => {
      const { text, isSure } = expandToPattern(pattern, frame, reader);
      const test = word.isSure && isSure && word.text.length < 256 ? patternTest(text) : undefined;
      return test?.(word.text);
    });
    if (fitting.every((fits) => fits === false)) continue;
    taken.push(item);
    if (fitting.includes(true) && item.terminator !== ";&" && item.terminator !== ";;&") break;
    if (item.terminator !== ";;" && item.terminator !== undefined)
      return runArms(node.items, false, frame, reader, run);
  }
  return runArms(taken, taken.length === 1 && word.isSure, frame, reader, run);
}

function runArms(items: Case["items"], isSure: boolean, frame: Frame, reader: Reader, run: Run): Outcome {
  if (isSure && items[0] !== undefined) return run(items[0].body, frame, reader);
  const branches = items.map(({ body }) => {
    const shell = copyShell(frame.shell);
    return { shell, ...run(body, { ...frame, shell }, reader) };
  });
  joinBranches(frame.shell, [copyShell(frame.shell), ...branches.map(({ shell }) => shell)]);
  return { stdout: branches.every(({ stdout }) => stdout === "") ? "" : GAP, ends: "unknown" };
}
