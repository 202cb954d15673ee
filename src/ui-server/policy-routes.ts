import { join } from "node:path";
import { readDocument } from "../config/document.ts";
import { loadLayers } from "../config/load.ts";
import { configHome, isOfProject, LAYER_FILES } from "../config/locate.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { isInProject } from "../fs/project-bounds.ts";
import type { Layer } from "../hook/hook.ts";
import { hookDenying } from "../suggest/suggestions.ts";
import { HOOK_TEMPLATES } from "../templates/index.ts";
import { answeredAction, isCanary } from "../trace/outcome.ts";
import { recordedText } from "../trace/recorded-event.ts";
import { widthIn } from "./review-routes.ts";
import { refusedReply, type UiContext, type UiRoute } from "./route.ts";
import { mayObject } from "./row-filters.ts";
import type { AllowPreview, PolicyFile, ReplaySummary, StarterHook } from "./wire-policy.ts";

/** The files of the policy that holds here, with their texts. */
export const listPolicies: UiRoute = (_, context) => ({ json: policyFiles(context) });

/** Every file of hooks that a person may change here, and those that only an administrator or a pack may. */
export function policyFiles({ hello, env }: UiContext): PolicyFile[] {
  const where = { env, ...(hello.home !== "" && { home: hello.home }) };
  const found = loadLayers(hello.root, where).files.map(({ layer, path, pack }) =>
    policyFile(layer, path, layer !== "managed" && pack === undefined, hello.root),
  );
  const usual = [
    policyFile("project", join(hello.root, LAYER_FILES.project[0]), true, hello.root),
    policyFile("user", join(configHome(where), LAYER_FILES.user[0]), true, hello.root),
  ];
  const isMissing = ({ layer }: PolicyFile) => !found.some((file) => file.layer === layer);
  return [...found, ...usual.filter(isMissing)];
}

function policyFile(layer: Layer, path: string, isOwn: boolean, root: string): PolicyFile {
  const isInside = !isOwn || !isOfProject(layer) || isInProject(root, path);
  const read = readDocument(path, isInside ? {} : { root });
  const isWritable = isOwn && isInside;
  const text = read.state === "read" ? read.document.text : read.state === "corrupt" ? (read.text ?? "") : "";
  return { layer, path, text, hash: sha256Text(text), exists: read.state !== "missing", isWritable };
}

/** What a new hook can begin with: templates, and calls that were denied or asked about lately. */
export const listStarters: UiRoute = async (_, context) => ({
  json: [...templateStarters(), ...(await denialStarters(context))],
});

function templateStarters(): StarterHook[] {
  return Object.entries(HOOK_TEMPLATES).map(([name, hook]) => ({
    from: "template",
    id: name,
    title: `${name}: ${hook.description}`,
    hook: hook.toJSON() as StarterHook["hook"],
  }));
}

/** One hook for each call that was objected to, however often; it denies exactly that call. */
async function denialStarters({ source }: UiContext): Promise<StarterHook[]> {
  const found = new Map<string, StarterHook>();
  for await (const { record } of source.search({ from: Date.now() - DAYS * DAY_MS, mayFit: mayObject })) {
    if (found.size >= MAX_STARTERS) break;
    const told = answeredAction(record);
    if ((told !== "deny" && told !== "ask") || record.kind !== "decision" || isCanary(record.results)) continue;
    const hook = hookDenying(record, record.reasons[0] ?? "This is not done here.");
    const text = recordedText(record).replaceAll(/\s+/g, " ").slice(0, MAX_TITLE);
    if (hook !== undefined && !found.has(text))
      found.set(text, { from: "denial", id: record.id, title: `${told}: ${text}`, hook });
  }
  return [...found.values()];
}

/** Judges the recorded calls of this project by a text that is not saved: a line of JSON for each stretch of days. */
export const replayPolicy: UiRoute = ({ body, signal }, context) => {
  const { hello, journal, replays, replayLimit: limit } = context;
  const { root, home } = hello;
  const { path, text } = Object(body) as Readonly<Record<string, unknown>>;
  const file = policyFiles(context).find((one) => one.path === path && one.isWritable);
  if (file === undefined || typeof text !== "string")
    return refusedReply(404, "This is not a file of the policy that can be changed here.");
  return {
    type: "application/x-ndjson; charset=utf-8",
    lines: asLines(
      replays.summaries({ drafts: [{ path: file.path, text }], root, home, journal, limit }, file.hash, signal),
    ),
  };
};

/** What the narrowest exception for a call would be. Nothing is written; what it would let pass is a replay of its text. */
export const previewAllow: UiRoute = async ({ body }, context) => {
  const { id, width } = Object(body) as { readonly id?: unknown; readonly width?: unknown };
  if (typeof id !== "string" || !/^[0-9a-f]{6}$/.test(id)) return refusedReply(400, "No call is named.");
  const { path, before = "", after } = await context.acts.previewAllow(id, ...widthIn(width));
  return { json: { file: path, before, after } satisfies AllowPreview };
};

async function* asLines(summaries: AsyncIterable<ReplaySummary>): AsyncGenerator<string> {
  for await (const summary of summaries) yield `${JSON.stringify(summary)}\n`;
}

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_STARTERS = 30;
const MAX_TITLE = 80;
