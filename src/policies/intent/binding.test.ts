import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "../../../tests/intent/project.ts";
import { bindSession, boundIntent, otherBindings } from "./binding.ts";

test("a selection is kept for the session, wherever the project is looked at from", () => {
  const { root, home, env } = project();
  symlinkSync(root, join(home, "way-in"));
  const session = { agent: "one", sessionId: "s" };
  expect(boundIntent(root, session, { env })).toBeUndefined();
  bindSession(root, session, "INT-001", { env });
  bindSession(root, session, "INT-002", { env });
  expect(boundIntent(join(home, "way-in"), session, { env })).toBe("INT-002");
  expect(boundIntent(root, { ...session, agent: "two" }, { env })).toBeUndefined();
  expect(boundIntent(root, { ...session, sessionId: undefined }, { env })).toBeUndefined();
  expect(boundIntent(home, session, { env })).toBeUndefined();
});

test("other sessions are seen, one's own is not", () => {
  const { root, env } = project();
  bindSession(root, { agent: "one", sessionId: "a" }, "INT-001", { env });
  bindSession(root, { agent: "one", sessionId: "b" }, "INT-002", { env });
  expect(otherBindings(root, { agent: "one", sessionId: "a" }, { env })).toMatchObject([{ intent_id: "INT-002" }]);
});

test("what others could have written is not believed", () => {
  const { root, env } = project();
  bindSession(root, { agent: "one", sessionId: "a" }, "INT-001", { env });
  const folder = join(
    env.XDG_STATE_HOME,
    "sluice/intents",
    readdirSync(join(env.XDG_STATE_HOME, "sluice/intents"))[0] ?? "",
  );
  const file = join(folder, readdirSync(folder)[0] ?? "");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o666);
  expect(() => boundIntent(root, { agent: "one", sessionId: "a" }, { env })).toThrow(/Other users can write/);
});

test.each([
  { a: 5, b: 1, c: 23, d: 25 },
  { a: 1, b: 5, c: 23, d: 25 },
  { a: 23, b: 5, c: 1, d: 25 },
])("other sessions are told the newest first, for a day, and only what is a selection: %j", (ages) => {
  const { root, env } = project();
  const HOUR = 3_600_000;
  for (const [session, hours] of Object.entries(ages)) {
    bindSession(root, { agent: "one", sessionId: session }, `INT-${session}`, { env });
    const folder = join(env.XDG_STATE_HOME, "sluice/intents");
    const inner = join(folder, readdirSync(folder)[0] ?? "");
    const file = readdirSync(inner)
      .map((name) => join(inner, name))
      .find((path) => readFileSync(path, "utf8").includes(`INT-${session}`));
    const binding = JSON.parse(readFileSync(file ?? "", "utf8"));
    writeFileSync(file ?? "", JSON.stringify({ ...binding, at: new Date(Date.now() - hours * HOUR).toISOString() }));
    for (const [name, text] of Object.entries({
      "x.json": JSON.stringify({ ...binding, intent_id: 5 }),
      "y.json": "{",
      "z.txt": JSON.stringify({ ...binding, at: new Date().toISOString() }),
    }))
      writeFileSync(join(inner, name), text);
  }
  const seen = (agent: string, sessionId: string) =>
    otherBindings(root, { agent, sessionId }, { env }).map(({ intent_id }) => intent_id);
  const newest = Object.entries(ages)
    .sort(([, one], [, other]) => one - other)
    .map(([session]) => `INT-${session}`)
    .slice(0, 3);
  expect(seen("one", "x")).toEqual(newest);
  expect(seen("one", "a")).toEqual(newest.filter((id) => id !== "INT-a"));
  expect(seen("two", "a")).toEqual(newest);
  expect(otherBindings(join(root, "elsewhere"), { agent: undefined, sessionId: undefined }, { env })).toEqual([]);
});

test("a session without an id or an agent has a selection of its own", () => {
  const { root, env } = project();
  bindSession(root, { agent: undefined, sessionId: undefined }, "INT-001", { env });
  expect(boundIntent(root, { agent: undefined, sessionId: undefined }, { env })).toBe("INT-001");
  expect(boundIntent(root, { agent: "", sessionId: "" }, { env })).toBe("INT-001");
  expect(otherBindings(root, { agent: undefined, sessionId: undefined }, { env })).toEqual([]);
  expect(otherBindings(root, { agent: "x", sessionId: "" }, { env })).toMatchObject([{ agent: "", session_id: "" }]);
});

test("a file of another session or project is no selection", () => {
  const { root, env } = project();
  const session = { agent: "one", sessionId: "s" };
  bindSession(root, session, "INT-001", { env });
  const folder = join(env.XDG_STATE_HOME, "sluice/intents");
  const inner = join(folder, readdirSync(folder)[0] ?? "");
  const file = join(inner, readdirSync(inner)[0] ?? "");
  const binding = JSON.parse(readFileSync(file, "utf8"));
  for (const other of [{ session_id: "t" }, { root: "/other" }, { intent_id: 5 }]) {
    writeFileSync(file, JSON.stringify({ ...binding, ...other, at: `${binding.at}${Object.keys(other)}` }));
    expect(boundIntent(root, session, { env })).toBe(undefined);
  }
});
