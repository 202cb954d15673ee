import type { Adapter } from "../adapters/adapter.ts";
import { MCP_SERVER, type Scope } from "../adapters/recipe.ts";
import { Problem, problems } from "../problem/problem.ts";
import type { InstallContext } from "./install-context.ts";
import { wroteLast } from "./ledger.ts";
import { uneditable } from "./plan-entries.ts";
import type { FileEdit } from "./plan-file.ts";
import { orProblem, textOf } from "./read-settings.ts";
import { isAsWanted, isOurServer, type Server, serverFile, withoutOurServer } from "./server-file.ts";
import { pathOf } from "./targets.ts";

/** Where our MCP server stands for an agent, and what it is. */
export interface ServerPlace {
  readonly path: string;
  readonly at: readonly string[];
  readonly server: Server;
}

/** The place of our server in a scope; nothing for an agent that takes none there. */
export function serverPlace({ recipe }: Adapter, scope: Scope, around: InstallContext): ServerPlace | undefined {
  const file = recipe?.mcp?.files[scope];
  if (recipe?.mcp === undefined || file === undefined) return undefined;
  const { at, server } = recipe.mcp;
  return { path: pathOf(scope, file, around), at: [...at, MCP_SERVER], server: server(around.mcp) };
}

/**
 * Adds the registration of our MCP server to what is planned for an agent, in one change per file; where it is not
 * wanted, it goes away. Somebody else's server of that name stays.
 */
export function planServer(
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
    return [{ isProgram: false, ...hooks, agent: adapter.id, path, before, after, original, server }];
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
  otherServer: ({ title }: { title: string }) => ({
    what: `${title} knows another MCP server by the name \`${MCP_SERVER}\`. It is left as it is, and Sluice's is not registered.`,
    fix: "Give the other one another name and run the command again, or leave Sluice's out: --no-mcp.",
  }),
  tooOddForServer: (_: object) => ({
    what: "No MCP server could be added to this file without changing its meaning. Nothing was changed.",
    fix: "Let a formatter rewrite it, and run the command again; or leave the server out: --no-mcp.",
  }),
});
