/** More than a disk has to spare: a size with its unit, as `head`, `fallocate` and their like read it. */
export function isHuge(size: string): boolean {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([kmgtpe]?)i?b?$/i.exec(size) ?? [];
  if (count === undefined) return false;
  return Number(count) * 1024 ** " kmgtpe".indexOf(unit.toLowerCase() || " ") >= HUGE;
}

const HUGE = 100 * 1024 ** 3;
