import { deepProblems } from "../check/check-hooks.ts";
import { type ConfigDocument, parseDocument } from "../config/document.ts";
import { edit } from "../config/edit.ts";
import { findHookList, type ListEdit } from "../config/hook-list.ts";
import { plain } from "../config/tree.ts";
import type { Configuration } from "../decide/project.ts";
import { isObject } from "../event/json.ts";
import { runTests } from "../examples/run-tests.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { policyFiles } from "./policy-routes.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import { draftedConfiguration } from "./try-routes.ts";
import type { PolicyCheck, PolicyEdit, PolicyFile } from "./wire-policy.ts";

/** Checks a text as `sluice check` would once it is saved, and tries the examples of its rules. */
export const checkPolicy: UiRoute = async ({ body }, context) => {
  const { path, text } = Object(body) as Readonly<Record<string, unknown>>;
  const file = fileAt(path, context);
  if (file === undefined || typeof text !== "string") return NO_FILE;
  const drafts = new Map([[file.path, text]]);
  const configuration = draftedConfiguration(context.hello.root, drafts, context);
  const own = configuration.written.filter(({ origin }) => origin?.place.file === file.path);
  const deep = await deepProblems(own, configuration.root, drafts);
  const check: PolicyCheck = {
    problems: [
      ...[...configuration.errors, ...deep.errors].map((problem) => wireProblem(problem, "error")),
      ...[...configuration.warnings, ...deep.warnings].map((problem) => wireProblem(problem, "warning")),
    ].flatMap((problem) => (problem.file === file.path ? [problem.said] : [])),
    hooks: entriesOf(file.path, text),
    examples: await examplesOf(file.path, configuration),
    hash: file.hash,
  };
  return { json: check };
};

/** Changes one entry of a text, or adds one, and leaves everything else in it as it is. Nothing is saved. */
export const editPolicy: UiRoute = ({ body }, context) => {
  const { path, text, index, set = {}, remove = [] } = Object(body) as PolicyEdit;
  if (fileAt(path, context) === undefined || typeof text !== "string") return NO_FILE;
  const read = parseDocument(path, text);
  if (read.state !== "read") throw PROBLEMS.unreadableText({}, { cause: read.problem });
  const { document } = read;
  const list = findHookList(document);
  const steps: ListEdit[] = list.entries.map((entry) =>
    entry.index === index ? { kind: "change", index, set, remove } : { kind: "keep", index: entry.index },
  );
  const added: ListEdit[] = index === undefined ? [{ kind: "add", value: set }] : [];
  const at = index ?? list.entries.length;
  return { json: { text: edit(document, list.path, [...steps, ...added]), index: at } };
};

/** Saves a text, when the file is still the one that was read and the question at the terminal is answered with yes. */
export const savePolicy: UiRoute = async ({ body, signal }, context) => {
  const { path, text, hash } = Object(body) as Readonly<Record<string, unknown>>;
  const file = fileAt(path, context);
  if (file === undefined || typeof text !== "string") return NO_FILE;
  if (file.hash !== hash)
    return { status: 409, json: { error: "The file was changed meanwhile; nothing was saved.", file } };
  const before = file.exists ? file.text : undefined;
  return { json: await context.acts.savePolicy({ path: file.path, before, after: text }, signal) };
};

/** Only a file of the policy that a person may change is read or written. */
function fileAt(path: unknown, context: UiContext): PolicyFile | undefined {
  return policyFiles(context).find((file) => file.path === path && file.isWritable);
}

const NO_FILE = refusedReply(404, "This is no file of the policy that can be changed here.");

function wireProblem(problem: Problem, severity: "error" | "warning") {
  const { code, message, fix, place } = problem;
  const said = {
    line: place?.line ?? 1,
    column: place?.column ?? 1,
    severity,
    code,
    message,
    ...(fix !== undefined && { fix }),
  };
  return { file: place?.file, said };
}

function entriesOf(path: string, text: string): PolicyCheck["hooks"] {
  const read = parseDocument(path, text);
  if (read.state !== "read") return [];
  return findHookList(read.document).entries.flatMap(({ index, tree, flaws }) => {
    const data: unknown = flaws.length > 0 ? undefined : plain(tree);
    return isObject(data) ? [{ index, line: lineOf(read.document, tree.at), data }] : [];
  });
}

function lineOf(document: ConfigDocument, at: number): number {
  return document.place(at).line ?? 1;
}

/** Examples of rules alone, with rules alone beside them: what would start a program, or ask a model, waits for `sluice test`. */
async function examplesOf(path: string, { root, hooks: all }: Configuration): Promise<PolicyCheck["examples"]> {
  const rules = all.filter(({ parts }) => parts.every(({ type }) => type === "inline"));
  const hooks = rules.filter(({ origin }) => origin?.place.file === path);
  const subject = { root, hooks: rules, active: rules };
  const { outcomes } = await runTests({ groups: [{ subject, hooks }], files: [], problems: [] });
  return outcomes.slice(0, MOST_EXAMPLES).map(({ group, name, status, why, place }) => ({
    hook: group,
    name,
    status,
    ...(why !== undefined && { why }),
    ...(place?.line !== undefined && { line: place.line }),
  }));
}

const MOST_EXAMPLES = 200;

const PROBLEMS = problems("ui", {
  unreadableText: (_: object) => ({
    what: "The text cannot be read as it stands, so its form cannot change it.",
    fix: "Correct the marked line first.",
  }),
});
