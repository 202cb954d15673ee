import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkIntents } from "./check-intents.ts";
import { intentsPath } from "./intents-file.ts";

/** A project with one file, a folder, a link that leads out of it, and these intents. */
function project(intents?: string): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sluice-check-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, "project");
  mkdirSync(join(root, "src/auth"), { recursive: true });
  mkdirSync(join(root, ".orchestration"));
  writeFileSync(join(root, "src/auth/a.ts"), "");
  symlinkSync(home, join(root, "out"));
  if (intents !== undefined) writeFileSync(intentsPath(root), intents);
  return root;
}

function intent(scope: string, status = "IN_PROGRESS"): string {
  return `active_intents:\n  - id: INT-001\n    status: ${status}\n    owned_scope:\n      - ${scope}\n`;
}

type Mode = "off" | "advise" | "enforce";
type Row = [
  what: string,
  text: string | undefined,
  mode: Mode,
  found: readonly [line: number | undefined, words: string][],
];

describe("what makes intents useless", () => {
  test.each<Row>([
    ["no YAML", "active_intents: [", "enforce", [[1, "cannot be used"]]],
    ["no list", "intents: []\n", "off", [[1, "no list `active_intents`"]]],
    ["an entry without an id", "active_intents:\n  - status: IN_PROGRESS\n", "enforce", [[2, "has no `id`"]]],
    [
      "a scope that holds more than texts",
      intent("{ a: b }\n      - src/**"),
      "enforce",
      [[5, "is not a list of strings"]],
    ],
    ["a path from the root of the disk", intent("/etc/**"), "enforce", [[5, '"/etc/**" in the scope of INT-001']]],
    ["a path that climbs", intent('"../other/**"'), "enforce", [[5, "climbs"]]],
    ["a link that leads out", intent("out/**"), "enforce", [[5, "outside of the project"]]],
  ])("%s", (_, text, mode, found) => {
    const { errors } = checkIntents(project(text), mode);
    expect(errors.map(({ place, message }) => [place?.line, message])).toEqual(
      found.map(([line, words]) => [line, expect.stringContaining(words)]),
    );
    expect(errors.every(({ fix }) => fix !== undefined && fix !== "")).toBe(true);
  });
});

test.each(["src/auth/*.ts", "src/auth/**", "./src/auth/", "src/a*/a.ts", "src/auth/{a,b}.ts"])(
  "a glob that names a file is no mistake: %s",
  (scope) => {
    const { errors, warnings } = checkIntents(project(intent(`"${scope}"`)), "advise");
    expect([...errors, ...warnings]).toEqual([]);
  },
);

describe("what is most likely a mistake", () => {
  test.each<Row>([
    ["an unknown status", intent("src/**", "DOING"), "advise", [[3, 'has the status "DOING"']]],
    ["a glob that names nothing", intent("lib/**"), "advise", [[5, '"lib/**" in the scope of INT-001 names no file']]],
    ["a glob with an ending that nothing has", intent("src/**/*.py"), "advise", [[5, "names no file"]]],
    ["a path whose letters without a slash are those of a file", intent("sr/c"), "advise", [[5, "names no file"]]],
    [
      "a number that names nothing",
      intent("5\n      - src/**"),
      "advise",
      [[5, '"5" in the scope of INT-001 names no']],
    ],
    ["an empty scope", "active_intents:\n  - id: A\n    status: IN_PROGRESS\n", "advise", [[2, "owns nothing"]]],
    [
      "a misspelt key",
      "active_intents:\n  - id: A\n    status: IN_PROGRESS\n    owned_scop: [src/**]\n    priority: 1\n",
      "advise",
      [[4, 'has the key "owned_scop"']],
    ],
    [
      "an unanswered request",
      `${intent("src/**")}    scope_requests:\n      - { paths: [docs/**], reason: x }\n      - { paths: [src/a.ts], reason: y }\n`,
      "advise",
      [[6, "INT-001 has an open request"]],
    ],
    [
      "a short key with two letters in the wrong order",
      "active_intents:\n  - id: A\n    status: IN_PROGRESS\n    owned_scope: [src/**]\n    nmae: x\n    nxyz: x\n",
      "advise",
      [[5, 'no "name"']],
    ],
    [
      "misspelt keys of every kind",
      "active_intents:\n  - id: A\n    statu: IN_PROGRESS\n    nam: x\n    constraint: []\n    acceptance_criterias: []\n    on_unknow: ask\n    scope_request: []\n",
      "advise",
      [
        [2, "has no status"],
        [3, 'no "status"'],
        [4, 'no "name"'],
        [5, 'no "constraints"'],
        [6, 'no "acceptance_criteria"'],
        [7, 'no "on_unknown"'],
        [8, 'no "scope_requests"'],
      ],
    ],
    [
      "several unanswered requests",
      `${intent("src/**")}    scope_requests:\n      - { paths: [docs/**], reason: x }\n      - { paths: [lib/a.ts], reason: y }\n`,
      "advise",
      [[6, "INT-001 has 2 open requests"]],
    ],
    ["nothing in progress", intent("src/**", "PENDING"), "enforce", [[1, "none is IN_PROGRESS"]]],
    ["no file at all", undefined, "enforce", [[undefined, "has declared none"]]],
    ["a path that climbs, while nothing depends on it", intent('"../x"'), "off", [[5, "climbs"]]],
  ])("%s", (_, text, mode, found) => {
    const { errors, warnings } = checkIntents(project(text), mode);
    expect(errors).toEqual([]);
    expect(warnings.map(({ place, message }) => [place?.line, message])).toEqual(
      found.map(([line, words]) => [line, expect.stringContaining(words)]),
    );
  });
});

test.each<[mode: Mode, text: string | undefined]>([
  ["off", undefined],
  ["advise", undefined],
  ["enforce", intent('"src/auth/**"')],
  ["enforce", intent("src/auth/a.ts")],
  ["enforce", intent("./src/")],
  ["enforce", intent('"**/*.ts"')],
  ["advise", intent('"gone/**"', "COMPLETED")],
])("nothing is said in mode %s about %j", (mode, text) => {
  expect(checkIntents(project(text), mode)).toEqual({ errors: [], warnings: [] });
});

test.each<[text: string | undefined, fix: string]>([
  [undefined, "Declare one with `sluice intents new --name"],
  [intent("src/**", "PENDING"), "Begin one with `sluice intents start <id>`."],
  [intent('"../x"'), 'Write it from the project\'s root, such as "src/auth/**".'],
  [intent("lib/**"), "Correct it, or leave it when the files are yet to be made."],
  ["active_intents:\n  - id: A\n    status: IN_PROGRESS\n    owned_scop: [a]\n", 'Did you mean "owned_scope"?'],
  ["active_intents:\n  - id: A\n    status: IN_PROGRESS\n", 'Add what it owns: sluice intents scope add A "src/**"'],
])("each problem says the next step, and its file: %j", (text, fix) => {
  const root = project(text);
  const { errors, warnings } = checkIntents(root, "enforce");
  expect([...errors, ...warnings]).toMatchObject([
    { fix: expect.stringContaining(fix), place: { file: intentsPath(root) } },
  ]);
});
