/** Settings as lines to read, nothing left out: texts as they are, whatever lies inside others further to the right. */
export function writtenLines(settings: object): string[] {
  return Object.entries(settings).flatMap(([name, value]) => entryLines(`${name}:`, value));
}

function entryLines(name: string, value: unknown): string[] {
  const lines = valueLines(value);
  const isBlock = typeof value === "object" && value !== null && !isPlainList(value);
  return lines.length === 1 && !isBlock ? [`${name} ${lines[0]}`] : [name, ...lines.map((line) => `  ${line}`)];
}

function valueLines(value: unknown): string[] {
  if (typeof value === "string") return value.trimEnd().split("\n");
  if (typeof value !== "object" || value === null || isPlainList(value)) return [JSON.stringify(value)];
  return Array.isArray(value) ? value.flatMap((item) => entryLines("-", item)) : writtenLines(value);
}

function isPlainList(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
}
