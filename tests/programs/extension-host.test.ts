import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HostState, type ShownCall, startHost } from "./extension-host.ts";

let host: Awaited<ReturnType<typeof startHost>>;

beforeAll(async () => {
  // Answers come at once; the one question without an answer is waited for.
  host = await startHost("--session", "host-session", "--answer-within", "5");
});

afterAll(() => host.stop());

const calls = ({ timeline }: HostState) => timeline.filter(({ type }) => type === "call");
const inFile = (path: string) => readFileSync(join(host.root, path), "utf8");

/** Calls a tool, answers what is asked on the way, and returns how it ended. */
async function called(tool: string, input: object, approved?: boolean): Promise<ShownCall> {
  const before = calls(await host.until(() => true)).length;
  expect((await host.send({ kind: "call_tool", tool, input })).status).toBe(202);
  if (approved !== undefined) {
    const { questions } = await host.until((state) => state.questions.length > 0);
    await host.send({ kind: "answer", question: questions[0]?.id, approved });
  }
  const ended = await host.until((state) => calls(state)[before]?.result !== undefined);
  return calls(ended)[before] as ShownCall;
}

// One host and one session: what a call may do depends on the calls before it.
describe("the extension host", { shuffle: false }, () => {
  describe("a call of a tool goes one way", () => {
    test("without an intent nothing is written, and the tool is never reached", async () => {
      expect(await called("write_file", { path: "src/auth/a.ts", content: "x" })).toMatchObject({
        steps: ["pre-hooks", "result"],
        decision: { allow: false, code: "INTENT_REQUIRED" },
        result: { ok: false },
      });
      expect(existsSync(join(host.root, "src/auth/a.ts"))).toBe(false);
    });

    test("an intent that is done cannot be selected", async () => {
      const { decision } = await called("select_active_intent", { intent_id: "INT-003" });
      expect(decision).toMatchObject({ allow: false, code: "INTENT_REQUIRED" });
      expect((await host.until(() => true)).selected).toBe(null);
    });

    test("a selected intent answers with what it demands", async () => {
      const { result } = await called("select_active_intent", { intent_id: "INT-001" });
      expect(result?.text).toMatch(/^<intent_context>[\s\S]*Must not use external auth providers/);
      expect((await host.until(() => true)).selected).toBe("INT-001");
    });

    test("hooks, tool, hooks, sidecar, result, in this order", async () => {
      const written = await called("write_file", { path: "src/auth/a.ts", content: "export const a = 1;\n" });
      expect(written).toMatchObject({
        steps: ["pre-hooks", "dispatch", "tool", "post-hooks", "sidecar", "result"],
        decision: { allow: true },
        result: { ok: true, text: "wrote 20 bytes to src/auth/a.ts" },
      });
      expect(inFile("src/auth/a.ts")).toBe("export const a = 1;\n");
      const { trace } = await host.until(() => true);
      expect(trace.records.at(-1)).toMatchObject({
        intent_id: "INT-001",
        session_id: "host-session",
        files: [{ relative_path: "src/auth/a.ts" }],
      });
      expect(trace.verdict).toContain("trace OK, hash chain intact: 1 record");
      expect(inFile(".orchestration/intent_map.md")).toContain("src/auth/a.ts");
    });

    test("a write outside of the scope leaves the file and the trace alone", async () => {
      const [file, trace] = [inFile("src/billing/invoice.ts"), inFile(".orchestration/agent_trace.jsonl")];
      const { decision, steps } = await called("write_file", { path: "src/billing/invoice.ts", content: "" });
      expect([decision?.code, steps]).toEqual(["SCOPE_VIOLATION", ["pre-hooks", "result"]]);
      expect([inFile("src/billing/invoice.ts"), inFile(".orchestration/agent_trace.jsonl")]).toEqual([file, trace]);
    });

    test("a hook of the project denies in its own words", async () => {
      const content = "-----BEGIN PRIVATE KEY-----";
      const { decision } = await called("write_file", { path: "src/auth/key.ts", content });
      expect(decision).toMatchObject({ allow: false, reason: expect.stringContaining("does not belong into a file") });
    });

    test.each([
      ["read_file", { path: "../outside/x" }],
      ["read_file", { path: "/etc/hostname" }],
      ["read_file", { path: "src/auth/way-out" }],
    ])("%s %j: a tool keeps to the project by itself", async (tool, input) => {
      mkdirSync(join(host.root, "src/auth"), { recursive: true });
      if (!existsSync(join(host.root, "src/auth/way-out"))) symlinkSync("/etc", join(host.root, "src/auth/way-out"));
      const { result } = await called(tool, input);
      expect(result).toMatchObject({ ok: false, text: expect.stringContaining("lies outside of the project") });
    });

    test("a tool that fails is told to the hooks, and its own words are the result", async () => {
      const { steps, result } = await called("read_file", { path: "src/none.ts" });
      expect(steps).toContain("post-hooks");
      expect(result).toMatchObject({ ok: false, text: expect.stringContaining("ENOENT") });
    });
  });

  describe("what cannot be taken back needs a person", () => {
    test.each([
      ["delete_file", { path: "src/auth/old/cookie.ts" }],
      ["run_command", { command: "rm -rf src/auth/old" }],
    ])("%s: denied, nothing happens; approved, it does", async (tool, input) => {
      const denied = await called(tool, input, false);
      expect(denied).toMatchObject({ approved: false, decision: { allow: false, code: "DESTRUCTIVE_BLOCKED" } });
      const there = tool === "delete_file" ? "src/auth/old/cookie.ts" : "src/auth/old";
      expect(existsSync(join(host.root, there))).toBe(true);
      expect(await called(tool, input, true)).toMatchObject({ approved: true, result: { ok: true } });
      expect(existsSync(join(host.root, there))).toBe(false);
    });

    test("an answer to nothing changes nothing", async () => {
      expect((await host.send({ kind: "answer", question: "q", approved: true })).status).toBe(202);
      expect((await host.until(() => true)).questions).toEqual([]);
    });

    test("an unanswered question is denied", async () => {
      const unanswered = await called("delete_file", { path: "src/auth/middleware.ts" });
      expect(unanswered).toMatchObject({ approved: false, decision: { code: "DESTRUCTIVE_BLOCKED" } });
      expect(existsSync(join(host.root, "src/auth/middleware.ts"))).toBe(true);
    });
  });

  describe("the boundary", () => {
    const write = { kind: "call_tool", tool: "write_file", input: { path: "src/auth/forged.ts", content: "x" } };

    test.each<[what: string, message: unknown, said: RegExp]>([
      ["an unknown kind", { kind: "format_disk" }, /no message of the kind "format_disk"/],
      ["a kind of every object", { kind: "constructor" }, /no message of the kind "constructor"/],
      ["no kind", {}, /no message of the kind nothing/],
      ["no object", "[1]", /no message of the kind/],
      ["nothing", "null", /no message of the kind/],
      ["no JSON", "{", /not JSON/],
      ["an unknown tool", { ...write, tool: "eval" }, /no tool "eval"/],
      ["a tool of every object", { ...write, tool: "toString" }, /no tool "toString"/],
      ["a field too many", { ...write, root: "/" }, /"root" is not known/],
      ["a field too few", { kind: "call_tool", tool: "read_file" }, /"input" has to be an object/],
      ["an input too many", { ...write, input: { ...write.input, cwd: "/" } }, /"cwd" is not known/],
      ["an input of another type", { ...write, input: { path: 1, content: "" } }, /"path" has to be a string/],
      ["a yes that is a text", { kind: "answer", question: "q", approved: "no" }, /true or false/],
    ])("%s is refused with what there is instead", async (_, message, said) => {
      const answer = await host.send(message);
      expect(answer).toMatchObject({ status: 400, said: { kind: "refused", what: expect.stringMatching(said) } });
      expect(answer.said.fix).not.toBe("");
    });

    test.each<[what: string, headers: (token: string) => Record<string, string>, status: number]>([
      ["without a token", () => ({ "content-type": "application/json" }), 401],
      ["with another token", () => ({ authorization: "Bearer x", "content-type": "application/json" }), 401],
      ["from another page, even with the token", (token) => ({ ...right(token), origin: "http://evil.test" }), 403],
      ["from a page without an origin", (token) => ({ ...right(token), origin: "null" }), 403],
      ["as a form would send it", (token) => ({ ...right(token), "content-type": "text/plain" }), 400],
    ])("%s nothing is done", async (_, headers, status) => {
      const before = (await host.until(() => true)).timeline.length;
      expect((await host.send(write, headers(host.token))).status).toBe(status);
      expect((await host.until(() => true)).timeline.length).toBe(before);
      expect(existsSync(join(host.root, "src/auth/forged.ts"))).toBe(false);
    });

    test("a message that is too long is refused", async () => {
      const content = "x".repeat(1024 * 1024);
      expect((await host.send({ ...write, input: { ...write.input, content } })).status).toBe(413);
    });

    test("a name that is made to lead here is refused", async () => {
      const { port } = new URL(host.origin);
      const status = await new Promise((done) => {
        get({ port, host: "127.0.0.1", path: "/", headers: { host: "evil.test" } }, (response) => {
          response.resume();
          done(response.statusCode);
        });
      });
      expect(status).toBe(403);
    });

    test.each(["/../host.mjs", "/host.mjs", "/%2e%2e/host.mjs", "/project/.sluice/hooks.yaml", "/constructor"])(
      "%s is no part of the page",
      async (path) => {
        expect((await fetch(`${host.origin}${path}`)).status).toBe(404);
      },
    );

    test("the page may run its own scripts, talk to its host, and nothing else", async () => {
      const { headers } = await fetch(host.origin);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("access-control-allow-origin")).toBe(null);
    });
  });
});

function right(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, "content-type": "application/json" };
}
