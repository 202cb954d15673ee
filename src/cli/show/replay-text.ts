import { resolve } from "node:path";
import { toJsonText } from "../../event/json.ts";
import type { ContainedCalls } from "../../replay/contained-calls.ts";
import {
  openings,
  opens,
  otherPolicyLines,
  type ReplayChange,
  type ReplayReport,
  unchangedText,
} from "../../replay/replay-report.ts";
import type { SparedQuestions } from "../../replay/spared-questions.ts";
import type { Io } from "../io.ts";
import type { BuildFinding } from "./findings.ts";
import { oneLine, type Paint, paintFor, plural, visible } from "./terminal-text.ts";

/** What is printed about a replay besides its report. */
export interface ReplayNotes {
  readonly names: { readonly before: string; readonly after: string };
  readonly isAccepted: boolean;
  /** Lines of a source that hold no call. */
  readonly skipped: number;
  /** What to do if the source does not contain a call. */
  readonly whenEmpty: string;
}

/** A replay for a person: how much could be judged, then what would open, what would be stopped, and what has drifted. */
export function replayText(report: ReplayReport, notes: ReplayNotes, io: Io): readonly string[] {
  const { total, changes, hash } = report;
  const paint = paintFor(io);
  const { before, after } = notes.names;
  const opened = openings(changes);
  const lines = [
    paint.strong(`${plural(total, "call")}: ${visible(after)} against ${visible(before)}`),
    headline(report),
    ...originLine(report, paint),
    ...otherPolicyLines(report).map((line) => paint.warn(visible(line))),
    ...(notes.skipped > 0 ? [paint.dim(skippedText(notes.skipped))] : []),
  ];
  for (const { title, isMeant, colour } of SECTIONS) {
    const meant = changes.filter(isMeant);
    if (meant.length === 0) continue;
    lines.push(
      "",
      paint.strong(title),
      ...meant.slice(0, MOST).flatMap((one) => changeLines(one, paint[colour], paint, io)),
    );
    if (meant.length > MOST) lines.push(`  … and ${meant.length - MOST} more; --json or --html shows all.`);
  }
  const unchanged = unchangedText(report);
  if (unchanged !== undefined) lines.push("", unchanged);
  if (total === 0) lines.push(notes.whenEmpty);
  if (opened.length > 0)
    lines.push(
      "",
      notes.isAccepted
        ? `What opens was accepted (${hash}).`
        : paint.bad(`${plural(opened.length, "change")} would open something. If that is meant: --accept ${hash}`),
    );
  return lines;
}

