import type { CommandNode, Pipeline } from "unbash";
import { copyShell, type Stdin } from "../shell-state.ts";
import { type Frame, framed, type Outcome, type Reader, runTraps } from "./reader.ts";

type Run = (node: CommandNode, frame: Frame, reader: Reader) => Outcome;

/** Runs commands that are joined by `|`: what one prints is what the next one reads. */
export function runPipeline(node: Pipeline, frame: Frame, reader: Reader, run: Run): Outcome {
  const isNegated = node.prefixes.length > 0 && node.prefixes.some(({ type }) => type === "Negation");
  const [only] = node.commands;
  if (node.commands.length === 1 && only !== undefined) {
    const outcome = run(only, frame, reader);
    return isNegated ? { ...outcome, ends: OPPOSITE[outcome.ends] } : outcome;
  }
  let { stdin } = frame;
  let outcome: Outcome = { stdout: "", ends: "well" };
  for (const command of node.commands) {
    const from = reader.commands.length;
    const stage = framed(frame, copyShell(frame.shell), stdin);
    outcome = run(command, stage, reader);
    runTraps(stage, reader);
    const of: number[] = [];
    for (let at = from; at < reader.commands.length && of.length < MOST; at++) of.push(at);
    const { stdout: text, path, listed } = outcome;
    const next: Stdin = { text, at: 0, input: { from: "commands", of }, path, listed };
    stdin = next;
  }
  return isNegated ? { ...outcome, ends: OPPOSITE[outcome.ends] } : outcome;
}

const OPPOSITE = { well: "badly", badly: "well", unknown: "unknown" } as const;
const MOST = 64;
