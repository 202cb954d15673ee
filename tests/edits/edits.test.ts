import { expect, test } from "vitest";
import { type ConfigDocument, parseDocument } from "../../src/config/document.ts";
import { edit, withEnabled, withException } from "../../src/config/edit.ts";
import { shapeOf } from "../../src/config/shape.ts";
import { plain } from "../../src/config/tree.ts";
import { cases, seedOr } from "../cases.ts";
import { type Dice, diceFor } from "../readers/dice.ts";
import { realJson, realYaml } from "./real-files.ts";

/** What an edit does; it may change one line that was there (to enable, two: in `disabled` as well), and only one that is about this. */
interface Trial {
  readonly what: string;
  readonly about: RegExp;
  readonly run: (document: ConfigDocument) => string;
}

const ADDED = [
  { name: "imported", event: "PreToolUse", command: "a && b" },
  {
    name: "added",
    event: "PostToolUse",
    rules: '# one\npath glob "a/**" -> deny("no: \'never\'")\n',
    tags: ["x", "y"],
  },
];
const EXCEPTION = { rule: "delete", path: "dist/**", until: "2027-01-01", reason: "build: it is made anew" };

/** The key, or in brackets and in JSON the line that gets a comma or holds everything. */
const KEY = /enabled|- hook-\d|disabled|[{,"\]}]/;
const LIST = /hooks|definitions|[\]})"]/;
const EXCEPTIONS = /guards|allow|hooks|[\]}"]/;

function trials(dice: Dice, document: ConfigDocument): Trial[] {
  const { list } = shapeOf(document, "project");
  const keep = list.entries.map((_, at) => ({ kind: "keep", index: at }) as const);
  const add = (values: readonly object[]) =>
    edit(document, list.path, [...keep, ...values.map((value) => ({ kind: "add", value }) as const)]);
  const adding: Trial[] = [
    { what: "add a hook", about: LIST, run: () => add(ADDED.slice(0, 1)) },
    { what: "import two", about: LIST, run: () => add(ADDED) },
  ];
  const allowing: Trial[] = Array.isArray(plain(document.tree))
    ? []
    : [{ what: "allow", about: EXCEPTIONS, run: () => withException(document, EXCEPTION) }];
  const { path } = list;
  if (path === undefined || list.entries.length === 0) return [...adding, ...allowing];
  const index = dice.below(list.entries.length);
  const toggling = [true, false].map((isEnabled): Trial => {
    const what = `${isEnabled ? "enable" : "disable"} entry ${index}`;
    return { what, about: KEY, run: () => withEnabled(document, path, index, isEnabled) };
  });
  return [...toggling, ...adding, ...allowing];
}

/** The lines that were there and are no longer: all that no longest common subsequence keeps. */
function goneLines(before: string, after: string): string[] {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const kept = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  const length = (one: number, other: number) => kept[one]?.[other] ?? 0;
  for (let one = old.length - 1; one >= 0; one--)
    for (let other = now.length - 1; other >= 0; other--)
      (kept[one] as Uint16Array)[other] =
        old[one] === now[other]
          ? length(one + 1, other + 1) + 1
          : Math.max(length(one + 1, other), length(one, other + 1));
  const gone: string[] = [];
  for (let [one, other] = [0, 0]; one < old.length; ) {
    if (other < now.length && old[one] === now[other]) [one, other] = [one + 1, other + 1];
    else if (other < now.length && length(one, other + 1) >= length(one + 1, other)) other++;
    else gone.push(old[one++] ?? "");
  }
  return gone;
}

function read(name: string, text: string): ConfigDocument {
  const parsed = parseDocument(name, text);
  if (parsed.state !== "read") throw new Error(`cannot be read:\n${text}`);
  return parsed.document;
}

const comments = (text: string) =>
  text
    .split(/\r?\n/)
    .filter((line) => /^\s*(#|\/\/)/.test(line))
    .sort();
const FILES = cases(10, 2000);
test.each([
  ["hooks.yaml", realYaml],
  ["hooks.json", realJson],
] as const)("an edit of %s changes the lines that it means, and no others", (name, make) => {
  const dice = diceFor(seedOr(7));
  let edits = 0;
  for (let number = 0; number < FILES; number++) {
    const text = make(dice);
    for (const { what, about, run } of trials(dice, read(name, text))) {
      const after = run(read(name, text));
      edits++;
      const gone = goneLines(text, after);
      const own = comments(after).filter((line) => !/# one/.test(line));
      const found = {
        tooManyLines: gone.length > (what.startsWith("enable") ? 2 : 1),
        otherLines: gone.filter((line) => line.trim() !== "" && !about.test(line)),
        comments: own.join("\n") === comments(text).join("\n"),
        lastLineEnd: after.endsWith("\n") === text.endsWith("\n"),
        lineEnds: text.includes("\r\n") ? !/[\r\n]/.test(after.replaceAll("\r\n", "")) : !after.includes("\r"),
      };
      const good = { tooManyLines: false, otherLines: [], comments: true, lastLineEnd: true, lineEnds: true };
      expect(found, `${what}\n--- before\n${text}\n--- after\n${after}`).toEqual(good);
    }
  }
  expect(edits).toBeGreaterThan(FILES * 2);
});

test("what is turned off and on again, again and again, does not grow", () => {
  const dice = diceFor(seedOr(11));
  for (let number = 0; number < FILES; number++) {
    const [name, text] = dice.onceIn(2) ? ["hooks.yaml", realYaml(dice)] : ["hooks.json", realJson(dice)];
    const { path, entries } = shapeOf(read(name, text), "project").list;
    if (path === undefined || entries.length === 0) continue;
    const index = dice.below(entries.length);
    const off = withEnabled(read(name, text), path, index, false);
    const on = withEnabled(read(name, off), path, index, true);
    expect(withEnabled(read(name, off), path, index, false), text).toBe(off);
    expect(withEnabled(read(name, on), path, index, true), text).toBe(on);
    expect(withEnabled(read(name, withEnabled(read(name, on), path, index, false)), path, index, true), text).toBe(on);
  }
});
