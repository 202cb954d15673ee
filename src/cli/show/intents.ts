import { type BoardIntent, type Intent, isActive } from "../../policies/intent/intent.ts";
import { grantCommand, type ScopeRequest } from "../../policies/intent/scope-requests.ts";
import { shortPath } from "../configuration.ts";
import type { Io } from "../io.ts";
import { localTime } from "./log-line.ts";
import { columns, oneLine, paintFor, plural, visible } from "./terminal-text.ts";

/** The intents, one a line. */
export function listLines(intents: readonly Intent[], io: Io): string[] {
  const paint = paintFor(io);
  const rows = intents.map((intent) => [
    paint.name(oneLine(intent.id, 30)),
    isActive(intent) ? paint.good(intent.status) : paint.dim(oneLine(intent.status, 20)),
    oneLine(intent.name, 50),
    paint.dim(oneLine(intent.ownedScope.join(", "), 60)),
  ]);
  return columns(rows);
}

/** Every intent with what was done for it: scope, sessions, criteria, the last change, what was denied. */
export function boardLines(intents: readonly BoardIntent[], io: Io): string[] {
  const paint = paintFor(io);
  if (intents.length === 0) return ["No intents are declared here."];
  return intents.flatMap(
    ({ id, name, status, scope, criteria, sessions, changes, lastChange, violations, outside }) => {
      const isMet = criteria.filter(({ progress }) => progress === "met").length;
      const worked = [
        plural(changes, "change"),
        plural(sessions.length, "session"),
        ...(criteria.length > 0 ? [`${isMet} of ${criteria.length} criteria met`] : []),
        ...(lastChange === null ? [] : [`last change ${localTime(lastChange)}`]),
      ];
      const rows = [
        ["owns", scope.join(", ") || "nothing"],
        ...criteria.map(({ text, progress }) => [MARKS[progress], text]),
        ...(sessions.length > 0 ? [["sessions", sessions.join(", ")]] : []),
        ...violations.map(({ reason, count }) => ["denied", `${count > 1 ? `${count} times: ` : ""}${reason}`]),
        ...(outside.length > 0 ? [["outside", outside.join(", ")]] : []),
      ];
      const lines = columns(rows.map(([what = "", text = ""]) => [`    ${what}`, oneLine(text, 200)]));
      const mark = isActive({ status }) ? paint.good(status) : paint.dim(oneLine(status, 20));
      return [`${paint.name(visible(id))}  ${mark}  ${oneLine(name, 80)}`, `  ${worked.join(", ")}`, ...lines];
    },
  );
}

/** How a criterion is marked: met, open, or not known. */
const MARKS = { met: "✓", open: "○", unknown: "–" } as const;

/** Where the intent map was written, and how much it maps. */
export function mapWords(file: string, intents: number, io: Io): string {
  return `${shortPath(file, io)} maps ${intents === 1 ? "1 intent" : `${intents} intents`}.`;
}

/** One intent with everything that it demands. */
export function intentLines(intent: Intent, io: Io): string[] {
  const paint = paintFor(io);
  const part = (title: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [paint.strong(title), ...texts.map((text) => `  ${visible(text)}`)];
  const { id, status, name, ownedScope, constraints, acceptanceCriteria } = intent;
  return [
    `${paint.name(visible(id))}  ${isActive(intent) ? paint.good(status) : visible(status)}  ${visible(name)}`,
    ...part("owns", ownedScope.length === 0 ? ["nothing"] : ownedScope),
    ...part("keeps to", constraints),
    ...part("is done when", acceptanceCriteria),
  ];
}

/** What sessions ask for beyond the scope of an intent, each with the command that grants it. */
export function requestLines({ id }: Intent, asked: readonly ScopeRequest[], io: Io): string[] {
  const paint = paintFor(io);
  return asked.flatMap(({ paths, reason, at, by }) => [
    `${paint.strong(`${visible(id)}: ${oneLine(by ?? "a session", 60)} asks for more`)}${at === "" ? "" : `, ${oneLine(at, 40)}`}`,
    ...paths.map((path) => `  ${visible(path)}`),
    ...(reason === "" ? [] : [`  because: ${oneLine(reason, 300)}`]),
    `  grant it: ${paint.name(visible(grantCommand(id, paths)))}`,
  ]);
}

/** The same for programs, with the keys of the file. */
export function intentJson(
  { id, name, status, ownedScope, constraints, acceptanceCriteria }: Intent,
  asked: readonly ScopeRequest[] = [],
): object {
  const intent = { id, name, status, owned_scope: ownedScope, constraints, acceptance_criteria: acceptanceCriteria };
  const requests = asked.map(({ paths, reason, at, by }) => ({ paths, reason, requested_at: at, requested_by: by }));
  return requests.length === 0 ? intent : { ...intent, scope_requests: requests };
}
