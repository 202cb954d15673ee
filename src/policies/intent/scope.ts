import { isAbsolute } from "node:path";
import { Minimatch } from "minimatch";
import { isWithin } from "../../fs/resolve-path.ts";
import { IGNORE_FILE, INTENTS_FOLDER } from "./intents-file.ts";
import type { Located, Workspace } from "./workspace.ts";

/** Which files an intent owns. */
export interface OwnedScope {
  /** Whether the path is owned, as it is written and as it is in the end. */
  owns(path: Inside): boolean;
  /** Whether everything that may be put below it is owned too. */
  ownsBelow(path: Inside): boolean;
}

type Inside = Extract<Located, { kind: "inside" }>;

/**
 * Compiles globs and exact paths, which begin at the project's root; an empty list owns nothing. What a pattern after `!` means
 * is not owned, whatever its place in the list.
 */
export function compileScope(patterns: readonly string[], workspace: Workspace): OwnedScope {
  const giving = patterns.filter((pattern) => !takesAway(pattern));
  const taking = patterns.filter(takesAway).map((pattern) => pattern.trim().slice(1));
  const gives = giving.flatMap((pattern) => patternTest(pattern, workspace) ?? []);
  const takes = taking.flatMap((pattern) => patternTest(pattern, workspace) ?? []);
  const owned = (path: string, isFolder: boolean) =>
    gives.some((test) => test(path, isFolder)) && !takes.some((test) => test(path, true));
  return {
    owns: ({ lexical, resolved, is }) => {
      const isFolder = is !== "file";
      return owned(lexical, isFolder) && owned(resolved, isFolder);
    },
    ownsBelow: ({ lexical, resolved }) =>
      [lexical, resolved].every(
        (path) =>
          BELOW.every((name) => owned(path === "." ? name : `${path}/${name}`, false)) &&
          !taking.some((pattern) => mayMeet(workspace.fold(pattern), workspace.fold(path))),
      ),
  };
}

/** Whether a pattern takes something out of a scope; `!(a|b)` is a pattern like others. */
export function takesAway(pattern: string): boolean {
  return /^\s*!(?!\()/.test(pattern);
}

/** Whether a pattern may mean something in the folder, or around it. */
function mayMeet(pattern: string, folder: string): boolean {
  const parts = tidied(pattern).replace(/^\//, "").split("/");
  const wild = parts.findIndex((part) => /[*?[{(+@]/.test(part));
  const fixed = parts.slice(0, wild === -1 ? undefined : wild).join("/");
  return fixed === "" || folder === "." || `${fixed}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${fixed}/`);
}

/** Why a pattern cannot match anything; undefined if it can. */
export function whyOwnsNothing(written: string): string | undefined {
  const pattern = takesAway(written) ? written.trim().slice(1) : written;
  if (pattern.trim() === "") return "it is empty";
  if (pattern.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  if (isAbsolute(pattern) || DRIVE.test(pattern))
    return "it begins at the root of a disk; scopes begin at the project's root";
  if (/^~(?:\/|$)/.test(pattern)) return "it begins in a home folder; scopes begin at the project's root";
  if (pattern.split("/").includes("..")) return "it climbs with `..`";
  const isOurs = pattern === written && NEVER_OWNED.includes(tidied(pattern).split("/", 1)[0] ?? "");
  return isOurs ? "no intent owns what intents are checked with" : undefined;
}

/** Whether a pattern means a path. */
type PatternTest = (path: string, isFolder: boolean) => boolean;

/** The same few patterns are asked about with every call. */
function patternTest(written: string, workspace: Workspace): PatternTest | undefined {
  const tests = workspace.folds ? FOLDING_TESTS : TESTS;
  const known = tests.get(written);
  if (known !== undefined) return known;
  const test = compilePattern(written, workspace);
  if (tests.size >= MAX_TESTS) tests.clear();
  if (test !== undefined) tests.set(written, test);
  return test;
}

const TESTS = new Map<string, PatternTest>();
const FOLDING_TESTS = new Map<string, PatternTest>();
const MAX_TESTS = 500;

function compilePattern(written: string, workspace: Workspace): PatternTest | undefined {
  if (whyOwnsNothing(written) !== undefined) return undefined;
  const pattern = asGlob(written);
  const matcher = new Minimatch(workspace.fold(pattern), GLOB);
  // A pattern for everything in a folder also lets the folder itself be made.
  const folder = /^(.+)\/\*\*(?:\/\*)?$/.exec(pattern)?.[1];
  const itself = folder === undefined ? undefined : new Minimatch(workspace.fold(folder), GLOB);
  const spelled = workspace.fold(folder ?? pattern);
  return (path, isFolder) => {
    const folded = workspace.fold(path);
    if (matcher.match(folded) || (isFolder && (itself?.match(folded) ?? false))) return true;
    // `[id]` is a name as well.
    return folder === undefined ? folded === spelled : isWithin(spelled, folded) && (isFolder || folded !== spelled);
  };
}

/** A pattern of a scope as a glob: a folder stands for everything in it. */
export function asGlob(written: string): string {
  const tidy = tidied(written);
  return tidy === "" || tidy === "." ? "**" : tidy.replace(/\/$/, "/**");
}

function tidied(pattern: string): string {
  return pattern
    .trim()
    .replace(/^(?:\.\/)+/, "")
    .replaceAll(/\/(?:\.?\/)+/g, "/");
}

const GLOB = { dot: true, nonegate: true, nocomment: true } as const;

/** Names that no pattern means by name: what owns them owns whatever comes to lie there. */
const BELOW = ["\u2056", "\u2056/\u2056/\u2056.\u2056", ".\u2056"];
const LONGEST = 400;
const DRIVE = /^[A-Za-z]:[\\/]/;
const NEVER_OWNED = [INTENTS_FOLDER, IGNORE_FILE];
