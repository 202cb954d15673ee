import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Decision } from "../decision/decision.ts";
import { HookExecutor } from "../engine/executor.ts";
import { HookEvent } from "../event/event.ts";
import { Hook, type Layer } from "../hook/hook.ts";
import { HookRegistry } from "../registry/registry.ts";
import { inputHash, whyNotLifted } from "./asked-call.ts";
import { callHash } from "./call-hash.ts";
import { answerRequests, DENIAL_MS, grantOnce, revoke, settleInAgent } from "./requests.ts";
import { readApprovals } from "./store.ts";
import { underApprovals } from "./under-approvals.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "sluice-approvals-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, root: join(home, "project"), env: { HOME: home } };
}

type Place = ReturnType<typeof place>;

const CALL = HookEvent.toolPreExecute("Bash", { command: "curl x" }, { sessionId: "s", agent: "a", cwd: "/p" });

function objecting(layer: Layer, action = "deny", event = CALL): Promise<Decision> {
  const rule = { field: "tool", operator: "exists", action, reason: "no" };
  const spec = { name: "rule", event: "*", type: "inline", inline_rules: [rule] };
  const registry = new HookRegistry();
  registry.register(Hook.fromJSON(spec, { layer, place: { file: "hooks.yaml" }, index: 0 }));
  return new HookExecutor({ registry }).decide(event);
}

/** Takes a decision through the stage, as the engine does. */
const through = (decision: Decision, where: Place, more: { policy?: string; canAsk?: boolean } = {}) =>
  underApprovals(decision, { ...where, policy: "p", canAsk: true, ...more });

function once(where: Place, at?: number, policy?: string): void {
  const denied = { call: callHash(CALL), id: "abc123", label: "curl", policy };
  expect(grantOnce(denied, { by: "ann", channel: "a terminal" }, where, at)).toBe(true);
}

const line = (command: string) =>
  HookEvent.toolPreExecute("Bash", { command }, { sessionId: "s", agent: "a", cwd: "/p" });
const ask = (command: string, where: Place, more = {}) =>
  objecting("user", "ask", line(command)).then((decision) => through(decision, where, more));
const ONCE = { answer: "allow", on: "input", forMs: 60_000, times: 1 } as const;
const ANN = { by: "ann", channel: "a terminal" };

it.each([
  ["user", "deny", "continue"],
  ["project", "deny", "continue"],
  ["user", "ask", "continue"],
  ["managed", "deny", "deny"],
  ["managed", "ask", "continue"],
] as const)("a call that is allowed once, where a hook of the %s layer says %s: %s", async (layer, action, becomes) => {
  const where = place();
  once(where);
  const decision = await through(await objecting(layer, action), where);
  expect(decision.action).toBe(becomes);
  expect(decision.toHookDecision().allow).toBe(becomes === "continue");
});

it.each([
  ["just before its end", 1000 - DENIAL_MS, "continue"],
  ["at its end", -DENIAL_MS, "deny"],
  ["before it was given, where the clock was turned back", 60_000, "deny"],
])("%s, an approval of one call gives: %s", async (_, age, becomes) => {
  const where = place();
  once(where, Date.now() + age);
  expect((await through(await objecting("user"), where)).action).toBe(becomes);
});

it("the first call uses an approval of one call, which has no reasons against it and is not approved for the agent", async () => {
  const where = place();
  once(where);
  const denied = { ...(await objecting("user")), contexts: ["noted"], approved: true };
  expect(await through(denied, where)).toMatchObject({ action: "continue", reasons: [], approved: false });
  once(where);
  expect((await through(denied, where)).contexts).toEqual([
    "noted",
    "The user allowed this call once (sluice allow-once abc123).",
  ]);
  expect((await through(denied, where)).action).toBe("deny");
});

it("an approval ends with the policy under which it was given", async () => {
  const where = place();
  once(where, undefined, "before");
  expect((await through(await objecting("user"), where)).action).toBe("deny");
});

it("a question becomes a request; its answer lets exactly that call pass, as often as it states", async () => {
  const where = place();
  const asked = await ask("curl x", where);
  const id = asked.request?.id ?? "";
  expect(asked.action).toBe("ask");
  expect((await ask("curl x", where)).request?.id).toBe(id);
  expect(readApprovals(where).requests).toMatchObject([{ id, text: "curl x", reasons: ["no"], agent: "a" }]);
  answerRequests([id], { ...ONCE, times: 2 }, ANN, where);
  expect((await ask("curl y", where)).action).toBe("ask");
  expect((await ask("curl x", where, { policy: "another" })).action).toBe("ask");
  for (const action of ["continue", "continue", "ask"]) expect((await ask("curl x", where)).action).toBe(action);
});

it("an approval for a shape is for other arguments too, and not for other programs, places or parts that are unknown", async () => {
  const where = place();
  const { request } = await ask("mkdir a", where);
  answerRequests([request?.id ?? ""], { ...ONCE, on: "shape", times: 50 }, ANN, where);
  const said = async (command: string) => (await ask(command, where)).action;
  expect([await said("mkdir b"), await said("mkdir c")]).toEqual(["continue", "continue"]);
  for (const other of ["mkdir -p b", "mkdir /etc/x", "rmdir b", "mkdir b; rm c", "mkdir $(cat x)", "sh -c 'mkdir b'"])
    expect([other, await said(other)]).toEqual([other, "ask"]);
});

