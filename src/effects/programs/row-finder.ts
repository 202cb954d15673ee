/** Rows by their names; several names of one row stand apart by blanks. */
type Table<Row> = () => Readonly<Record<string, Row>>;

/** The names in each table, with a blank on each side. */
export function namesIn(tables: readonly Table<unknown>[]): readonly string[] {
  return tables.map((table) => ` ${Object.keys(table()).join(" ")} `);
}

/** Finds rows by name, and makes only the tables that have them; the last table that knows a name counts. */
export function rowFinder<Row>(
  tables: readonly Table<Row>[],
  names: readonly string[],
): (name: string) => Row | undefined {
  const known = new Map<string, Row | undefined>();
  return (name) => {
    const row = known.get(name);
    if (row !== undefined || known.has(name)) return row;
    const found = find(tables, names, name);
    if (known.size === MOST) known.clear();
    known.set(name, found);
    return found;
  };
}

/** How many names are remembered: lines can hold any number of them. */
const MOST = 1000;

function find<Row>(tables: readonly Table<Row>[], names: readonly string[], name: string): Row | undefined {
  const word = ` ${name} `;
  const at = name.includes(" ") ? -1 : names.findLastIndex((each) => each.includes(word));
  const table = tables[at]?.();
  for (const key in table) if (` ${key} `.includes(word)) return table[key];
  return undefined;
}
