import type { Adapter } from "../adapters/adapter.ts";
import { MCP_SERVER, type Scope } from "../adapters/recipe.ts";
import { whyUneditable } from "../config/json-text.ts";
import { Problem, problems } from "../problem/problem.ts";
import type { InstallContext } from "./install-context.ts";
import { callWords, posted, serverWords, whatCalls } from "./invocation.ts";
import { wasChanged, wroteLast } from "./ledger.ts";
import { planEntries, uneditable } from "./plan-entries.ts";
import { isAsWanted, isOurServer, type Server, serverFile, withoutOurServer } from "./server-file.ts";
import { type FileEdit, orProblem, ownFile, textOf } from "./settings-file.ts";
import { isNothing, withoutEntries } from "./settings-text.ts";
import { isOurFile, markOf, pathOf, type Target, targetsOf, wantedHookEvents } from "./targets.ts";
import { withoutBlock } from "./toml-text.ts";

/** What besides hooks is to be written. */
export interface InstallOptions {
  /** Whether our MCP server is registered; where it is not wanted, it is taken out. */
  readonly mcp: boolean;
}

/** What to write so that an agent calls us and knows our MCP server, or the problem that prevents it; files that are right already too. */
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
  const wanted = posted(wantedHookEvents(adapter, scope, around), adapter, scope, around);
  if (recipe.kind === "entries") return planEntries(adapter, recipe, wanted, scope, around);
  const files = recipe
    .files(scope, wanted, callWords(adapter, scope, around))
    .map((file) => ({ ...file, path: pathOf(scope, file.path, around) }));
  const planned = files.flatMap(({ path, text, isProgram }) =>
    orProblem(path, () => [ownFile(adapter, path, text, isProgram ?? false, around, doesFor(path))]),
  );
  function doesFor(path: string): string[] {
    const own = wanted.filter(({ hookEvent }) => path.endsWith(`/${hookEvent}`));
    return whatCalls(own.length === 0 ? wanted : own);
  }
  const stale = targetsOf(adapter, scope, around).filter(({ path }) => files.every((file) => file.path !== path));
  return [...planned, ...stale.flatMap((target) => withoutUs(adapter, target.path, [target], around))];
}

/** What to write so that an agent forgets us: the very bytes that were there, where the file was not changed since. */
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
    const does = after === undefined ? ["all of it is Sluice's"] : ["what Sluice wrote into it"];
    return after === before
      ? []
      : [{ agent: adapter.id, path, before, after, isProgram: false, original: after, does }];
  });
}

/** A file without our entries, found by the text alone. */
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

/** Where our MCP server stands for an agent, and what it is. */
export interface ServerPlace {
  readonly path: string;
  readonly at: readonly string[];
  readonly server: Server;
}

/** The place of our server in a scope; nothing for an agent that takes none there. */
export function serverPlace(adapter: Adapter, scope: Scope, around: InstallContext): ServerPlace | undefined {
  const { recipe } = adapter;
  const file = recipe?.mcp?.files[scope];
  if (recipe?.mcp === undefined || file === undefined) return undefined;
  const { at, server } = recipe.mcp;
  return {
    path: pathOf(scope, file, around),
    at: [...at, MCP_SERVER],
    server: server(serverWords(adapter, scope, around)),
  };
}

/**
 * Adds the registration of our MCP server to what is planned for an agent, in one change per file; where it is not
 * wanted, it goes away. Another program's server of that name stays.
 */
function planServer(
  planned: readonly (FileEdit | Problem)[],
  adapter: Adapter,
  place: ServerPlace,
  around: InstallContext,
  isWanted: boolean,
): readonly (FileEdit | Problem)[] {
  const { path } = place;
  const hooks = planned.find((one): one is FileEdit => !(one instanceof Problem) && one.path === path);
  const others = planned.filter((one) => one !== hooks);
  const isRefused = others.some((one) => one instanceof Problem && one.place?.file === path);
  if (isRefused) return planned;
  const changed = orProblem(path, () => {
    const before = hooks === undefined ? textOf(path) : hooks.before;
    const now = hooks === undefined ? before : hooks.after;
    const after = isWanted ? registered(now, place, adapter) : removed(now, place);
    if (hooks === undefined && after === undefined && before === undefined) return [];
    const last = before === undefined ? undefined : wroteLast(path, before, around.env);
    const base = hooks === undefined ? before : hooks.original;
    const original = last === undefined ? removed(base, place) : (last.original ?? undefined);
    const server = hooks === undefined && isWanted ? place.server : undefined;
    const does = [...(hooks?.does ?? []), ...(isWanted ? [`MCP server \`${MCP_SERVER}\``] : [])];
    return [{ isProgram: false, ...hooks, agent: adapter.id, path, before, after, original, server, does }];
  });
  const isKept = changed.some((one) => one instanceof Problem) && hooks !== undefined;
  return [...others, ...(isKept ? [hooks] : []), ...changed];
}

function registered(text: string | undefined, { path, at, server }: ServerPlace, { title }: Adapter): string {
  const file = serverFile(path, at);
  const why = text === undefined ? undefined : file.refuses(text);
  if (why !== undefined) throw uneditable(path, text ?? "", why);
  const there = text === undefined ? undefined : file.read(text);
  if (there !== undefined && !isOurServer(there)) throw PROBLEMS.otherServer({ title }, { place: { file: path } });
  if (text !== undefined && isAsWanted(there, server)) return text;
  const after = file.put(text, { ...Object(there), ...server });
  if (text !== undefined && !file.keeps(text, after)) throw PROBLEMS.tooOddForServer({}, { place: { file: path } });
  return after;
}

function removed(text: string | undefined, { path, at }: ServerPlace): string | undefined {
  return text === undefined ? undefined : withoutOurServer(text, path, at);
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
  otherServer: ({ title }: { title: string }) => ({
    what: `${title} knows another MCP server by the name \`${MCP_SERVER}\`. It is left as it is, and Sluice's is not registered.`,
    fix: "Give the other one another name and run the command again, or leave Sluice's out: --no-mcp.",
  }),
  tooOddForServer: (_: object) => ({
    what: "No MCP server could be added to this file without changing its meaning. Nothing was changed.",
    fix: "Let a formatter rewrite it, and run the command again; or leave the server out: --no-mcp.",
  }),
});
