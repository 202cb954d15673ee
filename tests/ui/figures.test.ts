import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HookSwitch } from "../../src/ui-server/route.ts";
import type { Figures, RuleRow } from "../../src/ui-server/wire.ts";
import { pagesServer, previewAllow, recordOf } from "./pages-server.ts";

const SAID = { layer: "user", kind: "inline", fingerprint: "x", exit_code: null };
const POLICY = `guards: standard
hooks:
  - name: fires
    event: tool:pre_execute
    rules: |
      args.command contains "rm" -> deny("no")
  - name: silent
    mode: monitor
    event: tool:pre_execute
    rules: |
      args.command contains "zz" -> deny("no")
  - name: off
    enabled: false
    event: tool:pre_execute
    command: "true"
  - name: breaks
    event: tool:pre_execute
    command: "true"
`;

function call(parts: object): object {
  return recordOf({
    action: "deny",
    duration_ms: 10,
    results: [
      { ...SAID, hook: "fires", action: "deny", duration_ms: 3 },
      { ...SAID, hook: "breaks", action: "continue", failure: "timeout", duration_ms: 1 },
    ],
    quiet: { "guard:git": 0.5 },
    ...parts,
  });
}

test("every hook is listed with what it did, and what is wrong with it", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  mkdirSync(join(server.folder, "config/sluice"), { recursive: true });
  writeFileSync(join(server.folder, "config/sluice/hooks.yaml"), POLICY);
  server.write(call({}), call({}), recordOf());
  const response = await fetch(`http://127.0.0.1:${server.port}/api/rules?days=7`, { headers: own });
  const { rules } = (await response.json()) as { rules: RuleRow[] };
  const named = (name: string) => rules.find(({ hook }) => hook === name);
  expect(named("fires")).toMatchObject({
    fired: 2,
    denied: 2,
    ran: 2,
    p50: 3,
    mode: "enforce",
    enabled: true,
    isWritable: true,
    line: 3,
  });
  expect(named("fires")?.rules).toEqual([
    { text: 'args.command contains "rm" -> deny("no")', fired: named("fires")?.fired, last: named("fires")?.lastFired },
  ]);
  expect(named("fires")?.share).toBeCloseTo(6 / 9);
  expect(named("fires")?.lastFired).toBeGreaterThan(0);
  expect(named("silent")).toMatchObject({ fired: 0, ran: 0, mode: "monitor" });
  expect(named("silent")?.lastFired).toBeUndefined();
  expect(named("off")).toMatchObject({ enabled: false, off: "switched off" });
  expect(named("breaks")).toMatchObject({ broke: 2, letPass: 2 });
  expect(named("guard:git")).toMatchObject({ ran: 2, isWritable: false });
});

test("each rule of a hook has its own count, where records tell which one it was", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  mkdirSync(join(server.folder, "config/sluice"), { recursive: true });
  const rule = (word: string, reason: string) => `      args.command contains "${word}" -> deny("${reason}")\n`;
  const hook = (name: string, ...lines: string[]) =>
    `  - name: ${name}\n    event: tool:pre_execute:@shell\n    rules: |\n${lines.join("")}`;
  writeFileSync(
    join(server.folder, "config/sluice/hooks.yaml"),
    `guards: standard\nhooks:\n${hook("several", rule("a", "one"), rule("b", "two"), rule("c", "three"))}${hook("alike", rule("d", "same"), rule("e", "same"))}`,
  );
  const said = (name: string, parts: object) =>
    call({ quiet: {}, results: [{ ...SAID, hook: name, action: "deny", duration_ms: 1, ...parts }] });
  server.write(
    said("several", { reason: "one" }),
    said("several", { reason: "one" }),
    said("several", { reason: "two" }),
    said("alike", { reason: "same" }),
    said("guard:git", { rule: "git-force-push", reason: "filled in" }),
  );
  const response = await fetch(`http://127.0.0.1:${server.port}/api/rules?days=7`, { headers: own });
  const { rules } = (await response.json()) as { rules: RuleRow[] };
  const counts = (name: string) => rules.find((one) => one.hook === name)?.rules.map(({ fired }) => fired);
  expect(counts("several")).toEqual([2, 1, 0]);
  expect(counts("alike")).toEqual([undefined, undefined]);
  const git = rules.find((one) => one.hook === "guard:git")?.rules ?? [];
  expect(git.find(({ text }) => text.includes('"git-force-push"'))).toMatchObject({ fired: 1 });
  expect(git.filter(({ fired }) => fired === 0)).toHaveLength(git.length - 1);
});

