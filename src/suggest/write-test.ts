import { dirname, join } from "node:path";
import { changeFile } from "../config/change-file.ts";
import { parseDocument, readDocument } from "../config/document.ts";
import { append } from "../config/edit.ts";
import { makeDir } from "../fs/make-dir.ts";
import { writeAtomic } from "../fs/write-atomic.ts";
import { problems } from "../problem/problem.ts";
import type { DecisionRecord } from "../trace/record.ts";
import { recordedEvent, recordedText } from "../trace/recorded-event.ts";
import { isShortened } from "../trace/shorten.ts";

/** Adds a test to the project of a call: the same call is expected to pass, to be denied or asked about. */
export function writeTest(
  record: DecisionRecord,
  expect: "continue" | "deny" | "ask" = "continue",
): { readonly file: string; readonly test: object } {
  const event = recordedEvent(record);
  const { id, root } = record;
  if (event === undefined || root === undefined) throw PROBLEMS.noTestableCall({ id });
  const text = event.toText();
  if (text.includes("[redacted:") || isShortened(text)) throw PROBLEMS.partialCall({ id });
  const { tool_args, prompt } = event.data;
  const test = {
    name: `${recordedText(record).replaceAll(/\s+/g, " ").slice(0, 60)} (decision ${id})`,
    event: event.type,
    ...(event.toolName !== undefined && { tool: event.toolName }),
    ...(tool_args !== undefined && { args: tool_args }),
    ...(typeof prompt === "string" && { prompt }),
    expect,
  };
  const file = join(root, ".sluice/review.hooks.test.yaml");
  makeDir(dirname(file));
  changeFile(file, () => {
    const read = readDocument(file);
    const found = read.state === "missing" ? parseDocument(file, HEAD) : read;
    if (found.state !== "read") throw PROBLEMS.unreadableTests({ file }, { place: { file } });
    writeAtomic(file, found.document.mark + append(found.document, ["tests"], [test]));
  });
  return { file, test };
}

const HEAD =
  "# Calls of the past, and what should come of them: `sluice test` fails where the policy says otherwise.\n";

const PROBLEMS = problems("suggest", {
  noTestableCall: ({ id }: { id: string }) => ({
    what: `The call of ${id} cannot be made again: its event or its project is not known.`,
    fix: "Write the test by hand; docs/testing.md shows how.",
  }),
  partialCall: ({ id }: { id: string }) => ({
    what: `The call of ${id} is recorded in part: a secret or a long text was taken out of it.`,
    fix: "Write the test by hand; docs/testing.md shows how.",
  }),
  unreadableTests: ({ file }: { file: string }) => ({
    what: `${file} cannot be read, so no test was added.`,
    fix: "`sluice test` reports what is wrong with it.",
  }),
});
