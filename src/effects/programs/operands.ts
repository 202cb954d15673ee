import { type Call, deletes, has, type PathOptions, plays, reads, values, writes } from "./call.ts";

/** Which operands are paths. */
export interface Which {
  /** How many operands at the start are something else: a pattern, a mode. */
  readonly after?: number;
  /** Options that take the place of those. */
  readonly unless?: readonly string[];
  /** Options whose values are paths that are read. */
  readonly also?: readonly string[];
  readonly isTree?: boolean;
}

/** Every operand is a path that is read. */
export function readsOperands(which: Which = {}): (call: Call) => void {
  return (call) => {
    for (const path of values(call, ...(which.also ?? []))) reads(call, path);
    for (const path of pathsOf(call, which)) reads(call, path, { isTree: which.isTree ?? false });
  };
}

/** Every operand is a path that is created or changed. */
export function writesOperands(which: Which = {}): (call: Call) => void {
  return (call) => {
    for (const path of pathsOf(call, which)) writes(call, path, { isTree: which.isTree ?? false });
  };
}

/** Every operand is a path that is removed. */
export function deletesOperands(touch: PathOptions = {}): (call: Call) => void {
  return (call) => {
    if (call.operands.length > 0) plays(call, "delete");
    for (const path of call.operands) deletes(call, path, touch);
  };
}

/** Its output says nothing about what it is given. */
export function ignoresInput(call: Call): void {
  call.told.input = "ignored";
  call.told.isSilent = true;
}

function pathsOf(call: Call, { after = 0, unless = [] }: Which) {
  return after === 0 || has(call, ...unless) ? call.operands : call.operands.slice(after);
}

/** More than a disk has to spare: a size with its unit, as `head`, `fallocate` and their like read it. */
export function isHuge(size: string): boolean {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgtpe]?)i?b?$/i.exec(size) ?? [];
  if (count === undefined) return false;
  return Number(count) * 1024 ** " kmgtpe".indexOf(unit.toLowerCase() || " ") >= HUGE;
}

const HUGE = 100 * 1024 ** 3;