test("a rule or a hook that changes nothing says what it stands behind", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  mkdirSync(join(server.folder, "config/sluice"), { recursive: true });
  writeFileSync(
    join(server.folder, "config/sluice/hooks.yaml"),
    `guards: off
hooks:
  - name: wide
    event: tool:pre_execute
    rules: |
      args.command contains "push" -> deny("no")
      args.command contains "push --force" -> ask("sure?")
  - name: narrow
    event: tool:pre_execute:@shell
    rules: |
      args.command starts_with "git push" -> ask("sure?")
  - name: own
    event: tool:pre_execute
    rules: |
      args.command contains "pull" -> ask("sure?")
  - name: script
    event: tool:pre_execute
    command: "true"
`,
  );
  const results = [
    { ...SAID, hook: "script", action: "ask", duration_ms: 1 },
    { ...SAID, hook: "wide", action: "deny", duration_ms: 1 },
  ];
  server.write(recordOf({ action: "deny", results }), recordOf({ action: "deny", results }));
  const response = await fetch(`http://127.0.0.1:${server.port}/api/rules?days=7`, { headers: own });
  const { rules } = (await response.json()) as { rules: RuleRow[] };
  const shadowed = (name: string) => rules.find(({ hook }) => hook === name)?.shadowed;
  expect(shadowed("wide")).toEqual([expect.stringMatching(/^never reached: .*push --force.* is after/)]);
  expect(shadowed("narrow")).toEqual([expect.stringMatching(/^shadowed: wide \(.*hooks\.yaml:3/)]);
  expect(shadowed("own")).toEqual([]);
  expect(shadowed("script")).toEqual(["shadowed: wide denied every call that it asked about"]);
});

test("a hook is switched by the terminal's word alone", async () => {
  const asked: HookSwitch[] = [];
  const refuses = async () => ({ done: false, told: [] });
  const switchHook = async (change: HookSwitch) => {
    asked.push(change);
    return { done: true, told: ["off"] };
  };
  const server = await pagesServer({
    acts: {
      confirm: async () => false,
      allow: refuses,
      allowOnce: refuses,
      switchHook,
      savePolicy: refuses,
      previewAllow,
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...(await server.logIn()), origin, "content-type": "application/json" };
  const send = (body: object) =>
    fetch(`${origin}/api/rules/switch`, { method: "POST", body: JSON.stringify(body), headers });
  expect(await (await send({ hook: "fires", to: "off", layer: "user" })).json()).toEqual({ done: true, told: ["off"] });
  for (const body of [{}, { hook: "--yes", to: "off" }, { hook: "fires", to: "gone" }])
    expect((await send(body)).status).toBe(400);
  expect(asked).toEqual([{ hook: "fires", to: "off", layer: "user" }]);
});

test("figures add calls up by day, agent, project, hook and shape", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(
    call({ agent: "a", root: "/p" }),
    call({ agent: "a", duration_ms: 30 }),
    recordOf({ agent: "b" }),
    recordOf({ action: "ask", kept: { id: "k", files: 2, bytes: 4096 } }),
  );
  const response = await fetch(`http://127.0.0.1:${server.port}/api/figures?days=3`, { headers: own });
  const figures = (await response.json()) as Figures;
  expect(figures).toMatchObject({ calls: 4, denied: 2, asked: 1, modified: 0, kept: 4096, ms: 42, p99: 30 });
  expect(figures.byDay).toHaveLength(3);
  expect(figures.byDay.at(-1)).toMatchObject({ calls: 4, denied: 2 });
  expect(figures.byAgent.map(({ name, calls, denied }) => [name, calls, denied])).toEqual([
    ["a", 2, 2],
    ["json", 1, 0],
    ["b", 1, 0],
  ]);
  expect(figures.byHook.map(({ name, calls }) => [name, calls])).toContainEqual(["fires", 2]);
  expect(figures.byShape).toMatchObject([{ name: "ls", calls: 3, denied: 2, asked: 1 }]);
});
