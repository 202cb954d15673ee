import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { answerLine } from "../../src/mcp/protocol.ts";
import { mcpHandler, takesBatches } from "../../src/mcp/server.ts";
import type { McpClient } from "../../src/mcp/tools.ts";
import { intentsPath } from "../../src/policies/intent/intents-file.ts";
import { COMMAND, runCommand } from "../command-server/run-command.ts";
import { EXAMPLE, project, within } from "./project.ts";

/** One server for the tests that change nothing. */
let shared: Awaited<ReturnType<typeof connected>>;
const unchanged = project();
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  shared = await connected(unchanged, (end) => ends.push(end));
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** A client of the command, in a process of its own as an agent starts it. */
function connected(made = project(), done?: WhenDone) {
  const env = { PATH: process.env.PATH ?? "", ...made.env };
  const words = { command: process.execPath, args: [COMMAND, "mcp"], cwd: made.root, env };
  return connectedThrough(new StdioClientTransport(words), made, done);
}

/** A client of the same server in this process: for what a tool does, and not how it is asked. */
function connectedHere(made = project()) {
  const [transport, other] = InMemoryTransport.createLinkedPair();
  const client: McpClient = {};
  other.onmessage = async (message) => {
    const handle = mcpHandler({ root: made.root, client, env: made.env, version: "1.0.0" });
    const answer = () => answerLine(JSON.stringify(message), handle, takesBatches(client));
    const said = await within(made.env, async () => answer());
    if (said !== undefined) await other.send(JSON.parse(said));
  };
  return connectedThrough(transport, made);
}

type WhenDone = (end: () => Promise<void>) => void;

async function connectedThrough(
  transport: Transport,
  made: ReturnType<typeof project>,
  done: WhenDone = onTestFinished,
) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  done(() => client.close());
  const call = async (name: string, args: object = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } });
    return { text: (content as { text: string }[]).map(({ text }) => text).join("\n"), isError: isError === true };
  };
  return { ...made, client, call };
}

/** What an agent's hook answers to a call. */
function hook({ root, env }: ReturnType<typeof project>, tool_name: string, tool_input: object, session_id = "s1") {
  const payload = { hook_event_name: "PreToolUse", session_id, cwd: root, transcript_path: "", tool_name, tool_input };
  const { out, code: status } = runCommand(["run", "claude-code"], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", SLUICE_RESIDENT: "0", ...env },
    input: JSON.stringify(payload),
  });
  const said = out.trim() === "" ? {} : JSON.parse(out).hookSpecificOutput;
  return {
    status,
    decision: said.permissionDecision as string | undefined,
    reason: String(said.permissionDecisionReason),
  };
}

test("the tools are listed, each with a sentence and a schema", async () => {
  const { client } = shared;
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_intents",
    "select_active_intent",
    "get_intent_context",
    "request_scope",
    "record_lesson",
  ]);
  expect(tools.every(({ description, inputSchema }) => description && inputSchema.type === "object")).toBe(true);
  expect(client.getServerVersion()).toMatchObject({ name: "sluice" });
  await client.ping();
});

test("a server that is started elsewhere asks the client which folders it works on", async () => {
  const made = project();
  const client = new Client({ name: "test", version: "1" }, { capabilities: { roots: {} } });
  const roots = [`file://${made.home}/outside`, `file://${made.root}`].map((uri) => ({ uri }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  const env = { PATH: process.env.PATH ?? "", ...made.env };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND, "mcp"], cwd: made.home, env }),
  );
  onTestFinished(() => client.close());
  const listed = async () => JSON.stringify(await client.callTool({ name: "list_intents", arguments: {} }));
  await expect.poll(listed).toContain("INT-001");
});

test("a session selects through the server and its hook, then works inside of the scope", async () => {
  const made = await connected();
  const write = (path: string, session?: string) =>
    hook(made, "Write", { file_path: join(made.root, path), content: "x" }, session);
  expect(write("src/auth/a.ts")).toMatchObject({
    decision: "deny",
    reason: expect.stringContaining("INTENT_REQUIRED"),
  });
  expect(await made.call("list_intents")).toMatchObject({ text: expect.stringContaining("INT-001  IN_PROGRESS") });

  expect(hook(made, "mcp__sluice__select_active_intent", { intent_id: "INT-001" }).decision).not.toBe("deny");
  const { text, isError } = await made.call("select_active_intent", { intent_id: "INT-001" });
  expect(isError).toBe(false);
  expect(text).toContain("<constraint>Must not use external auth providers</constraint>");
  expect(text).toContain("<path>src/auth/**</path>");

  expect(write("src/auth/a.ts").decision).toBeUndefined();
  expect(write("src/db.ts")).toMatchObject({ decision: "deny", reason: expect.stringContaining("SCOPE_VIOLATION") });
  expect(write("src/auth/a.ts", "s2")).toMatchObject({ decision: "deny" });
});

