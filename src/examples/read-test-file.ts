import { dirname, resolve } from "node:path";
import { type ConfigDocument, readDocument } from "../config/document.ts";
import { flawsIn, offsetAt, plain } from "../config/tree.ts";
import { isObject } from "../event/json.ts";
import { didYouMean } from "../problem/nearest.ts";
import { type Place, type Problem, problems } from "../problem/problem.ts";
import { ANY_LISTENER } from "./example-event.ts";
import { readExampleList } from "./read-examples.ts";
import type { HookExample } from "./verdict.ts";

/** Tests of one file, each with its place, and what cannot be read. */
export interface TestFile {
  readonly path: string;
  /** The configuration that it tests; the project's when it names none. */
  readonly hooks?: string;
  readonly tests: readonly { readonly example: HookExample; readonly place: Place }[];
  readonly problems: readonly Problem[];
}

/** Reads a file of tests. */
export function readTestFile(path: string): TestFile {
  const nothing = { path, tests: [] };
  const read = readDocument(path);
  if (read.state === "missing") return { ...nothing, problems: [PROBLEMS.noTestFile({ path })] };
  if (read.state !== "read") return { ...nothing, problems: [read.problem] };
  const { document } = read;
  const [flaw] = flawsIn(document.tree);
  if (flaw !== undefined) return { ...nothing, problems: [flaw.problem.at(document.place(flaw.at))] };
  const data = plain(document.tree);
  if (!isObject(data) || !("tests" in data)) {
    return { ...nothing, problems: [PROBLEMS.noTests({}, { place: document.place(document.tree.at) })] };
  }
  const { hooks, tests } = data as Record<string, unknown>;
  const { tests: found, problems } = readTests(tests, document);
  return {
    path,
    ...(typeof hooks === "string" ? { hooks: resolve(dirname(path), hooks) } : {}),
    tests: found,
    problems: [...strangers(data, document), ...problems],
  };
}

/** Whether a file that was named contains tests; one that does not may contain hooks. */
export function holdsTests(path: string): boolean {
  const read = readDocument(path);
  if (read.state !== "read") return true;
  return read.document.tree.kind === "map" && read.document.tree.members.some(({ key }) => key === "tests");
}

function readTests(tests: unknown, document: ConfigDocument): Pick<TestFile, "tests" | "problems"> {
  const owner = { listener: ANY_LISTENER, owner: "this file", path: ["tests"], keys: ["hooks", "env", "cwd"] };
  const { examples, problems: found } = readExampleList(tests, owner);
  const placeOf = (path: HookExample["path"]) => document.place(offsetAt(document.tree, path, "value"));
  return {
    tests: examples.map((example) => ({ example, place: placeOf(["tests", ...example.path]) })),
    problems: found.map((problem) => problem.at(placeOf(problem.path ?? []))),
  };
}

function strangers(data: object, document: ConfigDocument): Problem[] {
  return Object.entries(data).flatMap(([key, value]) => {
    const place = document.place(offsetAt(document.tree, [key], "key"));
    if (!KEYS.includes(key)) return [PROBLEMS.unknownFileKey({ key }, { place })];
    return key === "hooks" && typeof value !== "string" ? [PROBLEMS.noPath({}, { place })] : [];
  });
}

const KEYS = ["hooks", "tests"];

const PROBLEMS = problems("examples", {
  noTestFile: ({ path }: { path: string }) => ({ what: `${path} is not there.`, fix: "Correct the path." }),
  noTests: (_: object) => ({
    what: "This file does not have `tests`.",
    fix: "Write tests: [{ args: { command: rm -rf / }, expect: deny }], for example.",
  }),
  unknownFileKey: ({ key }: { key: string }) => ({
    what: `The file has a key \`${key}\`, which no file of tests has.`,
    fix: didYouMean(key, KEYS) || `There are ${KEYS.join(", ")}.`,
  }),
  noPath: (_: object) => ({
    what: "`hooks` is not the path of a configuration file.",
    fix: "Write hooks: ./hooks.yaml, for example; without it, the project's hooks are tested.",
  }),
});
