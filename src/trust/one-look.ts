import type { Stats } from "node:fs";
import { statsAt } from "../fs/resolve-path.ts";

/** What was looked at in this moment; a call looks at a handful of places. */
let looks: { readonly path: string; readonly stats: Stats }[] | undefined;

/** Until it returns, each path is looked at once: a call is decided by one state of the disk, and no look is free. */
export function lookingOnce<T>(act: () => T): T {
  looks = [];
  try {
    return act();
  } finally {
    looks = undefined;
  }
}

/** What lies at the end of a path, as it was when it was first looked at in this moment; nothing when there is nothing, or nobody may look. */
export function seenAt(path: string): Stats | undefined {
  const known = looks?.find((look) => look.path === path);
  if (known !== undefined) return known.stats;
  const stats = statsAt(path);
  if (stats !== undefined) looks?.push({ path, stats });
  return stats;
}
