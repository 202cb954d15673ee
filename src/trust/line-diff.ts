import { diffArrays } from "diff";

/** One line of a comparison: unchanged, only before, or only after. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly line: string;
}

/** The difference between two texts by lines. Texts with too many differences are listed one after the other. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, young] = [before.split("\n"), after.split("\n")];
  const parts = diffArrays(old, young, { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: young },
  ];
  return parts.flatMap(({ removed, added, value }) => {
    const kind = removed ? "gone" : added ? "new" : "same";
    return value.map((line) => ({ kind, line }) as const);
  });
}

/** The changed lines with a few unchanged ones around them; `undefined` marks omitted lines. */
export function changedParts(lines: readonly DiffLine[], around = 2): (DiffLine | undefined)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== "same"),
  );
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line];
    return isNear[index - 1] ? [undefined] : [];
  });
}

/** The time of a comparison grows with the square of the edits: 1,000 take about half a second. */
const MAX_EDITS = 1000;
