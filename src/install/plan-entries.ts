import type { Adapter } from "../adapters/adapter.ts";
import type { EntriesRecipe, Scope, Wanted } from "../adapters/recipe.ts";
import { saysTheSame, type Uneditable, whyUneditable } from "../config/json-text.ts";
import { type Problem, problems } from "../problem/problem.ts";
import type { InstallContext } from "./install-context.ts";
import { commandLine, whatCalls } from "./invocation.ts";
import { type FileEdit, originalOf, orProblem, ownFile, textOf } from "./settings-file.ts";
import { isNothing, type SettingsEntry, withEntries, withoutEntries } from "./settings-text.ts";
import { markOf, pathOf } from "./targets.ts";
import { holdsBlock, takesTables, withBlock, withoutBlock } from "./toml-text.ts";

/** What to write for an agent that keeps hooks among its settings: the settings, and the script they name. */
export function planEntries(
  adapter: Adapter,
  recipe: EntriesRecipe,
  wanted: readonly Wanted[],
  scope: Scope,
  around: InstallContext,
): (FileEdit | Problem)[] {
  const path = pathOf(scope, recipe.files[scope], around);
  const tables = recipe.tables && pathOf(scope, recipe.tables[scope], around);
  const script = recipe.script && pathOf(scope, recipe.script, around);
  const named = scope === "user" ? script : recipe.script && `./${recipe.script}`;
  const entries = wanted.map((one) => recipe.entry(named === undefined ? one : { ...one, command: named }));
  return [
    ...(script === undefined
      ? []
      : orProblem(script, () => [
          ownFile(adapter, script, scriptOf(), true, around, ["the script that its hook events start"]),
        ])),
    ...orProblem(path, () => {
      const [settings, other] = [textOf(path), tables === undefined ? undefined : textOf(tables)];
      if (tables === undefined || other === undefined) return [inSettings()];
      if (settings === undefined && takesTables(other)) return [inTables(tables, other, entries)];
      return [inSettings(), ...(holdsBlock(other) ? [inTables(tables, other, [])] : [])];
    }),
  ];

  /** No `exec`: a shell that cannot start the program would be gone before it could say no. */
  function scriptOf(): string {
    return `#!/bin/sh\n${commandLine(adapter, scope, around, { gate: true })}\n`;
  }

  function inSettings(): FileEdit {
    const before = textOf(path);
    const lists = entries.map(({ at }) => at);
    const why = before === undefined ? undefined : whyUneditable(before, lists);
    if (why !== undefined) throw uneditable(path, before ?? "", why);
    const mark = markOf(adapter);
    const after = withEntries(before, mark, entries, recipe.needs);
    const base = before === undefined ? undefined : withoutEntries(before, mark);
    if (after !== before && !saysTheSame(bare(base), bare(withoutEntries(after, mark))))
      throw PROBLEMS.tooOdd({}, { place: { file: path } });
    const isNew = base !== before && isNothing(base ?? "", recipe.needs);
    const original = originalOf(path, before, isNew ? undefined : base, around);
    const isPrivate = wanted.some(({ post }) => post !== undefined);
    return { agent: adapter.id, path, before, after, isProgram: false, isPrivate, original, does: whatCalls(wanted) };
  }

  /** Without what the agent wants in every file, and with no file like an empty one. */
  function bare(text: string | undefined): string {
    return withEntries(text, () => false, [], recipe.needs);
  }

  function inTables(file: string, before: string, tables: readonly SettingsEntry[]): FileEdit {
    const base = withoutBlock(before, markOf(adapter));
    const after = tables.length === 0 ? base : withBlock(before, markOf(adapter), tables);
    const does = tables.length === 0 ? ["without the tables that Sluice wrote"] : whatCalls(wanted);
    return {
      agent: adapter.id,
      path: file,
      before,
      after,
      isProgram: false,
      original: originalOf(file, before, base, around),
      does,
    };
  }
}

/** The problem of a file that cannot be edited, with the place where that shows. */
export function uneditable(file: string, text: string, { why, offset }: Uneditable): Problem {
  const above = text.slice(0, offset).split("\n");
  const place = { file, line: above.length, column: (above.at(-1)?.length ?? 0) + 1 };
  return PROBLEMS.uneditable({ why }, { place });
}

const PROBLEMS = problems("install", {
  uneditable: ({ why }: { why: string }) => ({
    what: `This file cannot be edited: ${why}. Nothing was changed.`,
    fix: "Correct it, and run the command again.",
  }),
  tooOdd: (_: object) => ({
    what: "This file is written in a way that could not be changed without changing its meaning. Nothing was changed.",
    fix: "Let a formatter rewrite it, and run the command again.",
  }),
});
