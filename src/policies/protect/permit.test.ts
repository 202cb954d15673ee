import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { HookExecutor } from "../../engine/executor.ts";
import { HookEvent } from "../../event/event.ts";
import { Hook, type Layer } from "../../hook/hook.ts";
import { HookRegistry } from "../../registry/registry.ts";
import { callHash } from "./call-hash.ts";
import { givePermit, lifted, PERMIT_MS } from "./permit.ts";

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