test("a request is written down for a person, and allows nothing", async () => {
  const made = await connectedHere();
  const asked = { intent_id: "INT-001", paths: ["src/db.ts"], reason: "the schema changes" };
  expect(await made.call("request_scope", asked)).toMatchObject({ text: expect.stringContaining("scope add INT-001") });
  const text = readFileSync(intentsPath(made.root), "utf8");
  expect(text.startsWith(EXAMPLE)).toBe(true);
  expect(text).toContain("scope_requests:");
});

test("a person sees who asks for what, and how to grant it, until it is granted", async () => {
  const made = await connectedHere();
  const asked = { intent_id: "INT-001", paths: ["src/db.ts", "it's $HOME/**"], reason: "the schema changes" };
  for (let times = 0; times < 2; times++) expect((await made.call("request_scope", asked)).isError).toBe(false);
  const sluice = (...words: string[]) =>
    runCommand(["intents", ...words], {
      cwd: made.root,
      env: { PATH: process.env.PATH ?? "", ...made.env },
    }).out;
  for (const words of [["list"], ["show", "INT-001"]]) {
    const out = sluice(...words);
    expect(out).toMatch(/INT-001: test asks for more, 20\d\d-[\s\S]*because: the schema changes/);
    expect(out).toContain(`grant it: sluice intents scope add INT-001 "src/db.ts" 'it'\\''s $HOME/**'`);
    expect(out.split("grant it").length).toBe(2);
  }
  expect(JSON.parse(sluice("show", "INT-001", "--json")).scope_requests).toMatchObject([{ requested_by: "test" }]);
  sluice("scope", "add", "INT-001", ...asked.paths);
  expect(sluice("list")).not.toContain("asks for more");
});

test.each<[mode: string, says: string, isSaid: boolean]>([
  ["off", "nothing is checked", true],
  ["advise", "nothing is blocked", true],
  ["enforce", "Intents", false],
])("in mode %s the server says what a scope means there", async (mode, says, isSaid) => {
  const { call, client } = await connectedHere(project({}, mode));
  const texts = [await call("list_intents"), await call("select_active_intent", { intent_id: "INT-001" })];
  for (const { text } of texts) expect(text.includes(says)).toBe(isSaid);
  expect(client.getInstructions()?.includes("cannot be changed")).toBe(mode === "enforce");
});

test("a lesson is written into the memory file once", async () => {
  const made = await connectedHere(project({ "AGENTS.md": "# Project\n\n## Lessons\n\n- One\n\n## Other\n\nx\n" }));
  for (const lesson of ["Run the tests\nfirst", "Run the tests first"]) await made.call("record_lesson", { lesson });
  expect(readFileSync(join(made.root, "AGENTS.md"), "utf8")).toBe(
    "# Project\n\n## Lessons\n\n- One\n- Run the tests first\n\n## Other\n\nx\n",
  );
});

test.each<[what: string, tool: string, args: object, says: string]>([
  ["an unknown intent", "select_active_intent", { intent_id: "INT-9" }, 'no intent "INT-9"'],
  ["no intent", "select_active_intent", {}, "`intent_id` is missing"],
  ["a path outside", "request_scope", { intent_id: "INT-001", paths: ["../../etc/**"], reason: "x" }, "climbs"],
  ["a path like an option", "request_scope", { intent_id: "INT-001", paths: ["--json"], reason: "x" }, "option"],
  ["a request without paths", "request_scope", { intent_id: "INT-001", paths: [], reason: "x" }, "`paths` is missing"],
])("%s is told to the model", async (_, tool, args, says) => {
  expect(await shared.call(tool, args)).toMatchObject({ isError: true, text: expect.stringContaining(says) });
});

test("lines that are no requests are answered as the protocol wants", () => {
  const { root, env } = project();
  const lines = [
    "nonsense",
    "{}",
    '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    '{"jsonrpc":"2.0","method":"x"}',
    "",
    "[]",
  ];
  const { stdout, status } = spawnSync(process.execPath, [COMMAND, "mcp"], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", ...env },
    input: lines.join("\n"),
    encoding: "utf8",
  });
  const codes = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).error.code);
  expect(codes).toEqual([-32700, -32600, -32601, -32600]);
  expect(status).toBe(0);
});