/** Sessions without a person may be most of a history. */
function originLine({ made }: ReplayReport, paint: Paint): string[] {
  const parts = [
    made["sub-agent"] > 0 ? `${made["sub-agent"]} by sub-agents` : "",
    made.sdk > 0 ? `${made.sdk} in sessions that a program began` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? [] : [paint.dim(`${parts.join(", ")}`)];
}

interface Section {
  readonly title: string;
  readonly colour: "bad" | "warn" | "dim";
  readonly isMeant: (change: ReplayChange) => boolean;
}

const SECTIONS: readonly Section[] = [
  { title: "would open", colour: "bad", isMeant: (one) => one.cause === "change" && opens(one) },
  { title: "would be stopped or changed", colour: "warn", isMeant: (one) => one.cause === "change" && !opens(one) },
  {
    title: "drift: the older policy decides otherwise now than was recorded",
    colour: "dim",
    isMeant: (one) => one.cause === "drift",
  },
];

function changeLines(change: ReplayChange, painted: (text: string) => string, paint: Paint, io: Io): string[] {
  const { rule, said: name, shape, example } = change;
  const place = rule === null || rule.file === null ? "" : `  ${rule.file}${rule.line === null ? "" : `:${rule.line}`}`;
  const said = rule === null ? "" : `  ${visible(name)}${paint.dim(visible(place))}`;
  const why = example.id === undefined ? "" : `  (sluice why ${example.id})`;
  return [
    `  ${painted(changeText(change))}  ${countText(change)}${said}`,
    `      ${oneLine(visible(shape), io.width - 6)}`,
    paint.dim(
      `      ${oneLine(`e.g. ${visible(exampleText(change))}`, Math.max(20, io.width - 6 - why.length))}${why}`,
    ),
  ];
}

/** A replay as build servers show it: what opens is an error unless it was accepted, what shuts a warning, drift a note. */
export function replayFindings(report: ReplayReport, notes: ReplayNotes, root: string): BuildFinding[] {
  const { changes, hash, total, judged, isWhole } = report;
  const { isAccepted, skipped, whenEmpty } = notes;
  const unclear = `${total - judged} of ${total} calls cannot be judged: ${headline(report)}.`;
  const unread: BuildFinding[] = [
    ...(judged === total
      ? []
      : [{ level: judged === 0 ? "warning" : "note", code: "replay/cannot-tell", message: unclear } as const]),
    ...(isWhole
      ? []
      : [{ level: "warning", code: "replay/policy-unread", message: "A policy could not be read whole." } as const]),
    ...otherPolicyLines(report).map((message) => ({ level: "note" as const, code: "replay/other-policy", message })),
    ...(skipped > 0 ? [{ level: "note" as const, code: "replay/unread-lines", message: skippedText(skipped) }] : []),
    ...(total === 0
      ? [{ level: "warning" as const, code: "replay/nothing-judged", message: "No call was judged.", fix: whenEmpty }]
      : []),
  ];
  const changed = changes.map((change): BuildFinding => {
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
  return [...changed, ...unread];
}

function skippedText(skipped: number): string {
  return `${plural(skipped, "line")} held no call that could be read.`;
}

/** How much of the calls could be judged. */
function headline({ total, judged, cannot_tell }: ReplayReport): string {
  if (total === 0) return "no recorded call";
  const share = (count: number) => `${((100 * count) / total).toFixed(1)} %`;
  const removed = cannot_tell.redacted + cannot_tell.cut;
  return `judged ${share(judged)}, ${share(removed)} cut or redacted, ${share(cannot_tell.needs_run)} need a run`;
}

/** What became of what. */
function changeText({ from, to }: Pick<ReplayChange, "from" | "to">): string {
  return `${from} → ${to}`;
}

/** How often, in how many sessions. */
function countText({ count, sessions }: Pick<ReplayChange, "count" | "sessions">): string {
  return `${plural(count, "call")} in ${plural(sessions, "session")}`;
}

/** The text of an example: its command, its file, or all of its input. */
function exampleText({ example }: Pick<ReplayChange, "example">): string {
  const { input, tool = "" } = example;
  if (typeof input !== "object" || input === null) return String(input ?? "");
  const fields = input as Readonly<Record<string, unknown>>;
  const telling = TELLING.map((key) => fields[key]).find((value) => typeof value === "string" && value !== "");
  if (telling === undefined) return `${tool} ${toJsonText(input).slice(0, LONGEST)}`.trim();
  return (typeof fields.command === "string" ? telling : `${tool} ${telling}`) as string;
}

const TELLING = ["command", "file_path", "path", "filePath", "notebook_path", "url", "query", "pattern", "prompt"];
const LONGEST = 300;

const MOST = 20;

/** What `approve: known` would have spared, with the calls that are most worth a look on top. */
export function sparedText(
  { total, spared, cannot_tell, shapes, riskiest, left }: SparedQuestions,
  whenEmpty: string,
): string[] {
  if (total === 0) return [whenEmpty];
  const unclear = cannot_tell === 0 ? "" : `; ${cannot_tell} were not recorded whole and would be asked about`;
  const rows = (all: readonly { readonly count: number }[], text: (at: number) => string) =>
    all.slice(0, MAX_SPARED).map(({ count }, at) => `  ${String(count).padStart(6)}  ${visible(text(at))}`);
  return [
    `Of ${plural(total, "call")} that no hook objected to, ${spared} would be approved by \`approve: known\`, so that the agent does not ask${unclear}.`,
    ...(riskiest.length === 0 ? [] : ["", "Look at these first:", ...riskiest.map((text) => `  ${visible(text)}`)]),
    ...(shapes.length === 0 ? [] : ["", "By shape:", ...rows(shapes, (at) => shapes[at]?.shape ?? "")]),
    ...(left.length === 0 ? [] : ["", "Still asked about, because:", ...rows(left, (at) => left[at]?.why ?? "")]),
  ];
}

/** What `contain` would have meant, with what talks to the network on top. */
export function containedCallsText(
  { total, contained, network, cannot_tell, shapes }: ContainedCalls,
  whenEmpty: string,
): string[] {
  if (total === 0) return [whenEmpty];
  const unclear = cannot_tell === 0 ? "" : `; ${cannot_tell} were not recorded whole`;
  const rows = (some: ContainedCalls["shapes"]) =>
    some.slice(0, MAX_SPARED).map(({ count, example, hosts }) => {
      const to = hosts.length === 0 ? "" : `  (${hosts.join(", ")})`;
      return `  ${String(count).padStart(6)}  ${visible(example.replaceAll(/\s+/g, " ") + to)}`;
    });
  const [talking, others] = [
    shapes.filter(({ hosts }) => hosts.length > 0),
    shapes.filter(({ hosts }) => hosts.length === 0),
  ];
  return [
    `Of ${plural(total, "call")} of a shell, ${contained} would have run in a box; ${network} of them talk to the network${unclear}.`,
    ...(talking.length === 0
      ? []
      : ["", "Without a network unless `network.hosts` lists its hosts, or `exempt` the program:", ...rows(talking)]),
    ...(others.length === 0 ? [] : ["", "In a box, by shape:", ...rows(others)]),
  ];
}

const MAX_SPARED = 20;
