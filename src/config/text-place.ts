/** Where a line and a column of a text stand in its file; `at` is where the text begins, as near as can be told. */
export function offsetInText(source: string, at: number, line: number, column: number): number {
  const first = source.charAt(at);
  if (first === "|") return inBlock(source, at, line, column);
  if (first === '"') return inQuotes(source, at, line, column);
  return line === 1 && first !== ">" ? at + (first === "'" ? column : column - 1) : at;
}

/** Every line of a block stands in a line of its own, behind an indentation that the first line shows. */
function inBlock(source: string, at: number, line: number, column: number): number {
  const begin = source.indexOf("\n", at) + 1;
  if (begin === 0) return at;
  const indentation = /^(?:[ \t]*\r?\n)*( *)/.exec(source.slice(begin))?.[1]?.length ?? 0;
  let start = begin;
  for (let count = 1; count < line; count++) {
    const end = source.indexOf("\n", start);
    if (end === -1) return at;
    start = end + 1;
  }
  return start + indentation + column - 1;
}

/** Line breaks and quotes are written with a backslash. */
function inQuotes(source: string, at: number, line: number, column: number): number {
  let [here, reached, passed] = [at + 1, 1, 1];
  while (here < source.length && (reached < line || passed < column)) {
    const sign = /^(?:\\u[\da-f]{4}|\\[\s\S]|[^"\n])/i.exec(source.slice(here, here + 6))?.[0];
    if (sign === undefined) return reached < line ? at : here;
    const isBreak = sign === "\\n";
    if (isBreak && reached === line) return here;
    reached += isBreak ? 1 : 0;
    passed = isBreak ? 1 : passed + 1;
    here += sign.length;
  }
  return here;
}
