import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXAMPLE, project } from "../../../tests/intent/project.ts";
import { changeIntents, type IntentEdit, type ReadIntents, usable } from "./change-intents.ts";
import { intentsPath } from "./intents-file.ts";

/** Adds an intent to those that are there. */
const add = ({ intents }: ReadIntents): IntentEdit => ({
  list: ["active_intents"],
  steps: [...intents.map(({ index }) => ({ kind: "keep", index }) as const), { kind: "add", value: { id: "B" } }],
});

test("a file that is not there has no intents, and is made", () => {
  const { root } = project();
  rmSync(intentsPath(root));
  expect(usable(root)).toMatchObject({ state: "read", intents: [] });
  changeIntents(root, add);
  expect(usable(root)).toMatchObject({ intents: [{ id: "B" }] });
});

test("a file that cannot be read is not changed", () => {
  const { root } = project({ ".orchestration/active_intents.yaml": "active_intents: [" });
  expect(() => changeIntents(root, add)).toThrow(/cannot be used/);
  expect(readFileSync(intentsPath(root), "utf8")).toBe("active_intents: [");
});

test("what another program writes meanwhile stays, and the change is made on it", () => {
  const { root } = project();
  let turns = 0;
  changeIntents(root, (file) => {
    if (++turns < 3) writeFileSync(intentsPath(root), `${EXAMPLE}# ${turns}\n`);
    return add(file);
  });
  expect(turns).toBe(3);
  expect(readFileSync(intentsPath(root), "utf8")).toContain("# 2\n");
  expect(usable(root).intents.map(({ id }) => id)).toEqual(["INT-001", "B"]);
});

test("a file that is removed meanwhile is made anew, and one that never rests is left alone", () => {
  const { root } = project();
  let turns = 0;
  changeIntents(root, (file) => {
    if (++turns === 1) rmSync(intentsPath(root));
    return add(file);
  });
  expect(usable(root).intents.map(({ id }) => id)).toEqual(["B"]);
  const busy = (file: ReadIntents) => {
    writeFileSync(intentsPath(root), `${EXAMPLE}# ${++turns}\n`);
    return add(file);
  };
  expect(() => changeIntents(root, busy)).toThrow(/keeps changing/);
  expect(turns).toBe(7);
  expect(usable(root).intents.map(({ id }) => id)).toEqual(["INT-001"]);
});

test("a mark at the beginning of the file stays", () => {
  const { root } = project({ ".orchestration/active_intents.yaml": `\uFEFF${EXAMPLE}` });
  changeIntents(root, add);
  expect(readFileSync(intentsPath(root), "utf8").startsWith("\uFEFFactive_intents:")).toBe(true);
});

test("a change after which the file could not be used is not written, and the file is named", () => {
  const { root } = project();
  const path = intentsPath(root);
  const wrong: IntentEdit = { list: [], steps: [{ kind: "add", value: "x" }] };
  expect(() => changeIntents(root, () => wrong)).toThrow(expect.objectContaining({ place: { file: path } }));
  expect(readFileSync(path, "utf8")).toBe(EXAMPLE);
});
