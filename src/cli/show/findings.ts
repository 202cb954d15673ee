import { appendFileSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { VERSION } from "../../decide/version.ts";
import { didYouMean } from "../../problem/nearest.ts";
import { type Place, type Problem, problems } from "../../problem/problem.ts";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { element, escaped, XML_HEAD } from "./xml.ts";

/** One thing that a build server shows at a line of a file. */
export interface BuildFinding {
  readonly level: FindingLevel;
  /** The kind of a finding; stays the same if its message changes. */
  readonly code: string;
  readonly message: string;
  /** The step that ends it. */
  readonly fix?: string | undefined;
  readonly place?: Place | undefined;
}

/** The severity of a finding, in the terms of SARIF. */
export type FindingLevel = (typeof LEVELS)[number];

/** How findings are printed for build servers, by the name of the reporter. */
const FINDING_REPORTERS: Readonly<Record<"github" | "sarif" | "junit", (list: FindingList) => string[]>> = {
  github,
  sarif,
  junit,
};

/** What a command has found, for one reporter. */
export interface FindingList {
  /** The command, such as `check`. */
  readonly command: string;
  readonly findings: readonly BuildFinding[];
  readonly root: string;
  readonly io: Io;
}

/** The reporter that `--reporter` names; undefined if it is left out or one of the command's own, and a problem for other values. */
export function reporterNamed(
  input: CommandInput,
  own: readonly string[] = [],
): ((list: FindingList) => string[]) | undefined {
  const reporter = input.text("reporter");
  if (reporter === undefined || own.includes(reporter)) return undefined;
  const known = Object.keys(FINDING_REPORTERS);
  if (!isReporter(reporter))
    throw PROBLEMS.unknownReporter({ command: input.command, reporter, known: [...new Set([...own, ...known])] });
  return FINDING_REPORTERS[reporter];
}

/** Whether findings fail a build: the exit code and every reporter go by it. */
export function hasErrors(findings: readonly BuildFinding[]): boolean {
  return findings.some(({ level }) => level === "error");
}

/** Problems as findings of one level. */
export function problemFindings(level: FindingLevel, found: readonly Problem[]): BuildFinding[] {
  return found.map(({ code, message, fix, place }) => ({ level, code, message, fix, place }));
}

function isReporter(word: string): word is keyof typeof FINDING_REPORTERS {
  return Object.hasOwn(FINDING_REPORTERS, word);
}

/** GitHub shows ten annotations of a step: the gravest come first, and all of them go into the summary of the job. */
function github(list: FindingList): string[] {
  const sorted = bySeverity(list.findings);
  const lines = sorted.slice(0, MAX_ANNOTATIONS).map((finding) => annotation(finding, list));
  const summary = list.io.env.GITHUB_STEP_SUMMARY;
  if (sorted.length > 0 && summary) appendFileSync(summary, jobSummary(sorted, list));
  const left = sorted.length - lines.length;
  if (left > 0)
    lines.push(
      `::notice title=sluice ${list.command}::${left} more ${summary ? "in the summary of the job" : "were found"}`,
    );
  return lines;
}

function annotation({ level, code, message, fix, place }: BuildFinding, list: FindingList): string {
  const facts = {
    ...(place && { file: pathIn(place.file, list), line: place.line, col: place.column }),
    title: code,
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  const words = given.map(([key, value]) => `${key}=${propertyText(String(value))}`).join(",");
  return `::${ANNOTATIONS[level]} ${words}::${messageText([message, fix].filter(Boolean).join("\n"))}`;
}

function jobSummary(findings: readonly BuildFinding[], list: FindingList): string {
  const rows = findings.slice(0, MAX_RESULTS).map(({ level, code, message, place }) => {
    const where = place ? `${pathIn(place.file, list)}${place.line ? `:${place.line}` : ""}` : "";
    return `| ${[level, code, where, message].map(cellText).join(" | ")} |`;
  });
  return [
    `### sluice ${list.command}`,
    "",
    "| level | code | place | what |",
    "|---|---|---|---|",
    ...rows,
    "",
    "",
  ].join("\n");
}

function sarif(list: FindingList): string[] {
  const findings = bySeverity(list.findings).slice(0, MAX_RESULTS);
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = {
    name: "sluice",
    version: VERSION,
    semanticVersion: VERSION,
    rules: codes.map((id) => ({ id, shortDescription: { text: `sluice ${list.command}: ${id}` } })),
  };
  const results = findings.map(({ level, code, message, fix, place }) => ({
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level,
    message: { text: [message, fix].filter(Boolean).join(" ") },
    ...(place && { locations: [{ physicalLocation: location(place, list) }] }),
  }));
  const run = { tool: { driver }, columnKind: "utf16CodeUnits", results };
  return [JSON.stringify({ $schema: SARIF_SCHEMA, version: "2.1.0", runs: [run] }, null, 2)];
}

function location({ file, line, column }: Place, list: FindingList) {
  const artifactLocation = {
    uri: pathIn(file, list).split("/").map(encodeURIComponent).join("/"),
    uriBaseId: "%SRCROOT%",
  };
  const region = { startLine: line, ...(column && { startColumn: column }) };
  return { artifactLocation, ...(line && { region }) };
}

function junit({ command, findings, ...list }: FindingList): string[] {
  const failed = findings.map(({ level, code, message, fix, place }) => {
    const where = place && { file: pathIn(place.file, { ...list }), ...(place.line && { line: place.line }) };
    const text = escaped([message, fix].filter(Boolean).join("\n"));
    const result = level === "error" ? element("failure", { message }, [text]) : element("system-out", {}, [text]);
    return element("testcase", { name: code, classname: command, ...where }, [result]);
  });
  // Some servers report a suite without a case as broken.
  const cases = failed.length > 0 ? failed : [element("testcase", { name: "nothing found", classname: command }, [])];
  const counts = { tests: cases.length, failures: findings.filter(({ level }) => level === "error").length, errors: 0 };
  const suite = element("testsuite", { name: `sluice ${command}`, ...counts }, cases);
  return [`${XML_HEAD}${element("testsuites", { name: "sluice", ...counts }, [suite])}`];
}

function bySeverity(findings: readonly BuildFinding[]): BuildFinding[] {
  return findings.toSorted((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
}

/** A path relative to the repository, as build servers expect it. */
function pathIn(file: string, { io, root }: Pick<FindingList, "io" | "root">): string {
  if (!isAbsolute(file)) return file;
  const base = [io.env.GITHUB_WORKSPACE, root].find((folder) => folder && !relative(folder, file).startsWith(".."));
  return base ? relative(base, file) : file;
}

/** The characters that would end a workflow command are percent-encoded, as GitHub's runner decodes them. */
function messageText(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function propertyText(text: string): string {
  return messageText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** A cell of a Markdown table: no line breaks, no columns and no markup of its own. */
function cellText(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|]/g, "\\$&");
}

const LEVELS = ["error", "warning", "note"] as const;
const ANNOTATIONS: Readonly<Record<FindingLevel, string>> = { error: "error", warning: "warning", note: "notice" };
/** What GitHub shows of one step and of one kind. */
const MAX_ANNOTATIONS = 10;
/** What GitHub shows of one upload. */
const MAX_RESULTS = 5000;
const SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

const PROBLEMS = problems("usage", {
  unknownReporter: ({ command, reporter, known }: { command: string; reporter: string; known: readonly string[] }) => ({
    what: `\`sluice ${command}\`: unknown reporter "${reporter}".`,
    fix: didYouMean(reporter, known) || `There are ${known.join(", ")}.`,
  }),
});
