import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXAMPLE, project } from "../../../tests/intent/project.ts";
import { changeIntents } from "./change-intents.ts";
import { addScope, declareIntent, requestScope, setStatus } from "./declare.ts";
import { intentsPath, readIntents } from "./intents-file.ts";

const FULL = `# What we work on.
active_intents:
    # The first one.
    - id: "INT-001"
      name: "JWT" # short
      status: "IN_PROGRESS"   # since Monday
      owner: anna
      owned_scope:
          - "src/auth/**" # all of it
          - "src/middleware/jwt.ts"
      constraints:
          - "Must not use external auth providers"
      acceptance_criteria:
          - "Unit tests in tests/auth/ pass"
other: kept
`;

function textAfter(text: string, act: (root: string) => void): string {
  const { root } = project({ ".orchestration/active_intents.yaml": text });
  act(root);
  return readFileSync(intentsPath(root), "utf8");
}

test("a status is changed where it stands, and nothing else is", () => {
  const after = textAfter(FULL, (root) => setStatus(root, "INT-001", "COMPLETED"));
  expect(after).toBe(FULL.replace('"IN_PROGRESS"', "COMPLETED"));
});

test("a scope gets a line, and every comment stays", () => {
  const after = textAfter(FULL, (root) => addScope(root, "INT-001", ["docs/**"]));
  expect(after).toBe(FULL.replace('jwt.ts"\n', 'jwt.ts"\n          - docs/**\n'));
});

test("what is owned already is not written again", () => {
  const after = textAfter(FULL, (root) => expect(addScope(root, "INT-001", ["src/auth/**"])).toEqual([]));
  expect(after).toBe(FULL);
});

test.each([
  ["an empty list", "active_intents:\n  - id: A\n    owned_scope: []\n"],
  ["no list", "active_intents:\n  - id: A\n"],
  ["a list on one line", "active_intents: [{ id: A, owned_scope: [x] }]\n"],
])("a scope can be added to %s", (_, text) => {
  const { root } = project({ ".orchestration/active_intents.yaml": text });
  addScope(root, "A", ["docs/**"]);
  expect(readIntents(root)).toMatchObject({ intents: [{ ownedScope: expect.arrayContaining(["docs/**"]) }] });
});

test("a request is written down and widens nothing", () => {
  const { root } = project();
  requestScope(root, "INT-001", { paths: ["src/db.ts"], reason: "the schema" });
  requestScope(root, "INT-001", { paths: ["src/api.ts"], reason: "the route" });
  expect(readIntents(root)).toMatchObject({ intents: [{ ownedScope: ["src/auth/**", "src/middleware/jwt.ts"] }] });
  expect(readFileSync(intentsPath(root), "utf8")).toMatch(/scope_requests:[\s\S]*src\/db\.ts[\s\S]*src\/api\.ts/);
});

test("new intents count on, and begin pending", () => {
  const { root } = project();
  const given = { name: "Next", scope: ["docs/**"], constraints: [], criteria: ["it reads well"] };
  expect(declareIntent(root, given)).toBe("INT-002");
  expect(readFileSync(intentsPath(root), "utf8").startsWith(EXAMPLE)).toBe(true);
  expect(readIntents(root)).toMatchObject({ intents: [{ id: "INT-001" }, { id: "INT-002", status: "PENDING" }] });
  expect(() => declareIntent(root, { ...given, id: "INT-001" })).toThrow("INT-001 already");
});

test("the first intent makes the file", () => {
  const { root } = project({ ".orchestration/active_intents.yaml": "" });
  expect(declareIntent(root, { name: "First", scope: [], constraints: [], criteria: [] })).toBe("INT-001");
  expect(readIntents(root)).toMatchObject({ state: "read", problems: [], intents: [{ id: "INT-001", name: "First" }] });
});

test("who writes without the lock is noticed, and loses nothing", () => {
  const { root } = project();
  let turn = 0;
  changeIntents(root, (file) => {
    if (turn++ === 0) writeFileSync(intentsPath(root), EXAMPLE.replace("JWT", "Login"));
    const [intent] = file.intents;
    const list = ["active_intents", intent?.index ?? 0, "owned_scope"];
    const steps = [{ kind: "keep", index: 0 } as const, { kind: "keep", index: 1 } as const];
    return { list, steps: [...steps, { kind: "add", value: "docs/**" }] };
  });
  expect(turn).toBe(2);
  expect(readIntents(root)).toMatchObject({
    intents: [{ name: "Login Authentication Migration", ownedScope: expect.arrayContaining(["docs/**"]) }],
  });
});

