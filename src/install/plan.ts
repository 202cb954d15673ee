import type { Adapter } from "../adapters/adapter.ts";
import type { Scope } from "../adapters/recipe.ts";
import { type Problem, problems } from "../problem/problem.ts";
import { whyUneditable } from "./editable.ts";
import { type InstallContext, wordsFor } from "./install-context.ts";
import { wasChanged, wroteLast } from "./ledger.ts";
import { planEntries, uneditable } from "./plan-entries.ts";
import { type FileEdit, ownFile } from "./plan-file.ts";
import { planServer, type ServerPlace, serverPlace } from "./plan-server.ts";
import { posted } from "./posted.ts";
import { orProblem, textOf } from "./read-settings.ts";
import { withoutOurServer } from "./server-file.ts";
import { isNothing, withoutEntries } from "./settings-text.ts";
import { isOurFile, markOf, pathOf, type Target, targetsOf, wantedMoments } from "./targets.ts";
import { withoutBlock } from "./toml-block.ts";

/** What besides hooks is to be written. */
export interface InstallOptions {
  /** Whether our MCP server is registered; where it is not wanted, it is taken out. */
  readonly mcp: boolean;
}

/** What to write so that an agent calls us and knows our MCP server, or what stands in the way; files that are right already too. */
export function planInstall(
  adapter: Adapter,
  scope: Scope,
  around: InstallContext,
  { mcp }: InstallOptions = { mcp: true },
): readonly (FileEdit | Problem)[] {
  const hooks = planHooks(adapter, scope, around);
  const place = serverPlace(adapter, scope, around);
  return place === undefined ? hooks : planServer(hooks, adapter, place, around, mcp);
}

/** What to write so that an agent calls us. */
export function planHooks(adapter: Adapter, scope: Scope, around: InstallContext): (FileEdit | Problem)[] {
  const { recipe } = adapter;
  if (recipe === undefined) return [PROBLEMS.nothingToWrite({ title: adapter.title })];
  const words = wordsFor(scope, around);
  const wanted = posted(wantedMoments(adapter, words, around.isHeard), adapter, scope, around);
  if (recipe.kind === "entries") return planEntries(adapter, recipe, wanted, scope, around);
  const files = recipe.files(scope, wanted, words).map((file) => ({ ...file, path: pathOf(scope, file.path, around) }));
  const planned = files.flatMap(({ path, text, isProgram }) =>
    orProblem(path, () => [ownFile(adapter, path, text, isProgram ?? false, around)]),
  );
  const stale = targetsOf(adapter, scope, around).filter(({ path }) => files.every((file) => file.path !== path));
  return [...planned, ...stale.flatMap((target) => withoutUs(adapter, target.path, [target], around))];
}

/** What to write so that an agent forgets us: the very bytes that were there, where nobody has touched the file since. */
export function planUninstall(adapter: Adapter, scope: Scope, around: InstallContext): (FileEdit | Problem)[] {
  const targets = targetsOf(adapter, scope, around);
  const server = serverPlace(adapter, scope, around);
  const paths = [...targets.map(({ path }) => path), ...(server === undefined ? [] : [server.path])];
  return [...new Set(paths)].flatMap((path) => {
    const there = targets.filter((target) => target.path === path);
    return withoutUs(adapter, path, there, around, server?.path === path ? server : undefined);
  });
}

function withoutUs(
  adapter: Adapter,
  path: string,
  targets: readonly Target[],
  { env }: InstallContext,
  server?: ServerPlace,
): readonly (FileEdit | Problem)[] {
  return orProblem(path, () => {
    const before = textOf(path);
    if (before === undefined) return [];
    const last = wroteLast(path, before, env);
    const isOwn = targets.some(({ kind }) => kind === "own");
    if (isOwn && isOurFile(before, adapter) && wasChanged(path, before, env)) throw PROBLEMS.changed({});
    const hookless = targets.reduce<string | undefined>(
      (text, target) => (text === undefined ? undefined : cleaned(adapter, target, text)),
      before,
    );
    const bare =
      hookless === undefined || server === undefined ? hookless : withoutOurServer(hookless, path, server.at);
    const after = last === undefined ? bare : (last.original ?? undefined);
    return after === before ? [] : [{ agent: adapter.id, path, before, after, isProgram: false, original: after }];
  });
}

/** A file without what is ours, told from the text alone. */
function cleaned(adapter: Adapter, { kind, path }: Target, text: string): string | undefined {
  const mark = markOf(adapter);
  switch (kind) {
    case "own":
      return isOurFile(text, adapter) ? undefined : text;
    case "block":
      return withoutBlock(text, mark);
    case "entries": {
      const why = whyUneditable(text, []);
      if (why !== undefined) throw uneditable(path, text, why);
      const without = withoutEntries(text, mark);
      const needs = adapter.recipe?.kind === "entries" ? adapter.recipe.needs : undefined;
      return without !== text && isNothing(without, needs) ? undefined : without;
    }
  }
}

const PROBLEMS = problems("install", {
  changed: (_: object) => ({
    what: "This file was changed since Sluice wrote it. It is left as it is.",
    fix: "Save what you need of it and remove it, or let `sluice install` write it anew before you uninstall.",
  }),
  nothingToWrite: ({ title }: { title: string }) => ({
    what: `There is nothing to install for ${title}.`,
    fix: "Let your program call `sluice run json` with an event on its standard input.",
  }),
});
