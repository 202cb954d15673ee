import { describe, expect, test } from "vitest";
import { offsetInText } from "../examples/place-finder.ts";

describe("a line and a column of a text are found in its file", () => {
  const rows: [name: string, file: string, line: number, column: number, found: string][] = [
    ["a plain text", "rules: tool exsts", 1, 6, "exsts"],
    ["a text in double quotes", 'rules: "tool exsts"', 1, 6, 'exsts"'],
    ["a text in single quotes", "rules: 'tool exsts'", 1, 6, "exsts'"],
    ["signs behind a backslash", '"rules": "x \\"y\\" \\u00e9 exsts"', 1, 9, 'exsts"'],
    ["a second line in JSON", '"rules": "a\\n  tool exsts\\nb"', 2, 8, 'exsts\\nb"'],
    ["a block", "rules: |\n    # one\n    tool exsts\n", 2, 6, "exsts\n"],
    ["a block that begins with an empty line", "rules: |-\n\n    tool exsts\n", 2, 6, "exsts\n"],
    ["a block with an indented line", "rules: |\n    a\n      exsts\n", 2, 3, "exsts\n"],
    ["a folded block, whose lines are others", "rules: >\n  a\n  exsts\n", 1, 3, ">\n  a\n  exsts\n"],
    ["a line that is not there", "rules: |\n  a", 7, 1, "|\n  a"],
    ["a column behind the end", 'rules: "ab"', 1, 9, '"'],
  ];
  test.each(rows)("%s", (_name, file, line, column, found) => {
    const at = file.indexOf(": ") + 2;
    expect(file.slice(offsetInText(file, at, line, column))).toBe(found);
  });
});
