import { posix } from "node:path";
import { TABLE_FOLDERS } from "./floors.ts";
import type { SourceFile } from "./source-tree.ts";

/**
 * Every exported declaration without a doc comment right above it, as `path name`. The overloads of a function share
 * one, a type that is read off a value (`typeof`) shares that value's, and the row of a table says its sentence itself.
 */
export function undocumentedExports(tree: readonly SourceFile[]): string[] {
  return tree.flatMap(({ path, lines }) => {
    const isRow = TABLE_FOLDERS.includes(posix.dirname(path));
    const documented = new Set<string>();
    return lines.flatMap((line, index) => {
      const found = DECLARATION.exec(line);
      const name = found?.[1] ?? line;
      if (found === null || documented.has(name) || READ_OFF.test(line)) return [];
      if (!isDocumented(lines, index) && !(isRow && saysItself(lines, index))) return [`${path} ${name}`];
      documented.add(name);
      return [];
    });
  });
}

/** A remark to a tool may stand between the sentence and its declaration. */
function isDocumented(lines: readonly string[], index: number): boolean {
  let above = index - 1;
  while (/^\/\/ (?:biome|@ts)-/.test(lines[above] ?? "")) above--;
  return lines[above]?.trimEnd().endsWith("*/") ?? false;
}

/** A row begins with words for people. */
function saysItself(lines: readonly string[], index: number): boolean {
  return (
    /= \w*\(?\{$/.test(lines[index] ?? "") && lines.slice(index + 1, index + 5).some((line) => SENTENCE.test(line))
  );
}

const SENTENCE = /^ {2}(?:title|summary|description|means|why|when): ["`]/;
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:(?:function\*?|const|let|class|interface|type|enum|namespace) ([\w$]+)|const (?:\{|\[))/;
const READ_OFF = /^export type \w+ =.*\btypeof \w+/;
