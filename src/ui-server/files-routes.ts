import { intentBoard } from "../policies/intent/intent-board.ts";
import { knownIntents } from "../policies/intent/intents-file.ts";
import { compileScope } from "../policies/intent/scope.ts";
import { Workspace } from "../policies/intent/workspace.ts";
import { projectFiles, unexplainedChanges } from "../trace/change/audit.ts";
import { blameFile } from "../trace/change/blame-file.ts";
import { changes } from "../trace/change/read-changes.ts";
import { tracePaths } from "../trace/change/trace-paths.ts";
import { isTraced } from "../trace/change/traced.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import { draftedConfiguration } from "./try-routes.ts";
import type { LineAuthors, WrittenFile, WrittenFiles } from "./wire.ts";

/** The files of the project that agents have changed, by the trace of changes. */
export const listWritten: UiRoute = (_, context) => {
  const { hello, env } = context;
  const { root } = hello;
  const read = knownIntents(root);
  const intents = read.state === "read" ? read.intents : [];
  const workspace = new Workspace(root);
  const scopes = intents.map(({ id, ownedScope }) => ({ id, scope: compileScope(ownedScope, workspace) }));
  const ownersOf = (path: string): string[] => {
    const place = scopes.length === 0 ? undefined : workspace.locate(path, root);
    return place?.kind === "inside" ? scopes.filter(({ scope }) => scope.owns(place)).map(({ id }) => id) : [];
  };
  const written = writtenIn(root, env);
  const unexplained = written.size === 0 ? [] : unexplainedChanges({ root, env }).files.slice(0, MAX_FILES);
  for (const { path, changed_at } of unexplained)
    if (!written.has(path))
      written.set(path, { ...noChanges(), last: changed_at === null ? 0 : Date.parse(changed_at) });
  const whyOf = new Map(unexplained.map(({ path, why }) => [path, why]));
  const files = [...written]
    .sort(([, one], [, other]) => other.last - one.last)
    .slice(0, MAX_FILES)
    .map(([path, { changes: count, last, agents, intents: named }]): WrittenFile => {
      const why = whyOf.get(path);
      const about = { path, changes: count, last, agents: [...agents], intents: [...named], owners: ownersOf(path) };
      return why === undefined ? about : { ...about, unexplained: why };
    });
  const shown: WrittenFiles = {
    files,
    intents: intentBoard(root, env),
    tree: projectTree(root, ownersOf),
    ...(read.state === "corrupt" && { problem: read.problem.format() }),
    ...(files.length === 0 && { why: whyNoChange(context) }),
  };
  return { json: shown };
};

function whyNoChange(context: UiContext): string {
  const { root } = context.hello;
  const { trace, isTraceStated, intents } = draftedConfiguration(root, new Map(), context).settings;
  return isTraced({ root, trace, isTraceStated, intents })
    ? "No agent has changed a file here yet. Each change from now on is kept with the call that made it, and its lines can be looked up here."
    : "Changes of this project are not traced, so it is not known who wrote a line. Write `trace: on` into .sluice/hooks.yaml (the Editor does it too), and each change from then on is kept with the call that made it.";
}

/** Every file of the project with its intents; most files have the same few, which are sent once. */
function projectTree(root: string, ownersOf: (path: string) => readonly string[]): WrittenFiles["tree"] {
  const all = projectFiles(root, MAX_IN_TREE + 1);
  const paths = all.slice(0, MAX_IN_TREE);
  const ownerSets = new Map<string, { readonly at: number; readonly ids: readonly string[] }>();
  const owners = paths.map((path) => {
    const ids = ownersOf(path);
    const key = JSON.stringify(ids);
    const known = ownerSets.get(key) ?? { at: ownerSets.size, ids };
    ownerSets.set(key, known);
    return known.at;
  });
  return {
    paths,
    owners,
    ownerSets: [...ownerSets.values()].map(({ ids }) => ids),
    isCut: all.length > paths.length,
  };
}

/** One file of the project, and which call wrote each line. */
export const showAuthors: UiRoute = ({ query }, { hello: { root }, env }) => {
  const place = new Workspace(root).locate(query.get("file") ?? "", root);
  if (place.kind === "outside") return refusedReply(400, `This is not a file of the project: ${place.why}.`);
  const blamed = blameFile({ root, env }, place.lexical);
  if (blamed === undefined) return refusedReply(404, "The file is not in the project any more, or is not text.");
  const authors: LineAuthors = {
    path: place.lexical,
    lines: blamed.lines.slice(0, MAX_LINES).map(({ text, record, isRewritten }) => ({
      text,
      ...(record !== undefined && { by: record }),
      ...(isRewritten && { isRewritten }),
    })),
    changes: blamed.records.map(({ id, timestamp, intent_id, agent, session_id, tool, mutation_class, decision }) => ({
      id,
      at: Date.parse(timestamp),
      ...(intent_id !== null && { intent: intent_id }),
      ...(agent !== undefined && { agent }),
      ...(session_id !== undefined && { session: session_id }),
      ...(tool !== undefined && { tool }),
      kind: mutation_class,
      ...(decision !== undefined && { action: decision.action }),
      reasons: decision?.reasons ?? [],
    })),
  };
  return { json: authors };
};

function writtenIn(root: string, env: Readonly<Record<string, string | undefined>>): Map<string, Written> {
  const found = new Map<string, Written>();
  for (const { timestamp, agent, intent_id, files } of changes(tracePaths({ root, env }))) {
    for (const { relative_path: path, deleted } of files) {
      if (deleted) found.delete(path);
      else {
        const known = found.get(path) ?? noChanges();
        found.set(path, known);
        known.changes++;
        known.last = Date.parse(timestamp);
        if (agent !== undefined) known.agents.add(agent);
        if (intent_id !== null) known.intents.add(intent_id);
      }
    }
  }
  return found;
}

function noChanges(): Written {
  return { changes: 0, last: 0, agents: new Set(), intents: new Set() };
}

interface Written {
  changes: number;
  last: number;
  readonly agents: Set<string>;
  readonly intents: Set<string>;
}

const MAX_FILES = 5000;
const MAX_IN_TREE = 10_000;
const MAX_LINES = 20_000;