it.each(["python3 -c 'print(1)'", "eval $X", "sudo ls", "./unknown-program"])(
  "calls of the shape of %s could do anything, so that only the call itself can be approved",
  async (command) => {
    const where = place();
    const { request } = await ask(command, where);
    expect(readApprovals(where).requests).toMatchObject([{ id: request?.id, text: command }]);
    expect(readApprovals(where).requests[0]?.shapeKey).toBe(undefined);
  },
);

it("a denial is repeated with the person's reason", async () => {
  const where = place();
  const { request } = await ask("curl x", where);
  answerRequests([request?.id ?? ""], { answer: "deny", reason: "use the mirror" }, ANN, where);
  const denied = await ask("curl x", where);
  expect(denied.action).toBe("deny");
  expect(denied.reasons).toEqual([`ann denied this call: use the mirror (sluice deny ${request?.id})`]);
  revoke("all", where);
  expect((await ask("curl x", where)).action).toBe("ask");
});

it("a call that ran was answered in the agent: neither its request nor an approval from elsewhere outlives it", async () => {
  const where = place();
  const ran = HookEvent.toolPostExecute("Bash", { command: "curl x" }, "", { sessionId: "s", agent: "a", cwd: "/p" });
  await ask("curl x", where);
  settleInAgent(ran, where);
  expect(readApprovals(where).requests).toEqual([]);
  const { request } = await ask("curl x", where);
  answerRequests([request?.id ?? ""], ONCE, ANN, where);
  settleInAgent(ran, where);
  expect((await ask("curl x", where)).action).toBe("ask");
});

it.each([
  ["another session", { sessionId: "other" }, { command: "curl x" }],
  ["another agent", { agent: "other" }, { command: "curl x" }],
  ["another folder", { cwd: "/q" }, { command: "curl x" }],
  ["another command", {}, { command: "curl x " }],
])("%s is another call", (_, init, args) => {
  const other = HookEvent.toolPreExecute("Bash", args, { sessionId: "s", agent: "a", cwd: "/p", ...init });
  expect(callHash(other)).not.toBe(callHash(CALL));
});

it("an approval is bound to what hooks made of the input", async () => {
  const asked = await objecting("user", "ask");
  const changed = { ...asked, input: { command: "curl y" } };
  expect(new Set([asked, changed, { ...asked, input: { command: "curl z" } }].map((one) => inputHash(one))).size).toBe(
    3,
  );
});

it("an approval is for a tool call, not for another event about it", async () => {
  const where = place();
  once(where);
  const event = new HookEvent({ ...CALL, type: "permission:check" });
  expect((await through({ ...(await objecting("user")), event }, where)).action).toBe("deny");
});

it.each([
  ["no hook denies, as where a call was aborted", [], "deny"],
  ["the administrator's hook denies too", ["user deny", "managed deny"], "deny"],
  ["the administrator's hook only passes", ["user deny", "managed continue"], "continue"],
  ["another hook of the user denies too", ["user deny", "project deny"], "continue"],
])("if %s, a call that is allowed once: %s", async (_, said, becomes) => {
  const where = place();
  once(where);
  const denied = await objecting("user");
  const results = await Promise.all(
    said.map(async (one) => {
      const [layer = "", action = ""] = one.split(" ");
      return { ...(await objecting(layer as Layer)).results[0]!, action: action as "deny" };
    }),
  );
  expect((await through({ ...denied, results }, where)).action).toBe(becomes);
});

it.each([
  ["self-protection", "managed", undefined, "ask", "Sluice's own protection has no approvals"],
  ["rule", "managed", undefined, "deny", "it comes from the administrator"],
  ["rule", "managed", undefined, "ask", undefined],
  ["rule", "user", "INTENT_REQUIRED", "deny", "it is about an intent; change the intent"],
  ["rule", "project", "SCOPE_VIOLATION", "deny", "it is about an intent; change the intent"],
  ["rule", "user", "DESTRUCTIVE_BLOCKED", "deny", undefined],
] as const)(
  "what %s of the %s layer says with the code %s (%s) is lifted by nobody: %s",
  (name, layer, code, action, why) => {
    expect(whyNotLifted({ hook: { name, layer }, code }, action)).toBe(why);
  },
);

it("the description of a command is not part of it; for other tools it is", () => {
  const hash = (tool: string, args: unknown) => callHash(HookEvent.toolPreExecute(tool, args as object, { cwd: "/p" }));
  expect(hash("Bash", { command: "ls", description: "a" })).toBe(hash("Bash", { command: "ls", description: "b" }));
  expect(hash("Bash", { command: "ls", description: "a" })).not.toBe(
    hash("Bash", { command: "pwd", description: "a" }),
  );
  expect(hash("Write", { path: "x", description: "a" })).not.toBe(hash("Write", { path: "x", description: "b" }));
  const inputs = ["ls", { 0: "l", 1: "s" }, "pwd", null, {}, []];
  expect(new Set(inputs.map((input) => hash("Bash", input))).size).toBe(inputs.length - 1);
});

it("missing fields of a call are empty", () => {
  const bare = new HookEvent({ type: "tool:pre_execute", data: { tool_args: {} } });
  const empty = new HookEvent({
    type: "tool:pre_execute",
    data: { tool_args: {}, tool_name: "" },
    sessionId: "",
    agent: "",
    cwd: "",
  });
  expect(callHash(bare)).toBe(callHash(empty));
});
