/** Whether a value is nested deeper than so many levels. It goes level by level, so that no depth breaks it. */
export function isDeeperThan(levels: number, value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    const next: object[] = [];
    for (const one of level)
      for (const inner of Object.values(one)) if (typeof inner === "object" && inner !== null) next.push(inner);
    level = next;
  }
  return false;
}
