import { git } from "../../fs/run-git.ts";
import type { KeptRef } from "./kept-call.ts";
import { NotKept } from "./snapshot.ts";

/** A commit without a branch is collected some day; for each of these a ref of Sluice's own holds it, by the id of the call. */
export function heldRefs(refs: readonly Omit<KeptRef, "heldBy">[], id: string, isDry: boolean): KeptRef[] {
  const held = refs.map((ref, at) => ({ ...ref, heldBy: `refs/sluice/undo/${id}-${at}` }));
  if (isDry) return held;
  for (const [folder, some] of byFolder(held)) {
    const lines = some.map((ref) => `update ${ref.heldBy} ${ref.id}\n`).join("");
    if (git(folder, ["update-ref", "--stdin"], lines) === undefined)
      throw new NotKept(`git cannot hold the commit ${some.map((ref) => ref.id.slice(0, 12)).join(", ")}`);
  }
  return held;
}

/** Git may collect what these refs have held. */
export function releaseRefs(refs: readonly KeptRef[]): void {
  for (const [folder, some] of byFolder(refs))
    git(folder, ["update-ref", "--stdin"], some.map(({ heldBy }) => `delete ${heldBy}\n`).join(""));
}

function byFolder(refs: readonly KeptRef[]): ReadonlyMap<string, readonly KeptRef[]> {
  const found = new Map<string, KeptRef[]>();
  for (const ref of refs) found.set(ref.folder, [...(found.get(ref.folder) ?? []), ref]);
  return found;
}
