import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runFolder } from "../../scripts/ctk/run-folder.mjs";
import * as library from "../../src/agent-hooks.ts";
import { HooksManager } from "../../src/hosts/hooks-manager.ts";

const VECTORS = fileURLToPath(new URL("vectors", import.meta.url));
const { agentHooks, hooksFrom } = library;
type Interceptor = library.Interceptor["intercept"];

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "sluice-agent-hooks-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const ALLOW: Interceptor = () => ({ decision: "allow" });
const agent = { id: "tester" };
const read = { id: "c1", name: "read", args: { path: "a" } };
const pre = (fields: object) => ({ tool_call: { ...read, ...fields } });

async function started(options: Partial<library.AgentHooksOptions>) {
  const host = agentHooks({ agent, interceptors: [ALLOW], ...options });
  const session = host.session();
  await session.emit("agent_startup", { agent_init: { tools_registered: [] } });
  return { host, session };
}

describe("conformance vectors", () => {
  test("every vector that applies passes, and the others are named with their reason", async () => {
    const report = await runFolder(library, VECTORS);
    expect(report.failed).toEqual([]);
    expect(report.passed).toHaveLength(readdirSync(VECTORS).length - 1);
    expect(report.notApplicable.map(({ id, why }) => `${id}: ${why}`)).toEqual([
      "AH-CTK-912-streams: incremental_output: the host buffers: nothing is released before the verdict on the whole response",
    ]);
  });

  /** What is changed in a vector that passes, and a part of the failure that it has to give. */
  const FALSE_WORLDS: readonly (readonly [
    file: string,
    change: (expect: Record<string, unknown>) => void,
    failure: RegExp,
  ])[] = [
    ["900-two-calls", (e) => Object.assign(e, { final_output: "other" }), /final_output is "ok"/],
    ["900-two-calls", (e) => Object.assign(e, { run_outcome: "blocked" }), /ended as completed/],
    ["900-two-calls", (e) => Object.assign(e, { tool_invocations: [] }), /tool_invocations is/],
    ["900-two-calls", (e) => Object.assign(e, { tool_not_invoked: ["read"] }), /read was invoked/],
    ["900-two-calls", (e) => (e.interceptions as unknown[]).pop(), /the points were/],
    ["900-two-calls", (e) => Object.assign(e, { identities_equal: false }), /are equal/],
    ["901-rewrite-input", (e) => Object.assign(e, { interceptions_absent: ["output"] }), /output was emitted/],
    ["901-rewrite-input", (e) => Object.assign(e, { identities_equal: true }), /are different/],
    [
      "904-wrong-root",
      (e) =>
        Object.assign(e, {
          records: [{ interception_point: "pre_tool_call", assert: { "verdict.decision": "allow" } }],
        }),
      /verdict\.decision is "deny"/,
    ],
    [
      "908-strictest-denial",
      (e) => Object.assign(e, { records: [{ interception_point: "pre_tool_call", present: ["resolved_by"] }] }),
      /lacks resolved_by/,
    ],
  ];

  test.each(FALSE_WORLDS)("%s fails once it expects something else (%#)", async (file, change, failure) => {
    const name = readdirSync(VECTORS).find((one) => one.includes(file)) ?? "";
    const vector = JSON.parse(readFileSync(join(VECTORS, name), "utf8"));
    change(vector.expect);
    writeFileSync(join(root, name), JSON.stringify(vector));
    const { passed, failed } = await runFolder(library, root);
    expect(passed).toEqual([]);
    expect(failed.flatMap(({ failures }) => failures).join("\n")).toMatch(failure);
  });

  test("a file that expects nothing fails, and a folder without vectors is an error", async () => {
    writeFileSync(join(root, "a.json"), JSON.stringify({ id: "a", title: "a", scenario: {}, expect: {} }));
    writeFileSync(join(root, "b.json"), "{");
    expect((await runFolder(library, root)).failed).toHaveLength(2);
    mkdirSync(join(root, "empty"));
    await expect(runFolder(library, join(root, "empty"))).rejects.toThrow("has no vectors");
  });

  test("identities are the canonical JSON of RFC 8785 and its hash", async () => {
    expect(library.canonicalJson({ b: [1.0, -0, 1e21, 1e-7], a: "é\u0000", "": null })).toBe(
      '{"":null,"a":"é\\u0000","b":[1,0,1e+21,1e-7]}',
    );
    for (const value of [2 ** 53, Number.NaN, "\ud800", undefined])
      expect(() => library.canonicalJson({ value })).toThrow(/exceeds|finite|surrogate|not JSON/);
    const { session } = await started({});
    const { record } = await session.emit("pre_tool_call", pre({ args: { id: 2 ** 53 } }));
    expect(record).toMatchObject({ verdict: { reason: "host_error:context_invalid" }, input_identity: null });
  });
});

