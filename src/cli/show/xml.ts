import type { TestOutcome, TestReport } from "../../examples/report.ts";

/** An XML element; its content is markup already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: readonly string[],
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const open = `<${name}${given.join("")}`;
  if (inside.length === 0) return `${open}/>`;
  const isNested = inside.every((part) => part.startsWith("<"));
  return isNested ? `${open}>\n${inside.join("\n")}\n</${name}>` : `${open}>${inside.join("")}</${name}>`;
}

/** Text that every XML parser reads: markup characters become entities, characters that XML forbids become a question mark. */
export function escaped(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "?")
    .replaceAll(/[&<>"'\n\r\t]/g, (sign) => ENTITIES[sign] ?? `&#${sign.charCodeAt(0)};`);
}

/** The line that an XML document begins with. */
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A report as JUnit's XML, which build servers read. */
export function testJunit(
  { outcomes, problems }: TestReport,
  nothing?: { readonly code: string; readonly message: string; readonly fix?: string | undefined },
): string {
  const groups = [...new Set(outcomes.map(({ group }) => group))];
  const suites = groups.map((group) =>
    suite(
      group,
      outcomes.filter((outcome) => outcome.group === group),
    ),
  );
  const unread = problems.map((problem) =>
    element("testcase", { name: problem.code, classname: "problems", ...where(problem) }, [
      element("error", { message: problem.message }, [escaped(problem.format())]),
    ]),
  );
  if (nothing !== undefined) {
    const { code, message, fix = "" } = nothing;
    unread.push(
      element("testcase", { name: code, classname: "problems" }, [element("error", { message }, [escaped(fix)])]),
    );
  }
  const wrong = { name: "problems", tests: unread.length, failures: 0, errors: unread.length, skipped: 0 };
  const all = unread.length === 0 ? suites : [...suites, element("testsuite", wrong, unread)];
  const root = {
    name: "sluice",
    ...counts(outcomes),
    errors: unread.length,
    tests: outcomes.length + unread.length,
  };
  return `${XML_HEAD}${element("testsuites", root, all)}`;
}

function suite(name: string, outcomes: readonly TestOutcome[]): string {
  return element("testsuite", { name, ...counts(outcomes) }, outcomes.map(testCase));
}

function counts(outcomes: readonly TestOutcome[]) {
  const count = (status: TestOutcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const time = seconds(outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0));
  return { tests: outcomes.length, failures: count("failed"), errors: 0, skipped: count("not_run"), time };
}

function testCase(outcome: TestOutcome): string {
  const { group, name, durationMs } = outcome;
  const facts = { name, classname: group, time: seconds(durationMs), ...where(outcome) };
  return element("testcase", facts, result(outcome));
}

function result({ status, why = "", reason, saidBy, next }: TestOutcome): string[] {
  if (status === "passed") return [];
  if (status === "not_run") return [element("skipped", { message: why }, [])];
  const said = saidBy && [`${saidBy.hook} decided this`, saidBy.rule].filter(Boolean).join(": ");
  const lines = [why, said, reason, next].filter((line) => line !== undefined);
  return [element("failure", { message: why }, [escaped(lines.join("\n"))])];
}

function where({ place }: Pick<TestOutcome, "place">): Record<string, string | number> {
  return place === undefined ? {} : { file: place.file, ...(place.line && { line: place.line }) };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu;
