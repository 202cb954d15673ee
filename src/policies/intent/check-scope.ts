import { lstatSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { Minimatch } from "minimatch";
import { GAP } from "../../effects/index.ts";
import { statsAt } from "../../fs/resolve-path.ts";
import type { Intent } from "./intent.ts";
import { protectionOf, type ScopeProtection } from "./protected-files.ts";
import { compileScope, type OwnedScope } from "./scope.ts";
import { type Below, walk } from "./walk.ts";
import { type Located, resolvedTarget, Workspace } from "./workspace.ts";
import type { CallChanges, WrittenPath } from "./written-path.ts";

/** A path that an intent may not change. */
export interface Violation {
  readonly path: string;
  readonly why: string;
}

/** What checking came to: paths that are not owned, and paths that are too many to look at. */
export interface Checked {
  readonly violations: readonly Violation[];
  readonly unknowns: readonly string[];
}

/** Where a call happens. */
export interface ScopePlace {
  readonly root: string;
  /** The resolved path of the root, if that is known. */
  readonly real?: string;
  readonly cwd: string | undefined;
  readonly home: string | undefined;
}

/** Looks at every path that a call changes: inside, as it is written and as it is in the end, or a violation. */
export function checkScope({ paths, climbs, copies }: CallChanges, intent: Intent, standing: ScopePlace): Checked {
  const workspace = new Workspace(standing.root, process.platform, standing.real);
  const checker: Checker = {
    workspace,
    scope: compileScope(intent.ownedScope, workspace),
    protection: protectionOf(workspace, intent.ownedScope),
    cwd: standing.cwd,
    home: standing.home,
    violations: [],
    unknowns: [],
  };
  for (const written of paths) check({ ...written, path: opened(written.path, checker) }, checker);
  for (const path of climbs.filter((path) => isTwisted(path, checker))) checkOne(path, checker);
  for (const path of copies.flatMap((copied) => namedOnDisk(copied, checker))) checkCopied(path, checker);
  return checker;
}

interface Checker extends Checked {
  readonly workspace: Workspace;
  readonly scope: OwnedScope;
  readonly protection: ScopeProtection;
  readonly cwd: string | undefined;
  readonly home: string | undefined;
  readonly violations: Violation[];
  readonly unknowns: string[];
}

function check(written: WrittenPath, checker: Checker): void {
  const { path, isTree, isGlob, isWorkTree, isPicked, isGone, puts } = written;
  if (isGlob) {
    checkGlob(written, checker);
    return;
  }
  const located = locatedAt(path, checker);
  if (located === undefined || isWorkTree) return;
  const isFolder = located.is === "folder";
  if (isTree || (isPicked && isFolder)) checkTree(path, located, checker);
  else if (isFolder && isGone) checkGone(path, located, checker);
  else if (isFolder && puts === undefined) checkFolder(path, located, checker);
  else judge(located, checker);
  for (const put of puts ?? []) {
    if (!put.includes(GAP)) checkPut(put, path, isFolder, checker);
    else if (isFolder) checker.unknowns.push(`what is moved into ${path}`);
  }
}

/** The contents of a folder are moved with it. If a folder is made at the path first, it is moved into that under its name. */
function checkPut(put: string, path: string, isFolder: boolean, checker: Checker): void {
  for (const source of namedOnDisk(put, checker)) {
    const below = walk(source);
    if (below === undefined) checker.unknowns.push(`everything in ${put}`);
    checkContents(below ?? [], path, checker, checker.scope);
    if (isFolder) continue;
    const deeper = `${path}/${basename(source)}`;
    checkProtected(deeper, checker);
    checkContents(below ?? [], deeper, checker);
  }
}

/** The contents of a folder that is put somewhere; a place that is certain has to be owned. */
function checkContents(below: readonly Below[], path: string, checker: Checker, scope?: OwnedScope): void {
  const { workspace, cwd, protection, violations } = checker;
  const located = workspace.locate(path, cwd);
  if (located.kind !== "inside") return;
  for (const entry of below) {
    const [lexical, resolved] = [`${located.lexical}/${entry.path}`, `${located.resolved}/${entry.path}`];
    const isOwned = scope?.owns({ ...located, lexical, resolved, is: entry.isFolder ? "folder" : "file" }) ?? true;
    const why = protection(resolved) ?? (isOwned ? undefined : NOT_OWNED);
    if (why !== undefined) violations.push({ path: lexical, why });
  }
}

/** The place of a path; one outside of the project is a violation already. */
function locatedAt(path: string, { workspace, cwd, violations }: Checker): Inside | undefined {
  const located = workspace.locate(path, cwd);
  if (located.kind === "inside") return located;
  violations.push({ path, why: located.why });
  return undefined;
}

function checkOne(path: string, checker: Checker): void {
  const located = locatedAt(path, checker);
  if (located !== undefined) judge(located, checker);
}

type Inside = Extract<Located, { kind: "inside" }>;

/** Paths are named as scopes name them: from the project's root, whatever the folder of the call is. */
function judge(located: Inside, { scope, protection, violations }: Checker): void {
  const path = located.lexical;
  const why = protection(path) ?? protection(located.resolved);
  if (why !== undefined) violations.push({ path, why });
  else if (!scope.owns(located)) violations.push({ path, why: leads(located) });
}

function leads({ lexical, resolved }: Inside): string {
  return lexical === resolved ? NOT_OWNED : `${NOT_OWNED}: it leads to ${resolved}`;
}

/** A folder with everything in it: its present entries and later ones. */
function checkTree(path: string, located: Inside, checker: Checker): void {
  judge(located, checker);
  if (!checker.scope.ownsBelow(located)) checker.violations.push({ path: `${located.lexical}/…`, why: NOT_OWNED });
  checkBelow(path, located, checker, true);
}

/** What is written to a folder becomes a file in it, and a link there would carry it away. */
function checkFolder(path: string, located: Inside, checker: Checker): void {
  judge(located, checker);
  checkBelow(path, located, checker, false);
}

/** A folder is moved with everything in it. */
function checkGone(path: string, located: Inside, checker: Checker): void {
  judge(located, checker);
  const below = walk(located.absolute);
  if (below === undefined) checker.unknowns.push(`everything in ${path}`);
  for (const entry of below ?? []) checkOne(`${located.absolute}/${entry.path}`, checker);
}

function checkBelow(path: string, { absolute }: Inside, checker: Checker, deep: boolean): void {
  const below = walk(absolute, { deep });
  if (below === undefined) {
    checker.unknowns.push(`everything in ${path}`);
    return;
  }
  for (const entry of below) {
    const inner = `${absolute}/${entry.path}`;
    if (entry.isLink) checkOne(inner, checker);
    else if (deep) checkProtected(inner, checker);
  }
}

function checkProtected(path: string, { workspace, cwd, protection, violations }: Checker): void {
  const located = workspace.locate(path, cwd);
  if (located.kind !== "inside") return;
  const why = protection(located.resolved);
  if (why !== undefined) violations.push({ path: located.lexical, why });
}

/** A link that is copied leads where it led before. */
function checkCopied(path: string, checker: Checker): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) checkOne(path, checker);
  else if (stats?.isDirectory())
    for (const entry of walk(path) ?? []) if (entry.isLink) checkOne(join(path, entry.path), checker);
}