test("who keeps writing is left alone", () => {
  const { root } = project();
  let turn = 0;
  const plan = () => {
    writeFileSync(intentsPath(root), `${EXAMPLE}# ${turn++}\n`);
    return { list: ["active_intents"], steps: [{ kind: "keep", index: 0 } as const] };
  };
  expect(() => changeIntents(root, plan)).toThrow(/Another program keeps changing/);
});

test("an intent that is not there is named with those that are", () => {
  const { root } = project();
  expect(() => setStatus(root, "INT-01", "COMPLETED")).toThrow('no intent "INT-01"');
});

test("what is asked for already is not asked twice, in part it is", () => {
  const { root } = project();
  const ask = (...paths: string[]) => requestScope(root, "INT-001", { paths, reason: "x", by: "a" });
  const count = () => readFileSync(intentsPath(root), "utf8").match(/requested_at/g)?.length;
  ask("src/db.ts", "src/api.ts");
  ask("src/db.ts");
  expect(count()).toBe(1);
  ask("src/db.ts", "src/new.ts");
  expect(count()).toBe(2);
  expect(readFileSync(intentsPath(root), "utf8").match(/requested_by: a/g)).toHaveLength(2);
});

test("who asks need not say its name, and what no person could grant is not asked for", () => {
  const { root } = project();
  requestScope(root, "INT-001", { paths: ["src/db.ts"], reason: "x" });
  expect(readFileSync(intentsPath(root), "utf8")).not.toContain("requested_by");
  expect(() => requestScope(root, "INT-001", { paths: ["ok", "../x"], reason: "x" })).toThrow(/\.\.\/x/);
});

test("only the entry that is meant is changed", () => {
  const two = "active_intents:\n  - id: A\n    status: PENDING\n  - id: B\n    status: PENDING\n";
  expect(textAfter(two, (root) => setStatus(root, "B", "IN_PROGRESS"))).toBe(
    two.replace("id: B\n    status: PENDING", "id: B\n    status: IN_PROGRESS"),
  );
  const { root } = project({ ".orchestration/active_intents.yaml": two });
  expect(addScope(root, "B", ["docs/**", "docs/**"])).toEqual(["docs/**"]);
  expect(readIntents(root)).toMatchObject({ intents: [{ ownedScope: [] }, { ownedScope: ["docs/**"] }] });
});

test.each([
  ["INT-007", "INT-008"],
  ["INT-999", "INT-1000"],
  ["MY-INT-007", "INT-001"],
  ["INT-007b", "INT-001"],
  ["7", "INT-001"],
])("behind %s the next id is %s", (id, next) => {
  const { root } = project({ ".orchestration/active_intents.yaml": `active_intents:\n  - id: ${id}\n` });
  expect(declareIntent(root, { name: "N", scope: [], constraints: [], criteria: [] })).toBe(next);
});

test.each(["", "active_intents:\n", "active_intents: []\n"])(
  "where no intent is declared, that is the problem: %j",
  (text) => {
    const { root } = project({ ".orchestration/active_intents.yaml": text });
    const fix = "No intent is declared; `sluice intents new --name … --scope …` declares one.";
    expect(() => setStatus(root, "INT-001", "COMPLETED")).toThrow(
      expect.objectContaining({ code: "intent/unknown", fix }),
    );
    expect(declareIntent(root, { name: "N", scope: [], constraints: [], criteria: [] })).toBe("INT-001");
    expect(readIntents(root)).toMatchObject({ problems: [], intents: [{ id: "INT-001", index: 0 }] });
  },
);

test("problems say where, and what to do", () => {
  const { root } = project();
  const problem = (act: () => void) => {
    try {
      act();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const given = { name: "N", scope: [], constraints: [], criteria: [] };
  const place = { file: intentsPath(root) };
  expect(problem(() => declareIntent(root, { ...given, id: "INT-001" }))).toMatchObject({
    code: "intent/taken",
    place,
    fix: "Choose another id, or leave --id out.",
  });
  expect(problem(() => requestScope(root, "INT-001", { paths: ["../x"], reason: "x" }))).toMatchObject({
    code: "intent/not-askable",
    fix: "Ask for paths or globs from the project's root, such as `src/auth/**`.",
  });
  expect(problem(() => setStatus(root, "INT-01", "COMPLETED"))).toMatchObject({
    place,
    fix: 'Did you mean "INT-001"? `sluice intents list` shows them all.',
  });
  expect(problem(() => setStatus(root, "other", "COMPLETED"))).toMatchObject({
    fix: "`sluice intents list` shows them all.",
  });
  expect(
    problem(() =>
      changeIntents(root, () => {
        writeFileSync(intentsPath(root), `${EXAMPLE}# ${Math.random()}\n`);
        return { list: ["active_intents"], steps: [{ kind: "keep", index: 0 }] };
      }),
    ),
  ).toMatchObject({ place, fix: "Try again when it is done." });
});
