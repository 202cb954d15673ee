import { describe, expect, test } from "vitest";
import { HookEvent, HookExecutor, HookRegistry } from "../../src/index.ts";
import { judged } from "./judged.ts";

describe("a link made by the same line hides nothing from the guards", () => {
  test.each([
    ["echo x > /etc/passwd", "deny"],
    ["ln -s /etc e && echo x > e/passwd", "deny"],
    ["ln -s /etc e; cd e; echo x > passwd", "deny"],
    ["ln -s /etc/passwd p && tee p < x", "deny"],
    ["ln -s / r && rm -rf r/usr", "deny"],
    ["ln -s ~/.ssh k && cat k/id_rsa", "deny"],
    ["ln -s /etc e && mv e f && echo x > f/passwd", "deny"],
    ["ln -s /etc a && ln -s a b && echo x > b/passwd", "deny"],
    ["ln -s ../shared/config.ts src/config.ts", "continue"],
    ["ln -sf /usr/bin/python3 venv/bin/python", "continue"],
    ["ln -sf /usr/bin/python3 venv/bin/python && venv/bin/python -V && echo ok > venv/ok", "continue"],
    ["ln -sfn releases/42 current && touch current/restart.txt", "continue"],
    ["rm -f latest && ln -s build/42 latest && cat latest/log.txt", "continue"],
    ["ln -s ../../hooks/pre-commit scripts/hook && chmod +x scripts/hook", "continue"],
    ["cp -al node_modules /tmp/copy && rm -rf /tmp/copy", "continue"],
    ["npm link", "continue"],
    ["npm link ../shared && npm test", "continue"],
  ])("%s: %s", async (command, action) => {
    expect((await judged("standard", command)).action).toBe(action);
  });
});

describe("nor from a rule", () => {
  test.each([
    ["ln -s secret l && echo x > l/a", "deny"],
    ["cp -al secret l && echo x > l/a", "deny"],
    ["ln -s $PWD/secret src/l && echo x > src/l/a", "deny"],
    ["ln -s public l && echo x > l/a", "continue"],
    ["ln -s secret l && cat l/a", "continue"],
  ])("%s: %s", async (command, action) => {
    const registry = new HookRegistry();
    const rule = { field: "args.command", operator: "writes", value: "secret/**", action: "deny" } as const;
    registry.loadHooks([{ name: "keep", event: "tool:pre_execute", inline_rules: [rule] }]);
    const event = HookEvent.toolPreExecute("bash", { command }, { cwd: "/home/ada/project" });
    expect((await new HookExecutor({ registry }).decide(event)).action).toBe(action);
  });
});

test("a link among too many to follow is not hidden by them", async () => {
  const many = Array.from({ length: 130 }, (_, at) => `ln -s a${at} b${at}`).join("; ");
  expect((await judged("standard", `${many}; ln -s /etc e; echo x > e/passwd`)).action).toBe("deny");
});
