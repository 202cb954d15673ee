import { Minimatch } from "minimatch";
import { plain } from "../../config/tree.ts";
import type { Intent } from "./intent.ts";
import type { IntentsFile } from "./intents-file.ts";
import { asGlob, takesAway, whyOwnsNothing } from "./scope.ts";

/** What a session asked a person for, and has not got yet. */
export interface ScopeRequest {
  readonly paths: readonly string[];
  readonly reason: string;
  /** When, in ISO 8601; empty when it is not written down. */
  readonly at: string;
  /** The program that asked; undefined if it did not give a name. */
  readonly by: string | undefined;
}

/** The requests of an intent for what it does not own yet. */
export function openRequests(file: Extract<IntentsFile, { state: "read" }>, intent: Intent): ScopeRequest[] {
  const { active_intents: entries } = objectIn(plain(file.document.tree));
  const { scope_requests: written } = objectIn(Array.isArray(entries) ? entries[intent.index] : undefined);
  const owners = intent.ownedScope
    .filter((pattern) => !takesAway(pattern) && whyOwnsNothing(pattern) === undefined)
    .map((pattern) => new Minimatch(asGlob(pattern), { dot: true, nonegate: true, nocomment: true }));
  const isOwned = (path: string) =>
    intent.ownedScope.includes(path) || owners.some((owner) => owner.match(asGlob(path)));
  return (Array.isArray(written) ? written : []).flatMap((one): ScopeRequest[] => {
    const { paths: named, reason, requested_at, requested_by } = objectIn(one);
    const texts = (Array.isArray(named) ? named : [named]).filter((path) => typeof path === "string");
    const paths = texts.filter((path) => !isOwned(path));
    if (paths.length === 0) return [];
    return [{ paths, reason: textIn(reason) ?? "", at: textIn(requested_at) ?? "", by: textIn(requested_by) }];
  });
}

/** The command with which a person grants paths; it says what it seems to say, whatever the paths are made of. */
export function grantCommand(id: string, paths: readonly string[]): string {
  return `sluice intents scope add ${PLAIN.test(id) ? id : quoted(id)} ${paths.map(quoted).join(" ")}`;
}

/** Why a path cannot be asked for: no person could grant it; undefined if it can. */
export function whyNotAskable(path: string): string | undefined {
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(path)) return "it holds invisible characters";
  if (takesAway(path)) return "it would take something out of the scope";
  return path.startsWith("-") ? "it begins like an option" : whyOwnsNothing(path);
}

function quoted(text: string): string {
  return UNTOUCHED.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

const PLAIN = /^[\w.-]+$/;
/** What a shell leaves as it is between double quotes. */
const UNTOUCHED = /^[\p{L}\p{N} _@%+=:,./*?[\]{}()~^-]+$/u;
