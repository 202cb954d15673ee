/** A table whose rows have several names, separated by blanks, as one with a row for each name. */
export function byEachName<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const found: Record<string, T> = Object.create(null);
  for (const [names, row] of Object.entries(rows)) for (const name of names.split(" ")) found[name] = row;
  return found;
}
