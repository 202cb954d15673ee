import { readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compressClosed } from "../../src/trace/compressed.ts";
import type { CallDetail, CallRow } from "../../src/ui-server/wire.ts";
import { type LoggedIn, type PagesServer, pagesServer, recordOf } from "./pages-server.ts";

async function get(server: PagesServer, path: string, headers: LoggedIn): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
}

async function rows(server: PagesServer, path: string, headers: LoggedIn): Promise<CallRow[]> {
  const text = await (await get(server, path, headers)).text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

test("calls come newest first and page by page; the last line of a page has the place after which older ones are asked for", async () => {
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
  const read: string[] = [];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: CallRow[] = await rows(server, `/api/rows?most=2&after=${after}`, own);
    read.push(page.map(({ id }) => id).join(" "));
    after = page.at(-1)?.place;
    expect(page.slice(0, -1).every(({ place }) => place === undefined)).toBe(true);
  }
  expect(read).toEqual(["00000e 00000d", "00000c 00000b", "00000a"]);
  expect((await rows(server, "/api/rows?most=1", own))[0]).toMatchObject({
    ...{ session: "s1", parent: "s0", tool: "Bash", text: "ls", action: "continue" },
  });
});

test("filters are looked for in the whole journal, also in its older and compressed files", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  const now = Date.now();
  const said = { layer: "user", kind: "inline", fingerprint: "x", exit_code: null, duration_ms: 0.1 };
  const command = (text: string) => ({
    event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command: text } } },
  });
  const time = (daysAgo: number) => new Date(now - daysAgo * 86_400_000).toISOString();
  const old = [
    recordOf({
      id: "00000a",
      time: time(9),
      action: "deny",
      session_id: "é “old”",
      ...command('say "Hello \\ World"'),
    }),
    recordOf({ id: "00000b", time: time(9), event: "session:start", tool: undefined, session_id: "s2" }),
    recordOf({ id: "00000c", time: time(9), agent: "codex", root: "/srv/shop", parent_session: "s2" }),
  ];
  const middle = recordOf({
    id: "00000d",
    time: time(5),
    results: [{ ...said, hook: 'h"1', action: "continue", failure: "timeout" }],
  });
  const write = (days: number, records: readonly object[]) => {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    writeFileSync(join(server.journal, `${time(days).slice(0, 10)}.jsonl`), lines);
  };
  write(9, old);
  const [name = ""] = readdirSync(server.journal);
  utimesSync(join(server.journal, name), now / 1000 - 999_999, now / 1000 - 999_999);
  expect(await compressClosed(server.journal)).toBe(1);
  write(5, [middle]);
  server.write(
    recordOf({ id: "00000e", fitted: { action: "ask", note: "" }, reasons: ["STALE_WRITE: changed"] }),
    recordOf({ id: "00000f" }),
  );
  const found = async (filters: Readonly<Record<string, string>>) =>
    (await rows(server, `/api/rows?${new URLSearchParams(filters)}`, own)).map(({ id }) => id.at(-1)).join("");
  expect(await found({})).toBe("fedcba");
  expect(await found({ action: "deny" })).toBe("a");
  expect(await found({ action: "ask" })).toBe("e");
  expect(await found({ action: "failed" })).toBe("d");
  expect(await found({ action: "stale" })).toBe("e");
  expect(await found({ hook: 'h"1' })).toBe("d");
  expect(await found({ agent: "codex", project: "/srv/shop" })).toBe("c");
  expect(await found({ session: "s2" })).toBe("cb");
  expect(await found({ session: "é “old”" })).toBe("a");
  expect(await found({ event: "session:start" })).toBe("b");
  expect(await found({ tool: "Bash" })).toBe("fedca");
  expect(await found({ text: 'WORLD "hello' })).toBe("a");
  expect(await found({ text: "session started" })).toBe("b");
  expect(await found({ last: "7d" })).toBe("fed");
  expect(await found({ from: String(now - 9.5 * 86_400_000), to: String(now - 4 * 86_400_000) })).toBe("dcba");
  expect(await found({ to: String(now - 8 * 86_400_000) })).toBe("cba");
  expect(await found({ text: "in no call" })).toBe("");
  const choices = await (await get(server, "/api/choices", own)).json();
  expect(choices).toMatchObject({ tool: ["Bash"], agent: ["json", "codex"], hook: ['h"1'] });
});

test("a place or a time that no journal has is answered with what fits, never with an error", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(recordOf({ id: "00000a" }));
  for (const query of [
    "after=zzz",
    "after=../../etc/passwd:12",
    "after=2000-01-01.jsonl:5",
    "to=x",
    "from=1e99",
    "to=-5",
    "most=-1",
    "last=x",
  ])
    expect((await get(server, `/api/rows?${query}`, own)).status, query).toBe(200);
});

test("a file that is set aside between two pages makes no call come too late", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(...["00000a", "00000b", "00000c"].map((id) => recordOf({ id })));
  const [first] = await rows(server, "/api/rows?most=1", own);
  const today = join(server.journal, readdirSync(server.journal)[0] ?? "");
  renameSync(today, today.replace(".jsonl", ".101112131-7.jsonl"));
  server.write(recordOf({ id: "00000d" }));
  const next = await rows(server, `/api/rows?after=${first?.place}`, own);
  expect(next.map(({ id }) => id)).toEqual(expect.arrayContaining(["00000b", "00000a"]));
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
