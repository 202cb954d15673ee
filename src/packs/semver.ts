/** A version of a package: three numbers and what stands behind a dash. */
export interface Version {
  readonly text: string;
  readonly numbers: readonly [major: number, minor: number, patch: number];
  readonly pre: readonly (string | number)[];
}

/** Reads a version; undefined for everything else. */
export function readVersion(text: string): Version | undefined {
  const [, major, minor, patch, pre] = VERSION.exec(text) ?? [];
  if (major === undefined) return undefined;
  const numbers = [Number(major), Number(minor), Number(patch)] as const;
  if (numbers.some((number) => !Number.isSafeInteger(number))) return undefined;
  return { text: text.replace(/^v/, "").replace(/\+.*$/, ""), numbers, pre: pre === undefined ? [] : identifiers(pre) };
}

/** Below zero when the first is older. */
export function compareVersions(one: Version, other: Version): number {
  for (const [at, number] of one.numbers.entries())
    if (number !== other.numbers[at]) return number - (other.numbers[at] ?? 0);
  if (one.pre.length === 0 || other.pre.length === 0) return other.pre.length - one.pre.length;
  for (let at = 0; at < Math.max(one.pre.length, other.pre.length); at++) {
    const order = compareParts(one.pre[at], other.pre[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Whether versions fit a range: exact, `^1.2`, `~1.2`, `1.x`, `*`, `>=1 <2`, `1.2 - 1.4`, alternatives with `||`. Undefined when
 * the range cannot be read. A prerelease fits only where the range names one of the same three numbers.
 */
export function readRange(range: string): ((version: Version) => boolean) | undefined {
  if (range.length > LONGEST) return undefined;
  const alternatives = range.split("||").map((part) => comparatorsIn(part.trim()));
  if (alternatives.some((comparators) => comparators === undefined)) return undefined;
  return (version) => alternatives.some((comparators) => comparators !== undefined && fits(version, comparators));
}

/** Whether a text names one version and no range. */
export function isExact(text: string): boolean {
  return readVersion(text) !== undefined;
}

interface Comparator {
  readonly sign: "<" | "<=" | ">" | ">=" | "=";
  readonly version: Version;
}

function fits(version: Version, comparators: readonly Comparator[]): boolean {
  if (!comparators.every((comparator) => holds(version, comparator))) return false;
  if (version.pre.length === 0) return true;
  return comparators.some(
    ({ version: { numbers, pre } }) => pre.length > 0 && numbers.every((number, at) => number === version.numbers[at]),
  );
}

function holds(version: Version, { sign, version: bound }: Comparator): boolean {
  const order = compareVersions(version, bound);
  switch (sign) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "=":
      return order === 0;
  }
}

function comparatorsIn(text: string): readonly Comparator[] | undefined {
  const [, from, to] = HYPHEN.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return joined([`>=${from}`, `<=${to}`]);
  const words = text.replaceAll(/([<>]=?|=|\^|~>?)\s+/g, "$1").split(/\s+/);
  return joined(words.filter((word) => word !== ""));
}

function joined(words: readonly string[]): readonly Comparator[] | undefined {
  if (words.length > MAX_WORDS) return undefined;
  const read = words.map(comparatorsOf);
  return read.some((one) => one === undefined) ? undefined : read.flatMap((one) => one ?? []);
}

/** One word of a range as bounds: what is left out of a version stands for everything. */
function comparatorsOf(word: string): readonly Comparator[] | undefined {
  const [, sign = "", rest = ""] = /^(<=|>=|<|>|=|\^|~>?)?(.*)$/.exec(word) ?? [];
  const [, major, minor, patch, pre] = PARTIAL.exec(rest) ?? [];
  if (major === undefined) return undefined;
  const numbers = [major, minor, patch].map((part) =>
    part === undefined || /^[xX*]$/.test(part) ? undefined : Number(part),
  );
  const [one, two, three] = numbers;
  const from = made([one ?? 0, two ?? 0, three ?? 0], three === undefined ? undefined : pre);
  // The first version that is not meant any more, when what is left out stands for everything.
  const beyond =
    one === undefined
      ? undefined
      : two === undefined
        ? [one + 1, 0, 0]
        : three === undefined
          ? [one, two + 1, 0]
          : undefined;
  const range = (end: readonly number[] | undefined): Comparator[] =>
    end === undefined
      ? [{ sign: ">=", version: from }]
      : [
          { sign: ">=", version: from },
          { sign: "<", version: made(end, "0") },
        ];
  switch (sign) {
    case "^": {
      if (one === undefined) return range(undefined);
      if (one > 0 || two === undefined) return range([one + 1, 0, 0]);
      return range(two > 0 || three === undefined ? [0, two + 1, 0] : [0, 0, three + 1]);
    }
    case "~":
    case "~>":
      return range(one === undefined ? undefined : two === undefined ? [one + 1, 0, 0] : [one, two + 1, 0]);
    case ">":
      return beyond === undefined
        ? [{ sign: one === undefined ? "<" : ">", version: from }]
        : [{ sign: ">=", version: made(beyond) }];
    case "<=":
      return beyond === undefined
        ? one === undefined
          ? range(undefined)
          : [{ sign: "<=", version: from }]
        : [{ sign: "<", version: made(beyond, "0") }];
    case ">=":
      return [{ sign: ">=", version: from }];
    case "<":
      return [{ sign: "<", version: made(from.numbers, three === undefined ? "0" : pre) }];
    default:
      return one === undefined || beyond !== undefined ? range(beyond) : [{ sign: "=", version: from }];
  }
}

function made([major = 0, minor = 0, patch = 0]: readonly number[], pre?: string): Version {
  const text = `${major}.${minor}.${patch}${pre === undefined ? "" : `-${pre}`}`;
  return { text, numbers: [major, minor, patch], pre: pre === undefined ? [] : identifiers(pre) };
}

function identifiers(text: string): (string | number)[] {
  return text.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function compareParts(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0;
  if (one === undefined) return -1;
  if (other === undefined) return 1;
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
  return one < other ? -1 : 1;
}

const VERSION = /^v?(\d{1,16})\.(\d{1,16})\.(\d{1,16})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;
const PARTIAL =
  /^v?(\d{1,16}|[xX*])?(?:\.(\d{1,16}|[xX*]))?(?:\.(\d{1,16}|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;
const HYPHEN = /^(\S+)\s+-\s+(\S+)$/;
const LONGEST = 256;
const MAX_WORDS = 32;
