/** One line of a comparison: unchanged, only before, or only after. */
export interface DiffLine {
  readonly kind: "same" | "gone" | "new";
  readonly line: string;
}

/** The difference between two texts by lines. Texts that are too long to compare are listed one after the other. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, young] = [before.split("\n"), after.split("\n")];
  const isSame = (line: string, index: number) => old[index] === line;
  const head = lengthWhile(young, isSame);
  const rest = Math.min(old.length, young.length) - head;
  const tail = lengthWhile(young.toReversed().slice(0, rest), (line, index) => old[old.length - 1 - index] === line);
  const middle = compared(old.slice(head, old.length - tail), young.slice(head, young.length - tail));
  return [
    ...young.slice(0, head).map((line) => ({ kind: "same", line }) as const),
    ...middle,
    ...young.slice(young.length - tail).map((line) => ({ kind: "same", line }) as const),
  ];
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

/** The longest common subsequence is unchanged. */
function compared(old: readonly string[], young: readonly string[]): DiffLine[] {
  const gone = (line: string): DiffLine => ({ kind: "gone", line });
  const fresh = (line: string): DiffLine => ({ kind: "new", line });
  if (old.length * young.length > MAX_CELLS) return [...old.map(gone), ...young.map(fresh)];
  const lengths = commonLengths(old, young);
  const lines: DiffLine[] = [];
  let [at, to] = [0, 0];
  while (at < old.length || to < young.length) {
    const [one, other] = [old[at], young[to]];
    if (one !== undefined && one === other) {
      lines.push({ kind: "same", line: one });
      at++;
      to++;
    } else if (one !== undefined && (other === undefined || cell(lengths, at + 1, to) >= cell(lengths, at, to + 1))) {
      lines.push(gone(one));
      at++;
    } else if (other !== undefined) {
      lines.push(fresh(other));
      to++;
    }
  }
  return lines;
}

function commonLengths(old: readonly string[], young: readonly string[]): number[][] {
  const lengths: number[][] = Array.from({ length: old.length + 1 }, () => []);
  for (let at = old.length - 1; at >= 0; at--) {
    for (let to = young.length - 1; to >= 0; to--) {
      const row = lengths[at] ?? [];
      row[to] =
        old[at] === young[to]
          ? cell(lengths, at + 1, to + 1) + 1
          : Math.max(cell(lengths, at + 1, to), cell(lengths, at, to + 1));
    }
  }
  return lengths;
}

function cell(lengths: readonly (readonly number[])[], at: number, to: number): number {
  return lengths[at]?.[to] ?? 0;
}

function lengthWhile(lines: readonly string[], holds: (line: string, index: number) => boolean): number {
  const end = lines.findIndex((line, index) => !holds(line, index));
  return end === -1 ? lines.length : end;
}

const MAX_CELLS = 4_000_000;