describe("a host", () => {
  test("without interceptors denies everything", async () => {
    const host = agentHooks({ agent });
    const run = await host.run(
      { content: "hi", role: "user" },
      { model: { id: "m", respond: () => Promise.reject() } },
    );
    expect(run.outcome).toBe("blocked");
  });

  test("ends an interceptor that takes too long, and names only the type of an error", async () => {
    const { session } = await started({ interceptors: [ALLOW], composition: { profile: "sequential/run_all" } });
    expect((await session.emit("pre_tool_call", pre({}))).permitted).toBe(true);
    const slow: Interceptor = ({ interception_point }) =>
      interception_point === "pre_tool_call" ? new Promise(() => {}) : { decision: "allow" };
    const late = await started({ interceptors: [slow], timeoutMs: 5 });
    expect((await late.session.emit("pre_tool_call", pre({}))).verdict.reason).toBe("host_error:interceptor_timeout");
    const broken = await started({
      interceptors: [
        ({ interception_point }) => {
          if (interception_point === "pre_tool_call") throw new RangeError("the secret");
          return { decision: "allow" };
        },
      ],
    });
    const { record } = await broken.session.emit("pre_tool_call", pre({}));
    expect(record.verdict).toEqual({
      decision: "deny",
      reason: "host_error:interceptor_failed",
      message: "RangeError",
    });
  });

  test.each<readonly [name: string, verdict: unknown]>([
    ["an unknown decision", { decision: "maybe" }],
    ["a reason of the host", { decision: "deny", reason: "host_error:mine" }],
    ["an approval of a permit", { decision: "allow", approval: {} }],
    ["a transform of an allow", { decision: "allow", transform: { path: "$target" } }],
    ["no transform", { decision: "transform" }],
    ["warnings that are texts", { decision: "allow", warnings: ["text"] }],
    ["evidence over 10 kB", { decision: "allow", evidence: { artefact: "x".repeat(11_000) } }],
    ["labels that are numbers", { decision: "allow", result_labels: [1] }],
    ["a text", "allow"],
    ["null", null],
  ])("refuses a verdict that breaks the format: %s", async (_, verdict) => {
    const intercept: Interceptor = ({ interception_point }) =>
      interception_point === "input" ? (verdict as unknown as library.AgentVerdict) : { decision: "allow" };
    const { session } = await started({ interceptors: [intercept] });
    const { permitted, record } = await session.emit("input", { input: { content: "x", role: "user" } });
    expect([permitted, record.verdict.reason]).toEqual([false, "host_error:verdict_invalid"]);
  });

  test("refuses points that are out of order, and contexts that lack a field", async () => {
    const { session } = await started({});
    await expect(session.emit("agent_startup", {})).rejects.toThrow("agent_startup was emitted");
    const { permitted, record } = await session.emit("pre_tool_call", { tool_call: { id: "1", name: "x" } });
    expect([permitted, record.verdict.message]).toEqual([false, "tool_call.args is missing"]);
    const getter = Object.defineProperty({}, "tool_call", { enumerable: true, get: () => JSON.parse("{") });
    expect((await session.emit("pre_tool_call", getter)).record.verdict.message).toBe("SyntaxError");
    await session.emit("agent_shutdown", { summary: { reason: "completed" } });
    await expect(session.emit("input", {})).rejects.toThrow("ended");
  });

  test("numbers emissions that overlap without a gap or a repetition", async () => {
    const { session } = await started({ interceptors: [async () => ({ decision: "allow" })] });
    await Promise.all(Array.from({ length: 20 }, (_, at) => session.emit("pre_tool_call", pre({ id: `c${at}` }))));
    expect(new Set(session.records.map(({ sequence }) => sequence)).size).toBe(21);
  });

  test("denies a response that was not received whole", async () => {
    const { session } = await started({});
    const response = { content: "par", tool_calls: [], finish_reason: "stream_incomplete" };
    const { permitted, record } = await session.emit("post_model_call", { model: { id: "m" }, response });
    expect([permitted, record.verdict.reason]).toEqual([false, "host_error:streaming_unsupported"]);
  });

  test("passes labels of permitted data on to later points, and none of what was denied", async () => {
    const seen: unknown[] = [];
    const labels: Interceptor = ({ interception_point, extensions }) => {
      seen.push(extensions);
      if (interception_point === "input") return { decision: "allow", result_labels: ["private"] };
      const isCall = interception_point === "pre_tool_call";
      return isCall ? { decision: "deny", result_labels: ["lost"] } : { decision: "allow" };
    };
    const { session } = await started({ interceptors: [labels] });
    await session.emit("input", { input: { content: "x", role: "user" } });
    await session.emit("pre_tool_call", pre({}));
    await session.emit("output", { output: { content: "y" } });
    const known = { sluice: { source_labels: ["private"] } };
    expect(seen).toEqual([undefined, undefined, known, known]);
  });

  test.each([
    [{ profile: "quorum" }, "not a composition profile"],
    [{ profile: "parallel/unanimous", on_disagreement: "maybe" }, 'on_disagreement is "maybe"'],
  ])("refuses a composition that does not exist: %j", (composition, message) => {
    expect(() => agentHooks({ agent, composition: composition as library.Composition })).toThrow(message);
  });

  test("refuses a provider that takes a reserved name, and denies where its own fails", async () => {
    const provider = (name: string) => ({ name, compute: () => JSON.parse("{") });
    for (const name of ["jcs-own", "Upper", ""])
      expect(() => agentHooks({ agent, identityProvider: provider(name) })).toThrow("identity provider");
    const { session } = await started({ identityProvider: provider("own") });
    expect(session.records[0]).toMatchObject({
      verdict: { reason: "host_error:context_invalid" },
      identity_provider: "own",
      interceptors_registered: 1,
    });
  });

  test("keeps messages of records short, between characters", async () => {
    const { session } = await started({
      interceptors: [() => ({ decision: "allow", message: "é".repeat(300) })],
      composition: { profile: "sequential/run_all" },
    });
    const denied = await started({ interceptors: [() => ({ decision: "deny", message: "é".repeat(300) })] });
    expect(session.records).toHaveLength(1);
    const { message = "" } = denied.session.records[0]?.verdict ?? {};
    expect([Buffer.byteLength(message) <= 256, message.endsWith("é…")]).toEqual([true, true]);
  });
});

