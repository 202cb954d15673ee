import { lstatSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { Minimatch } from "minimatch";
import { GAP } from "../../effects/parse/command.ts";
import type { Intent } from "./intent.ts";
import { type ScopeProtection, protectionOf } from "./protected-files.ts";
import { compileScope, type OwnedScope } from "./scope.ts";
import type { WrittenPath, CallChanges } from "./written-path.ts";
import { walk } from "./walk.ts";
import { type Located, resolvedTarget, Workspace } from "./workspace.ts";

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
  /** Where the root really lies, if that is known. */
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
    violations: [],
    unknowns: [],
  };
  for (const written of paths) check({ ...written, path: opened(written.path, standing.home) }, checker);
  for (const path of climbs.filter((path) => isTwisted(path, checker))) checkOne(path, checker);
  for (const path of copies) checkCopied(path, checker);
  return checker;
}

interface Checker extends Checked {
  readonly workspace: Workspace;
  readonly scope: OwnedScope;
  readonly protection: ScopeProtection;
  readonly cwd: string | undefined;
  readonly violations: Violation[];
  readonly unknowns: string[];
}

function check(written: WrittenPath, checker: Checker): void {
  const { path, isTree, isGlob, isWorkTree, isPicked, isGone, puts } = written;
  const located = isGlob ? undefined : locatedAt(path, checker);
  if (isGlob) checkGlob(written, checker);
  else if (located === undefined || isWorkTree) return;
  else if (isTree || (isPicked && located.is === "folder")) checkTree(path, located, checker);
  else if (located.is === "folder" && isGone) checkGone(path, located, checker);
  else if (located.is === "folder" && puts === undefined) checkFolder(path, located, checker);
  else judge(located, checker);
  if (located !== undefined) for (const put of puts ?? []) checkPut(put, path, located, checker);
}

/** What is put into a folder keeps its name there, and what lies in it comes along. */
function checkPut(put: string, path: string, { is }: Inside, checker: Checker): void {
  const name = nameIn(put);
  const arrived = name === undefined ? path : `${path.replace(/\/+$/, "")}/${name}`;
  const isInto = is === "folder" && name !== undefined;
  if (put.includes(GAP)) {
    if (is === "folder") checker.unknowns.push(`what comes to lie in ${path}`);
    return;
  }
  if (isInto && /[*?[]/.test(name)) check({ path: arrived, isTree: false, isGlob: true, isWorkTree: false }, checker);
  else if (isInto) checkOne(arrived, checker);
  // A folder of that name may be there by the time.
  else checkProtected(arrived, checker);
  const contents = isInto && !put.endsWith("/") ? arrived : path;
  checkContents(put, contents, checker, checker.scope);
  if (contents !== arrived) checkContents(put, arrived, checker);
}

/** What lies in a folder that is put somewhere; where it comes to lie for certain, it has to be owned. */
function checkContents(put: string, path: string, checker: Checker, scope?: OwnedScope): void {
  const { workspace, cwd, protection, violations, unknowns } = checker;
  const located = workspace.locate(path, cwd);
  const below = walk(wholeOf(put, checker));
  if (below === undefined) unknowns.push(`everything in ${put}`);
  if (located.kind !== "inside") return;
  for (const entry of below ?? []) {
    const [lexical, resolved] = [`${located.lexical}/${entry.path}`, `${located.resolved}/${entry.path}`];
    const isOwned = scope?.owns({ ...located, lexical, resolved, is: entry.isFolder ? "folder" : "file" }) ?? true;
    const why = protection(resolved) ?? (isOwned ? undefined : NOT_OWNED);
    if (why !== undefined) violations.push({ path: lexical, why });
  }
}

/** The last part of a path, when it is a name. */
function nameIn(path: string): string | undefined {
  const name = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return name === "" || name === "." || name === ".." ? undefined : name;
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

/** Paths are named as scopes name them: from the project's root, wherever the call stands. */
function judge(located: Inside, { scope, protection, violations }: Checker): void {
  const path = located.lexical;
  const why = protection(path) ?? protection(located.resolved);
  if (why !== undefined) violations.push({ path, why });
  else if (!scope.owns(located)) violations.push({ path, why: leads(located) });
}

function leads({ lexical, resolved }: Inside): string {
  return lexical === resolved ? NOT_OWNED : `${NOT_OWNED}: it leads to ${resolved}`;
}

/** A folder with everything in it: what is there, and what may come. */
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

/** A folder that is moved takes everything along that lies in it. */
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
  const whole = wholeOf(path, checker);
  const stats = lstatSync(whole, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) checkOne(whole, checker);
  else if (stats?.isDirectory())
    for (const entry of walk(whole) ?? []) if (entry.isLink) checkOne(join(whole, entry.path), checker);
}

function wholeOf(path: string, { workspace, cwd }: Checker): string {
  return isAbsolute(path) ? path : join(cwd ?? workspace.root, path);
}

/** The files that the shell would name; where there are none, it hands the pattern on as it is. */
function checkGlob({ path, isTree, isPicked, isGone }: WrittenPath, checker: Checker): void {
  const parts = path.split("/");
  const wild = parts.findIndex((part) => /[*?[]/.test(part));
  const fixed = parts.slice(0, wild).join("/");
  const folder = fixed === "" ? (path.startsWith("/") ? "/" : ".") : fixed;
  const located = locatedAt(folder, checker);
  if (located === undefined) return;
  const below = walk(located.absolute);
  if (below === undefined) {
    checker.unknowns.push(`the files that ${path} names`);
    return;
  }
  const matcher = new Minimatch(parts.slice(wild).join("/"), { dot: true, nonegate: true, nocomment: true });
  const named = below.filter((entry) => matcher.match(entry.path)).map((entry) => `${located.absolute}/${entry.path}`);
  for (const name of named) check({ path: name, isTree, isPicked, isGone, isGlob: false, isWorkTree: false }, checker);
  if (named.length === 0) checkOne(path, checker);
}

/** Does it lead elsewhere than its letters say? */
function isTwisted(path: string, { workspace, cwd }: Checker): boolean {
  const whole = path.startsWith("/") ? path : `${cwd ?? workspace.root}/${path}`;
  return resolvedTarget(whole)?.path !== resolvedTarget(normalize(whole))?.path;
}

function opened(path: string, home: string | undefined): string {
  return home !== undefined && /^~(?=\/|$)/.test(path) ? home + path.slice(1) : path;
}

const NOT_OWNED = "it is not in the scope";
