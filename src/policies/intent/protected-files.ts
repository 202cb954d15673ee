import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Minimatch } from "minimatch";
import { ADAPTERS } from "../../adapters/index.ts";
import { readText } from "../../config/read-text.ts";
import { type Problem, problems } from "../../problem/problem.ts";
import { IGNORE_FILE, INTENTS_FOLDER } from "./intents-file.ts";
import type { Workspace } from "./workspace.ts";

/** Returns why no intent may touch a path, from the project's root; undefined if intents decide. */
export type ScopeProtection = (path: string) => string | undefined;

/** The files that no intent owns: what `.intentignore` lists, and what intents themselves are made of. */
export function protectionOf(workspace: Workspace, scopes: readonly string[]): ScopeProtection {
  const rules = readRules(workspace);
  const own = OWN.filter((path) => !scopes.some((scope) => path === SETTINGS && scope.startsWith(`${SETTINGS}/`)));
  const servers = SERVER_FILES.filter((file) => !scopes.includes(file)).map((file) => workspace.fold(file));
  return (path) => {
    const folded = workspace.fold(path);
    if (servers.includes(folded))
      return "it registers the server of Sluice's own tools; only a scope that names it owns it";
    if (own.some((mine) => folded === mine || folded.startsWith(`${mine}/`)))
      return "it belongs to what intents are checked with";
    return isListed(folded, rules) ? `${IGNORE_FILE} protects it from every intent` : undefined;
  };
}

interface Rule {
  readonly fits: (path: string) => boolean;
  readonly isProtecting: boolean;
}

/** The last line that matches a path decides; the contents of a protected folder are protected. */
function isListed(path: string, rules: readonly Rule[]): boolean {
  if (rules.length === 0) return false;
  const parts = path.split("/");
  return parts.some((_, index) => {
    const part = parts.slice(0, index + 1).join("/");
    return rules.findLast((rule) => rule.fits(part))?.isProtecting ?? false;
  });
}

function readRules(workspace: Workspace): Rule[] {
  const path = join(workspace.root, IGNORE_FILE);
  // Asking costs less than being refused.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const file = readText(path, { root: workspace.root });
  if (file.state === "missing") return [];
  if (file.state !== "read") throw unreadable(path, file.problem);
  return file.text.split(/\r?\n/).flatMap((line) => readRule(line, workspace) ?? []);
}

/** The same fact, in words that are about this file. */
function unreadable(path: string, { message, fix }: Problem): Problem {
  const why = message.replace(/ None of its hooks are active\.$| with hooks(?= is looked for)/, "");
  return PROBLEMS.protectedUnreadable({ path, why, fix }, { place: { file: path } });
}

function readRule(line: string, workspace: Workspace): Rule | undefined {
  const written = line.replace(/(?<!\\)\s+$/, "");
  if (written.startsWith("#")) return undefined;
  const isProtecting = !written.startsWith("!");
  const body = (isProtecting ? written : written.slice(1)).replace(/\/$/, "");
  const pattern = body.includes("/") ? body.replace(/^\//, "") : `**/${body}`;
  const matcher = new Minimatch(workspace.fold(pattern), { dot: true, nonegate: true, nocomment: true, noext: true });
  return { fits: (path) => matcher.match(path), isProtecting };
}

const SETTINGS = ".sluice";
const OWN = [INTENTS_FOLDER, IGNORE_FILE, SETTINGS];
/** Where agents find the MCP servers of a project: the gate lets our own tools pass, by the name of their server. */
const SERVER_FILES = [...new Set(ADAPTERS.flatMap(({ recipe }) => recipe?.mcp?.files.project ?? []))];

const PROBLEMS = problems("intent", {
  protectedUnreadable: ({ path, why, fix }: { path: string; why: string; fix: string | undefined }) => ({
    what: `${path} cannot be used: ${why} What it protects is unknown.`,
    fix: fix ?? "Correct the file.",
  }),
});