describe("hooks of Sluice as an interceptor", () => {
  /** A project with rules, decided as calls of every other agent are. */
  function project(rules: string, onAsk?: () => boolean) {
    mkdirSync(join(root, ".sluice"));
    const lines = rules.split("\n").map((line) => `      ${line}`);
    const hook = ["hooks:", "  - name: rules", '    event: "*"', "    rules: |", ...lines];
    writeFileSync(join(root, ".sluice/hooks.yaml"), `${hook.join("\n")}\n`);
    const manager = new HooksManager({ root, trust: "all" });
    manager.load();
    const session = { sessionId: "s1" };
    return hooksFrom({ manager, session, ...(onAsk === undefined ? {} : { onAsk }) });
  }
  const call = (command: string) => ({ id: "c1", name: "bash", args: { command } });

  async function run(hooks: library.Hooks, command: string, options: Partial<library.AgentHooksOptions> = {}) {
    const { host, session } = await started({ hooks, interceptors: [], ...options });
    const ran: string[] = [];
    const execute = (args: Record<string, unknown>) => {
      ran.push(String(args.command));
      return `ran ${args.command}`;
    };
    return { ran, ...(await host.call(session, call(command), execute)), records: session.records };
  }

  test("a denial blocks the call, with the hook's reason for the model", async () => {
    const hooks = project('args.command contains "drop" -> deny("not this table")');
    const { ran, text, records } = await run(hooks, "drop it");
    expect([ran, text]).toEqual([[], "Blocked: sluice:DESTRUCTIVE_BLOCKED: not this table"]);
    expect(records.at(-1)).toMatchObject({ decided_by: 0, verdicts: [{ name: "sluice" }] });
    expect((await run(hooks, "ls")).text).toBe("ran ls");
  });

  test("a changed input is a transform of the arguments", async () => {
    const { ran, records } = await run(
      project('args.command equals "npm ci" -> modify(command, "npm ci --x")'),
      "npm ci",
    );
    expect(ran).toEqual(["npm ci --x"]);
    expect(records[1]?.verdict).toMatchObject({ decision: "transform", transform: { path: "$target" } });
  });

  test("a question is a denial that an approval lifts: of the resolver, or of `onAsk`", async () => {
    const rules = 'args.command contains "deploy" -> ask("deploy?")';
    const hooks = project(rules);
    expect((await run(hooks, "deploy")).ran).toEqual([]);
    const resolver: library.ApprovalResolver = ({ context_identity }) => ({
      outcome: "approve",
      context_identity,
      verdict: { decision: "allow" },
    });
    const approved = await run(hooks, "deploy", { resolver });
    expect([approved.ran, approved.records[1]?.resolved_by]).toEqual([["deploy"], "approval"]);
    rmSync(join(root, ".sluice"), { recursive: true });
    expect(
      (
        await run(
          project(rules, () => true),
          "deploy",
        )
      ).ran,
    ).toEqual(["deploy"]);
  });

  test("an objection after the fact keeps the result from the model", async () => {
    const { ran, text, isError } = await run(project('result contains "ran" -> deny("do not use it")'), "ls");
    expect([ran, isError]).toEqual([["ls"], true]);
    expect(text).toContain("do not use it");
  });

  test("a denied prompt ends the turn, and a request to the model can be changed", async () => {
    const respond = vi.fn(() => ({ content: "ok", tool_calls: [], finish_reason: "stop" }));
    const hooks = project('prompt contains "secret" -> deny("no")');
    const host = agentHooks({ agent, hooks });
    const parts = { model: { id: "m", respond } };
    expect((await host.run({ content: "a secret", role: "user" }, parts)).outcome).toBe("blocked");
    expect(respond).not.toHaveBeenCalled();
    expect(await host.run({ content: "hello", role: "user" }, parts)).toMatchObject({
      outcome: "completed",
      output: "ok",
    });
  });

  test("together with other interceptors, in every profile, the stricter one holds", async () => {
    const hooks = project('args.command contains "drop" -> deny("no")');
    for (const profile of ["sequential/first_deny", "sequential/run_all", "parallel/strictest"] as const) {
      const { ran } = await run(hooks, "drop", { interceptors: [ALLOW], composition: { profile } });
      expect([profile, ran]).toEqual([profile, []]);
    }
  });
});

test("a copy of the vectors in a folder named conformance is found as well", async () => {
  cpSync(VECTORS, join(root, "conformance/vectors"), { recursive: true });
  expect((await runFolder(library, root)).passed.length).toBeGreaterThan(10);
});
