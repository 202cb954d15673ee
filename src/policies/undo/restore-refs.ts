import { git, gitText } from "../../fs/run-git.ts";
import { headNow, isIndexBack, restoreBesideHead, setHead } from "./git-head.ts";
import type { KeptCall, KeptRef } from "./kept-call.ts";

/** What an undo came to: each file, branch or stash, and why it was left where it was. */
export interface Undone {
  readonly restored: readonly string[];
  /** Already as it was. */
  readonly same: readonly string[];
  /** What the call had made. */
  readonly removed?: readonly string[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
  /** The id under which the present state of changed files was kept first. */
  readonly present?: string;
}

/** Reads kept content by where it is stored. */
export interface ContentReader {
  stored(hash: string): Buffer | undefined;
  /** Whether the content is there, without reading it. */
  has(hash: string): boolean;
  /** Writes a large file without holding it; false where its content is gone. */
  copy(hash: string, target: Buffer): boolean;
  inGit(id: string): Buffer | undefined;
}

/** Puts back the branches, tags and stashes that a call let go of. The newest stash comes last, so that it is the first again. */
export function restoreRefs({ refs }: KeptCall, content: ContentReader, isDry: boolean): Undone {
  const restored: string[] = [];
  const same: string[] = [];
  const left: { path: string; why: string }[] = [];
  for (const ref of [...refs].reverse()) {
    let outcome = restoreRef(ref, content, isDry);
    // What git has been told is looked at before it is reported.
    const missing = isDry || typeof outcome === "object" ? undefined : differenceInRef(ref);
    if (missing !== undefined) outcome = { why: missing };
    if (outcome === "restored") restored.push(refText(ref));
    else if (outcome === "same") same.push(refText(ref));
    else left.push({ path: refText(ref), why: outcome.why });
  }
  return { restored, same, left };
}

type RefOutcome = "restored" | "same" | { readonly why: string };

function restoreRef(ref: KeptRef, content: ContentReader, isDry: boolean): RefOutcome {
  if (ref.name === "refs/stash") return restoreStash(ref, isDry);
  if (ref.checkedOut !== undefined) return headBack(ref, content, isDry);
  if (ref.name === "HEAD" && ref.movedTo === undefined) return configBack(ref, isDry);
  const now = gitText(ref.folder, ["rev-parse", "--verify", "--quiet", ref.name]);
  if (ref.movedTo !== undefined) return moveBack(ref, ref.movedTo, now, content, isDry);
  if (now === ref.id) return "same";
  if (now !== undefined) return { why: "there is another one of that name now" };
  if (isDry) return "restored";
  if (git(ref.folder, ["update-ref", ref.name, ref.id]) === undefined) return { why: "git refuses it" };
  configBack(ref, isDry);
  return "restored";
}

/** What of a reference is not as it was, after an undo; undefined if all of it is. */
function differenceInRef(ref: KeptRef): string | undefined {
  const { folder, name, id, checkedOut, index, config } = ref;
  if (name === "refs/stash") return isStashed(ref) ? undefined : "the stash is not in the list";
  if (goneConfig({ folder, config }).length > 0) return "its settings are not back";
  if (name === "HEAD" && checkedOut === undefined && ref.movedTo === undefined) return undefined;
  if (gitText(folder, ["rev-parse", "--verify", "--quiet", name]) !== id) return "it does not lead to its commit";
  if (checkedOut !== undefined && headNow(folder) !== (checkedOut || id)) return "something else is checked out";
  return index === undefined || isIndexBack(ref)
    ? undefined
    : "what was staged, or a merge that was in progress, is not back";
}

/** Settings that went with a branch or with submodules. */
function configBack({ folder, config }: KeptRef, isDry: boolean): RefOutcome {
  const gone = goneConfig({ folder, config });
  if (!isDry) for (const [name, value] of gone) git(folder, ["config", "--local", "--add", name, value]);
  return gone.length === 0 ? "same" : "restored";
}

function goneConfig({
  folder,
  config = [],
}: Pick<KeptRef, "folder"> & { readonly config: KeptRef["config"] | undefined }) {
  return config.filter(
    ([name, value]) => !gitText(folder, ["config", "--local", "--get-all", name])?.split("\n").includes(value),
  );
}

/** Moves a branch back to the commit from which the call took it, with the index of then. */
function moveBack(
  ref: KeptRef,
  movedTo: string,
  now: string | undefined,
  content: ContentReader,
  isDry: boolean,
): RefOutcome {
  const { folder, name, id } = ref;
  if (now !== id && now !== movedTo) return { why: "it has moved since" };
  if (isDry) return now === id ? "same" : "restored";
  if (now !== id && git(folder, ["update-ref", "-m", "sluice undo", name, id, movedTo]) === undefined)
    return { why: "git refuses it" };
  if (ref.index !== undefined) restoreBesideHead(ref, content.stored(ref.index));
  return now === id ? "same" : "restored";
}

/** Checks out again what was, with the index of then; its branch has been moved back before. */
function headBack(ref: KeptRef, content: ContentReader, isDry: boolean): RefOutcome {
  const { folder, id, checkedOut = "", left, index } = ref;
  const [now, was] = [headNow(folder), checkedOut || id];
  // A branch that `git checkout --orphan` has begun has no commit that could be lost.
  const hasCommit = () => gitText(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]) !== undefined;
  if (now !== was && now !== left && hasCommit()) return { why: "something else has been checked out since" };
  if (isDry) return now === was ? "same" : "restored";
  if (now !== was && !setHead(folder, checkedOut, id)) return { why: "git refuses it" };
  if (gitText(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]) !== id)
    return { why: "its branch has moved since" };
  if (index !== undefined) restoreBesideHead(ref, content.stored(index));
  return now === was ? "same" : "restored";
}

function isStashed({ folder, id }: KeptRef): boolean {
  const listed = gitText(folder, ["reflog", "--format=%H", "refs/stash"]) ?? "";
  return listed.split("\n").includes(id);
}

function restoreStash(ref: KeptRef, isDry: boolean): RefOutcome {
  const { folder, id, message = "restored by sluice undo" } = ref;
  if (isStashed(ref)) return "same";
  if (isDry) return "restored";
  return git(folder, ["stash", "-m", message, id]) === undefined ? { why: "git refuses it" } : "restored";
}

function refText({ name, id, config }: KeptRef): string {
  if (name === "refs/stash") return `stash ${id.slice(0, 12)}`;
  if (name === "HEAD" && config !== undefined) return "settings of submodules";
  return `${name.replace(/^refs\/(?:heads|remotes)\//, "branch ").replace(/^refs\/tags\//, "tag ")} at ${id.slice(0, 12)}`;
}
