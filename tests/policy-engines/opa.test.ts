import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDenyOnly } from "../../src/config/deny-only.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { HookRegistry } from "../../src/registry/registry.ts";

/** A server that speaks OPA's data API: what it was asked, and what it answers. */
const opa = {
  path: "",
  body: {} as Record<string, unknown>,
  answer: (): [status: number, text: string] => [200, "{}"],
};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    opa.path = request.url ?? "";
    opa.body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const [status, text] = opa.answer();
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function decide(path: string, more: object = {}) {
  const registry = new HookRegistry();
  const data = { name: "opa", event: "tool:pre_execute", opa: { url, path }, ...more };
  registry.register(Hook.fromJSON(data, undefined, { isChecked: true }));
  const event = new HookEvent({
    type: "tool:pre_execute",
    toolName: "bash",
    data: { tool_args: { command: "git push --force origin main" }, secret_of_the_agent: 1 },
    cwd: "/srv/app",
    agent: "coder",
  });
  return new HookExecutor({ registry }).decide(event);
}

const answering = (result: unknown) => {
  opa.answer = () => [200, JSON.stringify({ decision_id: "d-1", ...(result !== undefined && { result }) })];
};

describe("a hook that asks an Open Policy Agent", () => {
  it.each([
    [true, "continue", undefined],
    [false, "deny", "The policy does not allow it."],
    [[], "continue", undefined],
    [["No force pushes."], "deny", "No force pushes."],
    [[{ msg: "No force pushes." }, "Ask first."], "deny", "No force pushes.\nAsk first."],
    [{ deny: [] }, "continue", undefined],
    [{ deny: ["No."] }, "deny", "No."],
    [{ allow: false, reason: "Not in this repository." }, "deny", "Not in this repository."],
    [{ allow: true, deny: ["No."] }, "deny", "No."],
    [{ ask: ["Really?"] }, "ask", "Really?"],
  ])("reads the result %j as %s", async (result, action, reason) => {
    answering(result);
    const decision = await decide("sluice/deny");
    expect(decision.action).toBe(action);
    if (reason !== undefined) expect(decision.reasons[0]).toBe(reason);
    expect(decision.results[0]?.notes).toEqual(["OPA decision d-1"]);
    expect(decision.results[0]?.failure).toBeUndefined();
  });

  it("posts the canonical event and its effects, and nothing of the agent's own payload", async () => {
    answering(true);
    await decide("data.sluice.allow");
    expect(opa.path).toBe("/v1/data/sluice/allow");
    expect(opa.body.input).toMatchObject({
      agent: "coder",
      event: "tool:pre_execute",
      tool: "bash",
      command: "git push --force origin main",
      programs: ["git"],
      effects: expect.arrayContaining(["run", "history-rewrite"]),
      read_only: false,
    });
    expect(JSON.stringify(opa.body)).not.toContain("secret_of_the_agent");
  });

  it.each([
    ["no rule there", () => [200, '{"decision_id":"d-1"}']],
    ["a number", () => [200, '{"result":7}']],
    ["an object without a verdict", () => [200, '{"result":{"denied":true}}']],
    ["messages that are no texts", () => [200, '{"result":{"deny":[7]}}']],
    ["no JSON", () => [200, "<html>"]],
    ["an error", () => [500, '{"code":"internal_error"}']],
  ] as const)("counts %s as a failure, judged as every failure is", async (_, answer) => {
    opa.answer = answer as unknown as typeof opa.answer;
    const denied = await decide("sluice/deny");
    expect(denied.action).toBe("deny");
    expect(denied.results[0]?.failure).toBeDefined();
    expect((await decide("sluice/deny", { on_error: "continue" })).action).toBe("continue");
  });

  it("counts a server that is away or slow as a failure, too", async () => {
    opa.answer = () => [200, "{}"];
    const away = await decide("sluice/deny", { opa: { url: "http://127.0.0.1:9", path: "x" } });
    expect(away.action).toBe("deny");
    expect((await decide("sluice/deny", { opa: { url: "gopher://x", path: "x" } })).action).toBe("deny");
  });

  it("needs an approval in a project, as everything that runs", () => {
    expect(isDenyOnly(Hook.fromJSON({ event: "*", opa: { url, path: "sluice/deny" } }))).toBe(false);
  });
});
