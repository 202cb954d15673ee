import { resolve } from "node:path";
import { toJsonText } from "../../event/json.ts";
import { opens, type ReplayChange, type ReplayReport } from "../../replay/replay-report.ts";
import type { BuildFinding } from "./findings.ts";
import { plural } from "./terminal-text.ts";

/** A replay as build servers show it: what opens is an error unless it was accepted, what shuts a warning, drift a note. */
export function replayFindings({ changes, hash }: ReplayReport, isAccepted: boolean, root: string): BuildFinding[] {
  return changes.map((change) => {
    const { cause, rule, said, shape } = change;
    const isOpening = cause === "change" && opens(change);
    const fix = isOpening && !isAccepted ? { fix: `If that is meant: sluice replay --accept ${hash}` } : {};
    return {
      level: isOpening && !isAccepted ? "error" : cause === "drift" ? "note" : "warning",
      code: `replay/${cause === "drift" ? "drift" : isOpening ? "opens" : "shuts"}`,
      message: `${changeText(change)}: ${shape}; ${countText(change)}, for example ${exampleText(change)}${rule === null ? "" : ` (${said})`}`,
      ...fix,
      ...(rule?.file ? { place: { file: resolve(root, rule.file), ...(rule.line ? { line: rule.line } : {}) } } : {}),
    };
  });
}

/** How much of the calls could be judged. */
export function headline({ total, judged, cannot_tell }: ReplayReport): string {
  if (total === 0) return "no recorded call";
  const share = (count: number) => `${((100 * count) / total).toFixed(1)} %`;
  const removed = cannot_tell.redacted + cannot_tell.cut;
  return `judged ${share(judged)}, ${share(removed)} cut or redacted, ${share(cannot_tell.needs_run)} need a run`;
}

/** What became of what. */
export function changeText({ from, to }: Pick<ReplayChange, "from" | "to">): string {
  return `${from} → ${to}`;
}

/** How often, in how many sessions. */
export function countText({ count, sessions }: Pick<ReplayChange, "count" | "sessions">): string {
  return `${plural(count, "call")} in ${plural(sessions, "session")}`;
}

/** The example's own words: its command, its file, or all of its input. */
export function exampleText({ example }: Pick<ReplayChange, "example">): string {
  const { input, tool = "" } = example;
  if (typeof input !== "object" || input === null) return String(input ?? "");
  const fields = input as Readonly<Record<string, unknown>>;
  const telling = TELLING.map((key) => fields[key]).find((value) => typeof value === "string" && value !== "");
  if (telling === undefined) return `${tool} ${toJsonText(input).slice(0, LONGEST)}`.trim();
  return (typeof fields.command === "string" ? telling : `${tool} ${telling}`) as string;
}

const TELLING = ["command", "file_path", "path", "filePath", "notebook_path", "url", "query", "pattern", "prompt"];
const LONGEST = 300;
