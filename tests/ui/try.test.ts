import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import type { TryResult, WireError } from "../../src/ui-server/wire.ts";
import type { PolicyFile } from "../../src/ui-server/wire-policy.ts";
import { type PagesServer, pagesServer } from "./pages-server.ts";

const POLICY = `guards: standard
hooks:
  - name: no-force
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "--force" -> deny("use --force-with-lease")
  - name: asks
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "deploy" -> ask("sure?")
  - name: writes-only
    event: tool:pre_execute:@write
    rules: |
      path glob "*.lock" -> deny("generated")
  - name: off
    enabled: false
    event: tool:pre_execute
    rules: |
      tool equals "x" -> deny("no")
  - name: runs
    event: tool:pre_execute:@shell
    command: touch ran
`;

async function tried(server: PagesServer, body: object): Promise<TryResult & Partial<WireError>> {
  const own = await server.logIn();
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...own, origin, "content-type": "application/json" };
  return (await (
    await fetch(`${origin}/api/try`, { method: "POST", body: JSON.stringify(body), headers })
  ).json()) as TryResult;
}

async function withPolicy(): Promise<PagesServer> {
  const server = await pagesServer();
  mkdirSync(join(server.folder, "config/sluice"), { recursive: true });
  writeFileSync(join(server.folder, "config/sluice/hooks.yaml"), POLICY);
  return server;
}

test("a command line is decided by rules alone, and what would run is only named", async () => {
  const server = await withPolicy();
  const found = await tried(server, { text: "git push --force | deploy" });
  expect(found).toMatchObject({ read: { as: "command" }, event: "tool:pre_execute", action: "deny" });
  expect(found.reasons).toContain("use --force-with-lease");
  const hook = (name: string) => found.matched.find((one) => one.hook === name);
  expect(hook("no-force")?.rules?.[0]).toMatchObject({ matched: true, decides: true, condition: { held: true } });
  expect(hook("asks")?.rules?.[0]?.condition.values?.[0]?.text).toContain("git push --force");
  expect(hook("runs")).toMatchObject({ wouldRun: true });
  expect(existsSync(join(server.folder, "project/ran"))).toBe(false);
  expect(found.near.map(({ hook: name, why }) => [name, why])).toEqual([
    ["writes-only", "it listens to other tools than bash"],
    ["off", "it is switched off"],
  ]);
  expect(found.act?.commands).toEqual(["git push --force", "deploy"]);
});

test("every agent has its own answer, and a question becomes a denial where an agent cannot ask", async () => {
  const { answers } = await tried(await withPolicy(), { text: "deploy now" });
  expect(answers.map(({ agent }) => agent).sort()).toEqual(ADAPTERS.map(({ id }) => id).sort());
  const cannotAsk = answers.filter(({ notes }) => notes.some((note) => note.startsWith("ask became deny")));
  expect(cannotAsk.length).toBeGreaterThan(2);
  for (const { action } of cannotAsk) expect(action).toBe("deny");
  expect(answers.find(({ agent }) => agent === ["claude", "code"].join("-"))).toMatchObject({
    action: "ask",
    exitCode: 0,
  });
});

test("a tool call and the payload of an agent are recognised", async () => {
  const server = await withPolicy();
  expect(await tried(server, { text: '{"tool":"Write","args":{"file_path":"a.lock","content":""}}' })).toMatchObject({
    read: { as: "tool call" },
    action: "deny",
    reasons: ["generated"],
  });
  const payload = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: "/", prompt: "hello" };
  expect(await tried(server, { text: JSON.stringify(payload) })).toMatchObject({
    read: { as: "payload", hookEvent: "UserPromptSubmit" },
    event: "user:prompt_submit",
    action: "continue",
  });
});

test("what cannot be read says what is wrong and what to write", async () => {
  const server = await withPolicy();
  for (const [text, said] of [
    ["", "nothing to try"],
    ["{oops", "is not valid"],
    ['{"a":1}', "cannot be read"],
  ] as const) {
    const { error, fix } = await tried(server, { text });
    expect(error).toContain(said);
    expect(fix).toBeTruthy();
  }
});

test("a policy that is not saved is tried in the place of its file, and the file stays as it is", async () => {
  const server = await withPolicy();
  const own = await server.logIn();
  const files = (await (
    await fetch(`http://127.0.0.1:${server.port}/api/policies`, { headers: own })
  ).json()) as PolicyFile[];
  expect(files.map(({ layer, exists, isWritable }) => [layer, exists, isWritable])).toEqual([
    ["user", true, true],
    ["project", false, true],
  ]);
  const [user, project] = files;
  const drafts = [{ path: user?.path, text: "hooks: []\n" }];
  expect(await tried(server, { text: "git push --force-it", drafts })).toMatchObject({ action: "continue" });
  const strict =
    'hooks:\n  - name: new\n    event: tool:pre_execute\n    rules: |\n      tool equals "bash" -> deny("closed")\n';
  expect(await tried(server, { text: "ls", drafts: [{ path: project?.path, text: strict }] })).toMatchObject({
    action: "deny",
    reasons: ["closed"],
  });
  expect(await tried(server, { text: "ls", drafts: [{ path: project?.path, text: "hooks: [" }] })).toMatchObject({
    problems: [expect.stringContaining("hooks.yaml")],
  });
  expect((await tried(server, { text: "ls" })).action).toBe("continue");
  expect(existsSync(project?.path ?? "")).toBe(false);
});
