import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CallRow, Figures } from "../../src/ui-server/wire.ts";
import type { HookMatch, PolicyPicture } from "../../src/ui-server/wire-policy.ts";
import type { Summary } from "../../src/ui-server/wire-summary.ts";
import { type LoggedIn, type PagesServer, pagesServer, recordOf } from "./pages-server.ts";

async function get<T>(server: PagesServer, own: LoggedIn, path: string): Promise<T & { error?: string }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: own });
  return (await response.json()) as T & { error?: string };
}

async function withPolicy(text: string, assets = true) {
  const server = await pagesServer();
  if (assets) writeFileSync(join(server.folder, "assets/export.js"), "0;");
  mkdirSync(join(server.folder, "config/sluice"), { recursive: true });
  writeFileSync(join(server.folder, "config/sluice/hooks.yaml"), text);
  return { server, own: await server.logIn() };
}

const SAID = { layer: "user", kind: "inline", fingerprint: "x", exit_code: null, duration_ms: 1 };
const POLICY = `hooks:
  - name: second
    priority: 20
    event: tool:pre_execute:@shell
    rules: 'args.command contains "rm" -> deny("no")'
  - name: first
    priority: 10
    event: tool:pre_execute
    rules: 'args.command contains "zz" -> deny("no")'
  - name: after
    event: tool:post_execute
    command: "true"
`;

test("the first page names what broke, what never fired and the errors of the configuration, and nothing of it where all is well", async () => {
  const { server, own } = await withPolicy(POLICY);
  const quiet = await get<Summary>(server, own, "/api/summary");
  expect(quiet).toMatchObject({ held: [], broke: [], problems: [], agents: [], kept: [] });
  expect(quiet.never).toEqual(["second", "first", "after"]);
  server.write(
    recordOf({ results: [{ ...SAID, hook: "after", action: "continue", failure: "timeout" }] }),
    recordOf({ action: "deny", results: [{ ...SAID, hook: "second", action: "deny", reason: "no" }] }),
  );
  const path = join(server.folder, "config/sluice/hooks.yaml");
  writeFileSync(path, POLICY.replace('contains "zz"', 'contans "zz"'));
  const loud = await get<Summary>(server, own, "/api/summary");
  expect(loud.broke).toMatchObject([{ hook: "after", why: "timeout", broke: 1, letPass: 1 }]);
  expect(loud.never).not.toContain("second");
  expect(loud.problems).toEqual([expect.stringContaining("contans")]);
});

test("the picture lists the hooks of each event in the order in which they run", async () => {
  const { server, own } = await withPolicy(POLICY);
  const { events } = await get<PolicyPicture>(server, own, "/api/picture");
  expect(events.map(({ event, isGate, hooks }) => [event, isGate, hooks.map(({ hook }) => hook)])).toEqual([
    ["tool:pre_execute", true, ["first", "second"]],
    ["tool:post_execute", false, ["after"]],
  ]);
});

test("a click on a hook explains why it matched a call or did not; nothing is run", async () => {
  const { server, own } = await withPolicy(POLICY);
  const call = recordOf({ id: "00000a" });
  const write = recordOf({
    id: "00000b",
    tool: "Write",
    event_json: { type: "tool:pre_execute", tool_name: "Write", data: { tool_args: { path: "a" } } },
  });
  server.write(call, write);
  const match = (hook: string, record: typeof call) =>
    get<HookMatch>(
      server,
      own,
      `/api/match?hook=${hook}&layer=user&id=${record.id}&at=${Date.parse(String(record.time))}`,
    );
  expect(await match("second", call)).toMatchObject({ matches: true, rules: [{ matched: false }] });
  expect(await match("second", write)).toMatchObject({ matches: false, why: expect.stringContaining("Write") });
  expect(await match("after", call)).toMatchObject({ matches: false, why: expect.stringContaining("post_execute") });
  expect((await match("gone", call)).error).toContain("no longer");
});

