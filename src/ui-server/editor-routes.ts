import { relative } from "node:path";
import { knownNames } from "../check/agent-facts.ts";
import { configurationProblems } from "../check/check-hooks.ts";
import { type ConfigDocument, parseDocument } from "../config/document.ts";
import { edit } from "../config/edit.ts";
import { findHookList, type ListEdit } from "../config/hook-list.ts";
import { plain } from "../config/tree.ts";
import type { Configuration } from "../decide/project.ts";
import { isObject } from "../event/json.ts";
import { planFor } from "../examples/plan.ts";
import { runTests } from "../examples/run-tests.ts";
import type { Hook } from "../hook/hook.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { policyFiles } from "./policy-routes.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import { draftedConfiguration } from "./try-routes.ts";
import type { KnownNames, PolicyCheck, PolicyEdit, PolicyFile, PolicyProblem } from "./wire-policy.ts";

/** Checks a text as `sluice check` would once it is saved, and tries the examples of its rules. */
export const checkPolicy: UiRoute = async ({ body }, context) => {
  const { path, text } = Object(body) as Readonly<Record<string, unknown>>;
  const file = fileAt(path, context);
  if (file === undefined || typeof text !== "string") return NO_FILE;
  const drafts = new Map([[file.path, text]]);
  const configuration = draftedConfiguration(context.hello.root, drafts, context);
  const { errors, warnings } = await configurationProblems({ ...configuration, hooks: configuration.written }, drafts);
  const all = [
    ...errors.map((problem) => wireProblem(problem, "error")),
    ...warnings.map((problem) => wireProblem(problem, "warning")),
  ];
  const check: PolicyCheck = {
    problems: all.filter((problem) => problem.file === file.path),
    elsewhere: all.filter((problem) => problem.file !== file.path),
    hooks: entriesOf(file.path, text),
    examples: await examplesOf(file.path, configuration),
    hash: file.hash,
  };
  return { json: check };
};

/** The names that the text of a policy may contain here. */
export const listNames: UiRoute = (_, { hello }) => ({ json: knownNames(hello.root) satisfies KnownNames });

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

/**
 * Saves a text if the file is still the one that was read and the question at the terminal is answered with yes. A text with
 * errors has to be named as one.
 */
export const savePolicy: UiRoute = async ({ body, signal }, context) => {
  const { path, text, hash, withErrors } = Object(body) as Readonly<Record<string, unknown>>;
  const file = fileAt(path, context);
  if (file === undefined || typeof text !== "string") return NO_FILE;
  if (file.hash !== hash)
    return { status: 409, json: { error: "The file was changed meanwhile; nothing was saved.", file } };
  const drafts = new Map([[file.path, text]]);
  const configuration = draftedConfiguration(context.hello.root, drafts, context);
  const { errors } = await configurationProblems({ ...configuration, hooks: configuration.written }, drafts);
  const [first] = errors;
  if (first !== undefined && withErrors !== true)
    return refusedReply(
      422,
      `The text has ${errors.length === 1 ? "an error" : `${errors.length} errors`}, so nothing was saved: ${first.message}`,
      "Correct it, or say that it is to be saved with its errors.",
    );
  const before = file.exists ? file.text : undefined;
  return { json: await context.acts.savePolicy({ path: file.path, before, after: text }, signal) };
};

/** Only a file of the policy that a person may change is read or written. */
function fileAt(path: unknown, context: UiContext): PolicyFile | undefined {
  return policyFiles(context).find((file) => file.path === path && file.isWritable);
}

const NO_FILE = refusedReply(404, "This is not a file of the policy that can be changed here.");

function wireProblem({ code, message, fix, place }: Problem, severity: "error" | "warning"): PolicyProblem {
  return {
    ...(place?.file !== undefined && { file: place.file }),
    line: place?.line ?? 1,
    column: place?.column ?? 1,
    severity,
    code,
    message,
    ...(fix !== undefined && { fix }),
  };
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

/**
 * The examples of this file and the files of tests of the project, put to rules alone. What would start a program or ask a
 * model is left to `sluice test`: a test that such a hook may decide is reported as not run.
 */
async function examplesOf(path: string, configuration: Configuration): Promise<PolicyCheck["examples"]> {
  const { root, hooks: all, written, files, errors } = configuration;
  const isPure = ({ parts }: Hook) => parts.every(({ type }) => type === "inline");
  const rules = all.filter(isPure);
  const subject = { root, hooks: rules, active: rules };
  const plan = planFor(subject, { files, errors });
  const hooks = rules.filter(({ origin }) => origin?.place.file === path);
  const { outcomes } = await runTests({ ...plan, groups: [{ subject, hooks }] });
  const runs = written.filter((hook) => !isPure(hook)).map(({ name }) => name);
  return outcomes.slice(0, MAX_EXAMPLES).map(({ kind, group, name, status, why, place }) => {
    const isOpen = kind === "test" && status === "failed" && runs.length > 0;
    const told = isOpen ? `\`sluice test\` decides it: ${runs.slice(0, 3).join(", ")} would have to run.` : why;
    return {
      hook: kind === "test" ? relative(root, group) || group : group,
      name,
      status: isOpen ? ("not_run" as const) : status,
      ...(told !== undefined && { why: told }),
      ...(place?.line !== undefined && place.file === path && { line: place.line }),
    };
  });
}

const MAX_EXAMPLES = 200;

const PROBLEMS = problems("ui", {
  unreadableText: (_: object) => ({
    what: "The text cannot be read, so its form cannot change it.",
    fix: "Correct the marked line first.",
  }),
});
