/** Is there a path that fits both patterns? `**` stands for any folders; brackets and braces for anything. */
export function globsMeet(one: string, other: string): boolean {
  return meet(one.split("/"), other.split("/"), "**", namesMeet);
}

function namesMeet(one: string, other: string): boolean {
  return one === other || meet(signsOf(one), signsOf(other), "*", (a, b) => a === b || a === "?" || b === "?");
}

function signsOf(name: string): readonly string[] {
  return Array.from(name.replaceAll(/\[[^\]]*\]?|\{[^}]*\}?|\*+/g, "*"));
}

/** Compares two lists in which one sign stands for any number of the other's; each pair of places is looked at once. */
function meet(
  one: readonly string[],
  other: readonly string[],
  any: string,
  same: (a: string, b: string) => boolean,
): boolean {
  if (one.length > LONGEST || other.length > LONGEST) return true;
  let row = [true];
  for (const sign of other) row.push(sign === any && row.at(-1) === true);
  for (const sign of one) {
    const next = [sign === any && row[0] === true];
    for (const [at, against] of other.entries()) {
      const isAny = sign === any || against === any;
      next.push(isAny ? row[at + 1] === true || next[at] === true : row[at] === true && same(sign, against));
    }
    row = next;
  }
  return row.at(-1) === true;
}

const LONGEST = 300;