test("a record is read once: the sums are kept, grow with the journal, and belong to whole days", async () => {
  const { server, own } = await withPolicy("hooks: []\n");
  server.write(recordOf({ action: "deny" }), recordOf());
  expect(await get<Figures>(server, own, "/api/figures?days=2")).toMatchObject({ calls: 2, denied: 1 });
  server.write(recordOf({ action: "ask" }));
  const figures = await get<Figures>(server, own, "/api/figures?days=2");
  expect(figures).toMatchObject({ calls: 3, denied: 1, asked: 1 });
  const sums = (rows: Figures["byDay"]) => rows.reduce((all, { calls }) => all + calls, 0);
  for (const rows of [figures.byDay, figures.byAgent, figures.byProject]) expect(sums(rows)).toBe(figures.calls);
  expect(figures.byShape.reduce((all, { calls }) => all + calls, 0)).toBe(figures.denied + figures.asked);
  // A day without a call has no times: that is not the same as a time of nothing.
  expect(figures.byDay[0]).not.toHaveProperty("p50");
  expect(figures.byDay[1]?.p50).toBe(1);
});

test("a session is saved as one page; without arguments it holds no command, no path and no reason", async () => {
  const { server, own } = await withPolicy("hooks: []\n");
  const secret = "deploy --to production-cluster";
  server.write(
    recordOf({
      session_id: "mine",
      cwd: join(server.folder, "project"),
      root: join(server.folder, "project"),
      action: "deny",
      reasons: [`not ${secret}`],
      contexts: [`about ${secret}`],
      event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command: secret } } },
      results: [{ ...SAID, hook: "own", action: "deny", reason: `not ${secret}`, file: join(server.folder, "x.yaml") }],
    }),
    recordOf({ session_id: "other", event_json: { data: { tool_args: { command: "of another session" } } } }),
  );
  const whole = await get<{ html: string }>(server, own, "/api/session/page?session=mine");
  expect(whole.html).toContain(secret);
  expect(whole.html).not.toContain("of another session");
  const bare = await get<{ html: string }>(server, own, "/api/session/page?session=mine&redact=1");
  expect(bare.html).toContain("own");
  for (const text of [secret, server.folder]) expect(bare.html).not.toContain(text);
  expect((await get(server, own, "/api/session/page?session=none")).error).toContain("No call");
});

test("events that are about no tool are a sentence, and the records of one call name the same use", async () => {
  const { server, own } = await withPolicy("hooks: []\n");
  const event = (type: string, data: object, parts: object = {}) =>
    recordOf({ event: type, tool: undefined, event_json: { type, data }, ...parts });
  server.write(
    event("session:start", { source: "resume" }),
    event("session:stop", { last_assistant_message: "All done." }),
    event("config:change", {}),
    event(
      "tool:post_execute",
      { tool_args: { command: "ls" }, tool_use_id: "t1", duration_ms: 1200 },
      { tool: "Bash" },
    ),
  );
  const response = await fetch(`http://127.0.0.1:${server.port}/api/rows`, { headers: own });
  const rows = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as CallRow);
  expect(rows.map(({ text, use, ran }) => [text, use, ran])).toEqual([
    ["ls", "t1", 1200],
    [expect.stringMatching(/^[A-Z][^{}]+$/), undefined, undefined],
    ["The agent finished its turn: All done.", undefined, undefined],
    ["Session started (resume)", undefined, undefined],
  ]);
});

test("nothing is reported as brought back that was not kept", async () => {
  const { server, own } = await withPolicy("hooks: []\n");
  expect((await get(server, own, "/api/undo?id=abcdef")).error).toContain("Nothing is kept");
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...own, origin, "content-type": "application/json" };
  for (const id of ["abcdef", "../x", 7, null]) {
    const response = await fetch(`${origin}/api/undo`, { method: "POST", body: JSON.stringify({ id }), headers });
    expect(response.status).toBe(404);
  }
});

test("a text with errors is saved only by a person who has said that it has them", async () => {
  const { server, own } = await withPolicy(POLICY);
  const path = join(server.folder, "config/sluice/hooks.yaml");
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...own, origin, "content-type": "application/json" };
  const files = await get<{ path: string; hash: string }[]>(server, own, "/api/policies");
  const hash = files.find((file) => file.path === path)?.hash;
  const text = POLICY.replace("contains", "contans");
  const save = async (parts: object) => {
    const body = JSON.stringify({ path, text, hash, ...parts });
    return (await fetch(`${origin}/api/policy/save`, { method: "POST", body, headers })).status;
  };
  expect(await save({})).toBe(422);
  expect(await save({ withErrors: true })).toBe(200);
  expect(await save({ text: POLICY })).toBe(200);
  expect(readFileSync(path, "utf8")).toBe(POLICY);
});