/** The files that the shell would name; where there are none, it hands the pattern on as it is. */
function checkGlob({ path, names, isTree, isPicked, isGone, puts = [] }: WrittenPath, checker: Checker): void {
  const one = { isTree, isPicked, isGone, isGlob: false, isWorkTree: false };
  const [folder, pattern] = splitGlob(path);
  const located = locatedAt(folder, checker);
  if (located === undefined) return;
  const named = names ?? matching(located.absolute, pattern);
  if (named === undefined) {
    checker.unknowns.push(`the files that ${path} names`);
    return;
  }
  for (const name of named) check({ ...one, path: name }, checker);
  if (named.length === 0) checkOne(path, checker);
  for (const put of puts) {
    // The pattern is the name of what is put, or that of the folder.
    const folders = basename(path) === basename(put) ? namedOnDisk(dirname(path), checker) : named;
    for (const source of namedOnDisk(put, checker))
      for (const into of folders.filter((folder) => !statsAt(folder)?.isFile()))
        check({ ...one, path: `${into}/${basename(source)}`, puts: [source] }, checker);
  }
}

/** The whole path that a word names; for a pattern, the paths that exist. */
function namedOnDisk(path: string, checker: Checker): readonly string[] {
  const whole = wholeOf(opened(path, checker), checker);
  if (!WILD.test(path)) return [whole];
  const named = matching(...splitGlob(whole));
  if (named === undefined) checker.unknowns.push(`the files that ${path} names`);
  return named ?? [];
}

/** A pattern in two: the folder before the first part that is one, and the rest. */
function splitGlob(path: string): [folder: string, pattern: string] {
  const parts = path.split("/");
  const wild = parts.findIndex((part) => WILD.test(part));
  const fixed = parts.slice(0, wild).join("/");
  return [fixed === "" ? (path.startsWith("/") ? "/" : ".") : fixed, parts.slice(wild).join("/")];
}

/** What a pattern names in a folder; undefined if that is more than can be read. */
function matching(folder: string, pattern: string): string[] | undefined {
  const matcher = new Minimatch(pattern, { dot: true, nonegate: true, nocomment: true });
  const below = walk(folder, { deep: /\/|\*\*/.test(pattern) });
  return below?.filter((entry) => matcher.match(entry.path)).map((entry) => `${folder}/${entry.path}`);
}

/** Does it lead elsewhere than its letters say? */
function isTwisted(path: string, checker: Checker): boolean {
  const whole = wholeOf(path, checker);
  return resolvedTarget(whole)?.path !== resolvedTarget(normalize(whole))?.path;
}

/** As it is written, `..` included: what it takes back is known only to the disk. */
function wholeOf(path: string, { workspace, cwd }: Checker): string {
  return isAbsolute(path) ? path : `${cwd ?? workspace.root}/${path}`;
}

function opened(path: string, { home }: Checker): string {
  return home !== undefined && /^~(?=\/|$)/.test(path) ? home + path.slice(1) : path;
}

const NOT_OWNED = "it is not in the scope";
const WILD = /[*?[]/;
