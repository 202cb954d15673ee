import { readdirSync, type Stats, statSync } from "node:fs";
import { extname, join } from "node:path";
import { attempt } from "../event/attempt.ts";
import { eventSpellings } from "../event/catalogue.ts";
import { isToolKind, TOOL_KINDS } from "../event/tool-kinds.ts";
import { isInProject } from "../fs/project-bounds.ts";
import { Hook, type HookSurroundings, type Layer } from "../hook/hook.ts";
import { readHook } from "../hook/read.ts";
import type { MatcherSpec } from "../hook/schema.ts";
import { didYouMean } from "../problem/nearest.ts";
import { errorText, Problem, problems } from "../problem/problem.ts";
import { shutGateOf } from "./shut-gate.ts";

/** What a folder of scripts came to. */
export interface Discovered {
  /** By file name. */
  readonly hooks: readonly Hook[];
  /** In place of scripts whose names are wrong. */
  readonly shut: readonly Hook[];
  /** A folder that cannot be read, names of tools that do not exist. */
  readonly errors: readonly Problem[];
  /** Files that look like hooks and never run. */
  readonly warnings: readonly Problem[];
}

/** Makes a hook of every script in a folder that is called `pre-<tool>`, `post-<tool>` or `on-<event>`; in `root`, if it is given. */
export function discoverHooks(
  folder: string,
  layer: Layer,
  around: HookSurroundings = {},
  root: string | undefined = undefined,
): Discovered {
  if (statsOf(folder)?.isDirectory() !== true) return NOTHING;
  if (root !== undefined && !isInProject(root, folder))
    return { ...NOTHING, errors: [PROBLEMS.scriptsOutside(undefined, { place: { file: folder } })] };
  const hooks: Hook[] = [];
  const shut: Hook[] = [];
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  try {
    for (const file of readdirSync(folder).sort()) {
      const found = readFile(join(folder, file), file);
      if (found === undefined) continue;
      if (found instanceof Problem) warnings.push(found);
      else {
        const origin = { layer, place: { file: found.script, line: 1 }, index: 0 };
        const read = readHook(found, 0, false);
        const wrong = read.errors.map((problem) => problem.at(origin.place));
        const gate = shutGateOf(found, wrong, origin, around);
        errors.push(...wrong);
        if (wrong.length === 0) hooks.push(Hook.fromJSON(found, origin, { ...around, read }));
        else if (gate !== undefined) shut.push(gate);
      }
    }
  } catch (cause) {
    const why = errorText(cause);
    return {
      hooks: [],
      shut: [],
      errors: [PROBLEMS.scriptFolderUnreadable({ why }, { place: { file: folder }, cause })],
      warnings,
    };
  }
  return { hooks, shut, errors, warnings };
}

/** Whether a hook is a script that was found in a folder and is not written in a file of hooks. */
export function isDiscovered({ origin, script }: Hook): boolean {
  return origin !== undefined && origin.place.file === script;
}

/** The hook that a file is, the reason why it is none although it looks like one, or nothing. */
function readFile(path: string, file: string): { readonly script: string } | Problem | undefined {
  const suffix = extname(file);
  const name = file.slice(0, file.length - suffix.length);
  const stats = statsOf(path);
  if (file.startsWith(".") || stats?.isDirectory()) return undefined;
  const matcher = matcherFor(name);
  const place = { file: path, line: 1 };
  if (!isScript(stats, suffix)) {
    return matcher === undefined || NOTES.has(suffix.toLowerCase())
      ? undefined
      : PROBLEMS.noScript({ file }, { place });
  }
  if (matcher === undefined) return PROBLEMS.neverRun({ name, suffix }, { place });
  const hook = { name, type: "command", matcher, script: path };
  return hook;
}

/** `undefined` for what is not there, or leads nowhere. */
function statsOf(path: string): Stats | undefined {
  return attempt(() => statSync(path));
}

function isScript(stats: Stats | undefined, suffix: string): boolean {
  if (!stats?.isFile()) return false;
  return SUFFIXES.includes(suffix.toLowerCase()) || (process.platform !== "win32" && (stats.mode & 0o111) !== 0);
}

/** The events that a script's name matches. A name that is an event's own, such as `pre-compact`, means the event. */
function matcherFor(name: string): MatcherSpec | undefined {
  const [, when = "", what = ""] = /^(pre|post|on)-([\w@-]+)$/i.exec(name) ?? [];
  if (when === "") return undefined;
  const isOn = when.toLowerCase() === "on";
  const event = eventSpellings().find((spelling) => fold(spelling) === fold(isOn ? what : name));
  if (event !== undefined) return { events: [event] };
  if (what.startsWith("@") && !isToolKind(what)) return undefined;
  return isOn
    ? undefined
    : { events: [when.toLowerCase() === "pre" ? "PreToolUse" : "PostToolUse"], tools: toolsCalled(what) };
}

/** File names ignore case and allow few characters: a name means the tool in every spelling that agents use. */
function toolsCalled(word: string): string[] {
  if (isToolKind(word)) return [word];
  const pascal = word.replaceAll(/(?:^|[-_]+)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  const known = knownTools().filter((tool) => fold(tool) === fold(word));
  return [...new Set([word, word.replaceAll("-", "_"), camel, pascal, ...known])];
}

function knownTools(): string[] {
  return Object.values(TOOL_KINDS).flatMap(({ names }) => names);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_:]/g, "");
}

/** Every name that would run, for suggestions. */
function possibleNames(): string[] {
  const tools = [...Object.keys(TOOL_KINDS), ...new Set(knownTools().map((tool) => tool.toLowerCase()))];
  const events = eventSpellings().map((name) => name.replaceAll(/(?<=[a-z])(?=[A-Z])|[:_]/g, "-").toLowerCase());
  return [...events.map((event) => `on-${event}`), ...tools.flatMap((tool) => [`pre-${tool}`, `post-${tool}`])];
}

const NOTHING: Discovered = { hooks: [], shut: [], errors: [], warnings: [] };

const SUFFIXES = [
  ".sh",
  ".bash",
  ".zsh",
  ".fish",
  ".py",
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".cts",
  ".rb",
  ".pl",
  ".ps1",
];

/** Files that may be beside a script and describe it. */
const NOTES = new Set([".md", ".txt", ".json", ".yaml", ".yml", ".toml", ".log", ".bak", ".orig", ".sample"]);

const PROBLEMS = problems("config", {
  neverRun: ({ name, suffix }: { name: string; suffix: string }) => ({
    what: `This file is never run: "${name}" is not the name of an event or a tool.`,
    fix: `${meant(name, suffix)}Hooks are called pre-<tool>, post-<tool> or on-<event>; other files belong in a folder.`,
  }),
  scriptFolderUnreadable: ({ why }: { why: string }) => ({
    what: `This folder cannot be read, and none of its scripts runs: ${why}`,
    fix: "Make it readable for yourself.",
  }),
  scriptsOutside: () => ({
    what: "This folder is outside of the project after its symlinks are followed. None of its scripts runs.",
    fix: "Put the scripts into the project.",
  }),
  noScript: ({ file }: { file: string }) => ({
    what: `This file is never run: it is unknown what runs "${file}", or it is a link to a missing file.`,
    fix: `Make it executable, or give it one of the suffixes ${SUFFIXES.join(", ")}.`,
  }),
});

function meant(name: string, suffix: string): string {
  const question = didYouMean(name, possibleNames());
  return question === "" ? "" : `${question.replace(/"\?$/, `${suffix}"?`)} `;
}
