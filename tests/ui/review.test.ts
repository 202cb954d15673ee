import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTestFile } from "../../src/examples/read-test-file.ts";
import type { ReviewGroup, WireError } from "../../src/ui-server/wire.ts";
import { type LoggedIn, type PagesServer, pagesServer, previewAllow, recordOf } from "./pages-server.ts";

async function groups(server: PagesServer, own: LoggedIn): Promise<ReviewGroup[]> {
  const response = await fetch(`http://127.0.0.1:${server.port}/api/review?days=7`, { headers: own });
  return ((await response.json()) as { groups: ReviewGroup[] }).groups;
}

async function post<T>(
  server: PagesServer,
  own: LoggedIn,
  path: string,
  body: object,
): Promise<T & Partial<WireError>> {
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...own, origin, "content-type": "application/json" };
  return (await (await fetch(origin + path, { method: "POST", body: JSON.stringify(body), headers })).json()) as T &
    Partial<WireError>;
}

const SAID = { layer: "user", kind: "inline", fingerprint: "x", exit_code: null, duration_ms: 0.1 };

function denial(command: string, parts: object = {}, rule = "git-force-push"): object {
  return recordOf({
    action: "deny",
    reasons: ["no"],
    call: "c",
    event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command } } },
    results: [{ ...SAID, hook: "guard:git", rule, action: "deny" }],
    ...parts,
  });
}

test("objections are grouped by hook, rule and shape, not by call; the most frequent first", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(
    denial("git push --force origin main", { session_id: "a", time: "2020-01-01T00:00:00.000Z" }),
    denial("git push --force origin one", { session_id: "a" }),
    denial("git push --force origin two", { session_id: "b", agent: "codex" }),
    denial("rm -rf x", {}, "delete-folder"),
    recordOf(),
    recordOf({ action: "ask", results: [{ ...SAID, hook: "own", file: "/x", action: "ask" }] }),
  );
  const found = await groups(server, own);
  expect(found.map(({ shape, rule, count, sessions }) => [shape, rule, count, sessions])).toEqual([
    ["git push --force", "git-force-push", 2, 2],
    ["ls", undefined, 1, 1],
    ["rm -rf", "delete-folder", 1, 1],
  ]);
  expect(found[0]).toMatchObject({ agents: ["json", "codex"], may: { once: true, always: true } });
  expect(found[1]).toMatchObject({ action: "ask", may: { once: false, always: false } });
});

test("a group that was found right stays away until there is a new objection", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(denial("rm -rf x"));
  const [group] = await groups(server, own);
  await post(server, own, "/api/review/right", { key: group?.key });
  expect((await groups(server, own))[0]?.reviewed).toBeGreaterThan(0);
  await post(server, own, "/api/review/right", { key: group?.key, isRight: false });
  expect((await groups(server, own))[0]?.reviewed).toBeUndefined();
  await post(server, own, "/api/review/right", { key: group?.key });
  server.write(denial("rm -rf y", { time: new Date(Date.now() + 1000).toISOString() }));
  expect((await groups(server, own))[0]).toMatchObject({ count: 2 });
  expect((await groups(server, own))[0]?.reviewed).toBeUndefined();
  expect((await post(server, own, "/api/review/right", { key: "../x" })).error).toBeTruthy();
});

test("a wrong objection becomes a test that expects the call to pass; comments in that file stay", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  const root = join(server.folder, "project");
  mkdirSync(join(root, ".sluice"), { recursive: true });
  server.write(denial("rm -rf x", { id: "00000a", root }), denial("rm [redacted:token]", { id: "00000b", root }));
  const [secret, first] = (await groups(server, own)).map(({ example }) => example);
  for (const { id, at } of [first!, first!]) await post(server, own, "/api/review/test", { id, at });
  const file = join(root, ".sluice/review.hooks.test.yaml");
  expect(readFileSync(file, "utf8")).toMatch(/^# Calls of the past/);
  const { tests, problems } = readTestFile(file);
  expect(problems).toEqual([]);
  expect(tests).toHaveLength(2);
  expect((await post(server, own, "/api/review/test", { id: secret?.id, at: secret?.at })).error).toContain(
    "recorded in part",
  );
});

test("allowing is asked for at the terminal, with the id of the call and nothing else", async () => {
  const asked: string[] = [];
  const act = (name: string) => async (id: string) => {
    asked.push(`${name} ${id}`);
    return { done: false, told: ["Nothing was changed."] };
  };
  const server = await pagesServer({
    acts: {
      confirm: async () => false,
      allow: act("allow"),
      allowOnce: act("once"),
      switchHook: () => act("switch")(""),
      savePolicy: () => act("save")(""),
      previewAllow,
    },
  });
  const own = await server.logIn();
  expect(await post(server, own, "/api/act/allow", { id: "00000a" })).toEqual({
    done: false,
    told: ["Nothing was changed."],
  });
  await post(server, own, "/api/act/once", { id: "00000b" });
  for (const id of ["00000a --yes", "--yes", 7, null])
    expect((await post(server, own, "/api/act/allow", { id })).error).toBeTruthy();
  expect(asked).toEqual(["allow 00000a", "once 00000b"]);
});
