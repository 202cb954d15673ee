import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Adapter } from "../adapters/adapter.ts";
import type { HookTrust, Scope } from "../adapters/recipe.ts";
import { isObject } from "../event/json.ts";
import { sha256Text } from "../fs/late-builtins.ts";
import { realPath } from "../fs/resolve-path.ts";
import { type ForeignFields, jsonIn, tomlIn } from "../install/import/foreign-hooks.ts";
import { type InstallContext, inPath } from "../install/install-context.ts";
import { isOurs } from "../install/invocation.ts";
import { textOf } from "../install/settings-file.ts";
import { Problem } from "../problem/problem.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";

/** A settings file that calls us. */
interface CallingFile {
  readonly scope: Scope;
  readonly path: string;
}

/** Whether the agent's user has trusted our hooks, according to the agent's own files: untrusted hooks are not run. */
export function examineTrust(adapter: Adapter, wired: readonly CallingFile[], around: InstallContext): Finding[] {
  const trust = adapter.recipe?.trust;
  if (trust === undefined || wired.length === 0) return [];
  const scopes = [...new Set(wired.map(({ scope }) => scope))];
  const looks = scopes.map((scope) => {
    const files = wired.filter((one) => one.scope === scope).map(({ path }) => path);
    return trust.scopes.includes(scope) ? lacking(adapter, trust, scope, files, around) : undefined;
  });
  const untrusted = looks.filter((what) => what !== undefined);
  if (untrusted.length === 0) {
    if (!trust.scopes.some((scope) => scopes.includes(scope))) return [];
    return [trust.form === "hook hashes" ? { ...fine(TRUSTED), isListed: true } : fine(TRUSTED)];
  }
  // One installation that runs is enough, and where the agent itself is not on this machine, nothing is unprotected yet.
  const isHere = adapter.program !== undefined && inPath(adapter.program, around.env.PATH) !== undefined;
  const say = untrusted.length < looks.length || !isHere ? note : wrong;
  const isNowhere = untrusted.length === looks.length;
  return [...new Set(untrusted)].map((what) => ({ ...say(what, trust.step), ...(isNowhere && { isUntrusted: true }) }));
}

/** What is not trusted, in a sentence. */
function lacking(
  { id, title }: Adapter,
  { file, form, isAsked }: HookTrust,
  scope: Scope,
  files: readonly string[],
  around: InstallContext,
): string | undefined {
  const { home, root } = around;
  const text = readText(join(home, file)) ?? "";
  if (form === "hook hashes") {
    if (scope === "project" && !trustedProjects(text).some((folder) => isWithin(root, folder)))
      return `${title} does not trust this project yet, so it does not read the project's hooks.`;
    const names = [...new Set(files.flatMap((path) => untrustedHooks(path, text, id)))];
    return names.length === 0
      ? undefined
      : `${title} skips hooks that its user has not trusted as they are now: ${names.join(", ")}.`;
  }
  if (isAsked !== undefined && !isSwitchedOn(home, isAsked)) return undefined;
  const settings = jsonIn(text);
  const isTrusted = form === "folder levels" ? hasLevel(settings, root) : isListed(settings, form.listsUnder, root);
  const whose = scope === "user" ? "any hook" : "a project's hooks";
  return isTrusted ? undefined : `${title} does not run ${whose} here: it does not trust this folder yet.`;
}

/** Our hooks in a file whose hash, as the agent computes it, is not among those that its user has trusted. */
function untrustedHooks(path: string, config: string, agent: string): string[] {
  const text = readText(path) ?? "";
  const { hooks } = Object(path.endsWith(".toml") ? tomlIn(text) : jsonIn(text)) as { readonly hooks?: unknown };
  const states = hookStates(config);
  const paths = [...new Set([path, realPath(path)])];
  return Object.entries(isObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).filter(isObject).flatMap((group, groupIndex) =>
      (Array.isArray(group.hooks) ? group.hooks : []).filter(isObject).flatMap((hook, hookIndex) => {
        if (typeof hook.command !== "string" || !isOurs(hook.command, agent)) return [];
        const keys = paths.map((file) => `${file}:${snakeCase(event)}:${groupIndex}:${hookIndex}`);
        const state = keys.map((key) => states.get(key)).find((one) => one !== undefined);
        const isTrusted = state?.enabled !== false && state?.trusted_hash === hookHash(event, group, hook);
        return isTrusted ? [] : [event];
      }),
    ),
  );
}

/** The hash that Codex keeps of a trusted hook: of its declaration as JSON with sorted keys, defaults written out. */
function hookHash(event: string, group: ForeignFields, hook: ForeignFields): string {
  const { matcher } = group;
  const { async: isAsync = false, command, timeout = DEFAULT_SECONDS, statusMessage } = hook;
  const handler = { async: isAsync, command, ...(statusMessage ? { statusMessage } : {}), timeout, type: "command" };
  const hasMatcher = typeof matcher === "string" && !WITHOUT_MATCHER.has(event);
  const identity = { event_name: snakeCase(event), hooks: [handler], ...(hasMatcher ? { matcher } : {}) };
  return `sha256:${sha256Text(JSON.stringify(identity))}`;
}

const DEFAULT_SECONDS = 600;
const WITHOUT_MATCHER: ReadonlySet<string> = new Set(["UserPromptSubmit", "Stop"]);

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

/** The tables `[hooks.state."<key>"]` of a TOML text, by their keys. */
function hookStates(text: string): Map<string, ForeignFields> {
  const { state } = Object(tomlIn(text)?.hooks) as { readonly state?: unknown };
  return new Map(tablesOf(state));
}

/** The folders of `[projects."<folder>"]` that are trusted. */
function trustedProjects(text: string): string[] {
  return tablesOf(tomlIn(text)?.projects)
    .filter(([, { trust_level: level }]) => level === "trusted")
    .map(([folder]) => folder);
}

function tablesOf(value: unknown): [string, ForeignFields][] {
  return Object.entries(Object(value)).filter((entry): entry is [string, ForeignFields] => isObject(entry[1]));
}

function isSwitchedOn(home: string, { file, at, unset }: NonNullable<HookTrust["isAsked"]>): boolean {
  let value = jsonIn(readText(join(home, file)) ?? "");
  for (const key of at) value = isObject(value) ? value[key] : undefined;
  return typeof value === "boolean" ? value : unset;
}

/** The nearest folder with a level decides. */
function hasLevel(levels: unknown, root: string): boolean {
  const rules = Object.entries(isObject(levels) ? levels : {}).map(([folder, level]) => ({
    folder: level === "TRUST_PARENT" ? dirname(folder) : folder,
    isTrusted: level === "TRUST_FOLDER" || level === "TRUST_PARENT",
  }));
  const nearest = rules.filter(({ folder }) => isWithin(root, folder));
  return nearest.sort((one, other) => other.folder.length - one.folder.length)[0]?.isTrusted ?? false;
}

function isListed(settings: unknown, keys: readonly string[], root: string): boolean {
  const lists = keys.map((key) => (isObject(settings) ? settings[key] : undefined)).filter(Array.isArray);
  return lists.flat().some((folder) => typeof folder === "string" && isWithin(root, folder));
}

function isWithin(root: string, folder: string): boolean {
  return [root, realPath(root)].some((place) => {
    const steps = relative(folder, place);
    return steps === "" || (steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps));
  });
}

/** The text of a settings file; undefined if it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    return textOf(path);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const TRUSTED = "its own files state that it trusts these hooks";
