import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { HookExecutor } from "../../engine/executor.ts";
import { HookEvent } from "../../event/event.ts";
import { Hook, type Layer } from "../../hook/hook.ts";
import { HookRegistry } from "../../registry/registry.ts";
import { callHash } from "./call-hash.ts";
import { whyFirm } from "./firm.ts";
import { givePermit, lifted, PERMIT_MS } from "./permit.ts";
import { writeState } from "./state-file.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "sluice-permit-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, root: join(home, "project"), env: { HOME: home } };
}

const CALL = HookEvent.toolPreExecute("Bash", { command: "curl x" }, { sessionId: "s", agent: "a", cwd: "/p" });

async function denial(layer: Layer, action = "deny") {
  const rule = { field: "args.command", operator: "contains", value: "curl", action, reason: "no" };
  const spec = { name: "rule", event: "*", type: "inline", inline_rules: [rule] };
  const registry = new HookRegistry();
  registry.register(Hook.fromJSON(spec, { layer, place: { file: "hooks.yaml" }, index: 0 }));
  return new HookExecutor({ registry }).decide(CALL);
}

it.each([
  ["user", "deny", 0, "continue"],
  ["project", "deny", 0, "continue"],
  ["user", "ask", 0, "continue"],
  ["managed", "deny", 0, "deny"],
  ["managed", "ask", 0, "ask"],
  ["user", "deny", PERMIT_MS - 1, "continue"],
  ["user", "deny", PERMIT_MS, "deny"],
  ["user", "deny", -1, "deny"],
] as const)(
  "what a hook of the %s layer says (%s), %d ms after the permit: %s",
  async (layer, action, age, becomes) => {
    const where = place();
    givePermit(callHash(CALL), "abc123", where, 1_000_000);
    const decision = lifted(await denial(layer, action), where, 1_000_000 + age);
    expect(decision.action).toBe(becomes);
    expect(decision.toHookDecision().allow).toBe(becomes === "continue");
  },
);

it("a permit is used up by the first call", async () => {
  const where = place();
  givePermit(callHash(CALL), "abc123", where);
  expect(lifted(await denial("user"), where).contexts).toEqual([
    "The user allowed this call once (sluice allow-once abc123).",
  ]);
  expect(lifted(await denial("user"), where).action).toBe("deny");
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

it("a call that is allowed once has no reasons against it, and is not approved beyond", async () => {
  const where = place();
  givePermit(callHash(CALL), "abc123", where);
  const decision = lifted({ ...(await denial("user")), contexts: ["noted"], approved: true }, where);
  expect(decision).toMatchObject({ action: "continue", reasons: [], approved: false });
  expect(decision.contexts).toEqual(["noted", "The user allowed this call once (sluice allow-once abc123)."]);
});

it("a call that passes anyway does not use the permit up", async () => {
  const where = place();
  givePermit(callHash(CALL), "abc123", where);
  const denied = await denial("user");
  for (const action of ["continue", "modify"] as const)
    expect(lifted({ ...denied, action, results: [] }, where).action).toBe(action);
  const results = denied.results.map((result) => ({ ...result, action: "modify" as const }));
  expect(lifted({ ...denied, action: "modify", results }, where).action).toBe("modify");
  expect(lifted(denied, where).action).toBe("continue");
});

it("a permit is for a call of a tool, not for another event about it", async () => {
  const where = place();
  const event = new HookEvent({ ...CALL, type: "permission:check" });
  givePermit(callHash(event), "abc123", where);
  expect(lifted({ ...(await denial("user")), event }, where).action).toBe("deny");
});

it.each([
  ["no hook denies, as where a call was aborted", [], "deny"],
  ["the administrator's hook denies too", ["user deny", "managed deny"], "deny"],
  ["the administrator's hook only passes", ["user deny", "managed continue"], "continue"],
  ["another hook of the user denies too", ["user deny", "project deny"], "continue"],
])("where %s", async (_, said, becomes) => {
  const where = place();
  givePermit(callHash(CALL), "abc123", where);
  const denied = await denial("user");
  const results = await Promise.all(
    said.map(async (one) => {
      const [layer = "", action = ""] = one.split(" ");
      return { ...(await denial(layer as Layer)).results[0]!, action: action as "deny" };
    }),
  );
  expect(lifted({ ...denied, results }, where).action).toBe(becomes);
});

it.each([null, 5, {}, { id: "abc" }, { at: 1000 }, { id: 1, at: 1000 }, { id: "abc", at: "1000" }])(
  "a permit that says %j is none",
  async (content) => {
    const where = place();
    writeState(`permit-${callHash(CALL)}.json`, content as never, where);
    expect(lifted(await denial("user"), where, 1000).action).toBe("deny");
  },
);

it.each([
  ["managed", undefined, "it comes from the administrator or from Sluice's own protection"],
  ["user", "INTENT_REQUIRED", "it is about an intent; change the intent"],
  ["project", "SCOPE_VIOLATION", "it is about an intent; change the intent"],
  ["user", "DESTRUCTIVE_BLOCKED", undefined],
  ["local", undefined, undefined],
] as const)("an objection of the %s layer with the code %s is firm: %s", (layer, code, why) => {
  expect(whyFirm(layer, code)).toBe(why);
});

it("how a command is described is no part of it; elsewhere a description is", () => {
  const hash = (tool: string, args: unknown) => callHash(HookEvent.toolPreExecute(tool, args as object, { cwd: "/p" }));
  expect(hash("Bash", { command: "ls", description: "a" })).toBe(hash("Bash", { command: "ls", description: "b" }));
  expect(hash("Bash", { command: "ls", description: "a" })).not.toBe(
    hash("Bash", { command: "pwd", description: "a" }),
  );
  expect(hash("Write", { path: "x", description: "a" })).not.toBe(hash("Write", { path: "x", description: "b" }));
  const inputs = ["ls", { 0: "l", 1: "s" }, "pwd", null, {}, []];
  expect(new Set(inputs.map((input) => hash("Bash", input))).size).toBe(inputs.length - 1);
});

it("what a call leaves out is empty", () => {
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
