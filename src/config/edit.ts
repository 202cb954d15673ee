import { isDeepStrictEqual } from "node:util";
import { problems } from "../problem/problem.ts";
import { type ConfigDocument, parseDocument } from "./document.ts";
import { editJson, rewriteJson } from "./edit-json.ts";
import { editYaml, rewriteYaml } from "./edit-yaml.ts";
import type { HookData, ListEdit } from "./list-edit.ts";
import { member, type Path, plain, type ConfigTree } from "./tree.ts";

/** Changes the list of hooks in a text and nothing else; what comes out is read again before it is believed. */
export function edit(document: ConfigDocument, listPath: Path | undefined, steps: readonly ListEdit[]): string {
  const { text, path, format, tree } = document;
  const { precise, thorough } = EDITORS[format];
  const target = listPath ?? newListPath(tree);
  const before = listPath === undefined ? [] : (at(plain(tree), target) as readonly HookData[]);
  const list = steps.map((step) => outcome(step, before));
  const wanted = withList(plain(tree), target, list);
  const isRight = (edited: string | undefined): edited is string => {
    if (edited === undefined) return false;
    const again = parseDocument(path, edited);
    return again.state === "read" && isDeepStrictEqual(plain(again.document.tree), wanted);
  };
  const surgical = precise(text, listPath, steps);
  if (isRight(surgical)) return surgical;
  const rewritten = thorough(text, target, list);
  if (isRight(rewritten)) return rewritten;
  throw PROBLEMS.notSaved(undefined, { place: { file: path } });
}

const EDITORS = {
  json: { precise: editJson, thorough: rewriteJson },
  yaml: { precise: editYaml, thorough: rewriteYaml },
};

/** Where a list belongs in a file that has none yet. */
function newListPath(tree: ConfigTree): Path {
  return member(tree, "hooks")?.value.kind === "map" ? ["hooks", "definitions"] : ["hooks"];
}

function outcome(step: ListEdit, before: readonly HookData[]): unknown {
  switch (step.kind) {
    case "keep":
      return before[step.index];
    case "change": {
      const changed = { ...before[step.index], ...step.set };
      return Object.fromEntries(Object.entries(changed).filter(([key]) => !step.remove.includes(key)));
    }
    case "add":
      return step.value;
  }
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, key) => (Object(holder) as Record<string, unknown>)[key], value);
}

function withList(value: unknown, [key, ...rest]: Path, list: readonly unknown[]): unknown {
  if (key === undefined) return list;
  const holder = Object(value) as Record<string, unknown>;
  return { ...holder, [key]: withList(holder[key], rest, list) };
}

const PROBLEMS = problems("config", {
  notSaved: () => ({
    what: "This file is written in a way that could not be changed without changing its meaning. Nothing was written.",
    fix: "Change it by hand.",
  }),
});
