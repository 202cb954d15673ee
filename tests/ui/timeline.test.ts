import { expect, test } from "vitest";
import type { CallDetail, CallRow } from "../../src/ui-server/wire.ts";
import { type LoggedIn, type PagesServer, pagesServer, recordOf } from "./pages-server.ts";

async function get(server: PagesServer, path: string, headers: LoggedIn): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
}

async function rows(server: PagesServer, path: string, headers: LoggedIn): Promise<CallRow[]> {
  const text = await (await get(server, path, headers)).text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

test("calls come newest first, and beyond the number that is asked for only those that were stopped", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(
    recordOf({ id: "00000a", action: "deny", reasons: ["no"] }),
    recordOf({ id: "00000b" }),
    recordOf({ id: "00000c", action: "ask" }),
    recordOf({ id: "00000d" }),
    recordOf({ id: "00000e", parent_session: "s0" }),
    recordOf({ id: "00000f", results: [{ hook: "canary", action: "deny", reason: "sluice doctor's canary 00" }] }),
  );
  expect((await rows(server, "/api/rows", own)).map(({ id }) => id)).toEqual([
    "00000e",
    "00000d",
    "00000c",
    "00000b",
    "00000a",
  ]);
  const few = await rows(server, "/api/rows?most=2", own);
  expect(few.map(({ id }) => id)).toEqual(["00000e", "00000d", "00000c", "00000a"]);
  expect(few[0]).toMatchObject({ session: "s1", parent: "s0", tool: "Bash", text: "ls", action: "continue" });
});

test("a row tells what the agent was told, which hooks spoke, what broke and what was kept", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  const said = { layer: "user", kind: "inline", fingerprint: "x", exit_code: null, duration_ms: 0.1 };
  server.write(
    recordOf({
      action: "ask",
      fitted: { action: "deny", note: "it cannot ask" },
      kept: { id: "k", files: 1, bytes: 2 },
      event_json: { data: { tool_args: { command: `a\n  b ${"c".repeat(500)}` } } },
      results: [
        { ...said, hook: "one", action: "ask" },
        { ...said, hook: "silent", action: "continue" },
        { ...said, hook: "watches", action: "continue", monitor: "deny" },
        { ...said, hook: "breaks", action: "continue", failure: "timeout" },
      ],
    }),
  );
  const [row] = await rows(server, "/api/rows", own);
  expect(row).toMatchObject({
    action: "deny",
    would: "deny",
    hooks: ["one", "watches", "breaks"],
    failed: true,
    kept: true,
  });
  expect(row?.text).toMatch(/^a b c+…$/);
  expect(row?.text.length).toBeLessThan(200);
});

test("what is recorded from now on arrives, and nothing twice", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(recordOf({ id: "00000a" }));
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${server.port}/api/live`, { headers: own, signal: stop.signal });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  server.write(recordOf({ id: "00000b" }), recordOf({ id: "00000c", action: "deny" }));
  while (!text.includes("00000c")) text += (await reader.read()).value ?? "";
  expect([...text.matchAll(/"id":"(\w+)"/g)].map(([, id]) => id)).toEqual(["00000b", "00000c"]);
  stop.abort();
});

test("one call is told as `sluice why` tells it; of two with the same id the one of that time", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  const [early, late] = ["2026-01-01T10:00:00.000Z", new Date().toISOString()];
  server.write(
    recordOf({ id: "00000a", time: early, reasons: ["the old one"] }),
    recordOf({
      id: "00000a",
      time: late,
      action: "modify",
      input: { command: "ls -l" },
      contexts: ["be careful"],
      quiet: { "guard:git": 0.1 },
      event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command: "rm a | tee b" } } },
    }),
  );
  const read = async (at: string) =>
    (await (await get(server, `/api/call?id=00000a&at=${Date.parse(at)}`, own)).json()) as CallDetail;
  expect((await read(early)).reasons).toEqual(["the old one"]);
  const detail = await read(late);
  expect(detail).toMatchObject({
    action: "modify",
    quiet: 1,
    told: ["be careful"],
    changes: [{ field: "command", before: "rm a | tee b", after: "ls -l" }],
  });
  expect(detail.act?.commands).toEqual(["rm a", "tee b"]);
  expect(detail.act?.effects.join("\n")).toContain("deletes");
  expect((await get(server, "/api/call?id=00000b&at=1", own)).status).toBe(404);
});
