import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HOOK_TEMPLATES } from "../../src/templates/index.ts";
import type { ReplayDraft } from "../../src/ui-server/draft-replay.ts";
import type { PolicyChange } from "../../src/ui-server/route.ts";
import type { WireError } from "../../src/ui-server/wire.ts";
import type { PolicyCheck, PolicyFile, ReplaySummary, StarterHook } from "../../src/ui-server/wire-policy.ts";
import { type LoggedIn, type PagesServer, pagesServer, previewAllow, recordOf } from "./pages-server.ts";

const POLICY = `# Mine.
guards: standard   # all of them
hooks:
  # Keeps main as it is.
  - name: no-force
    event: tool:pre_execute:@shell
    rules: |
      args.command contains "--force" -> deny("no")
    examples:
      deny: ["git push --force"]
      allow: ["git push --forced"]
  - name: runs
    event: tool:pre_execute
    command: touch ran   # never here
    examples:
      deny: ["ls"]
`;

async function withPolicy(options: Parameters<typeof pagesServer>[0] = {}) {
  const server = await pagesServer(options);
  const path = join(server.folder, "config/sluice/hooks.yaml");
  mkdirSync(join(server.folder, "config/sluice"), { recursive: true });
  writeFileSync(path, POLICY);
  return { server, path, own: await server.logIn() };
}

async function post<T>(
  server: PagesServer,
  own: LoggedIn,
  to: string,
  body: object,
): Promise<T & Partial<WireError> & { status: number }> {
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { ...own, origin, "content-type": "application/json" };
  const response = await fetch(`${origin}/api/policy/${to}`, { method: "POST", body: JSON.stringify(body), headers });
  return { ...((await response.json()) as T), status: response.status };
}

test("a text is checked with places, and the examples of its rules are tried; nothing is run", async () => {
  const { server, path, own } = await withPolicy();
  const good = await post<PolicyCheck>(server, own, "check", { path, text: POLICY });
  expect(good.problems).toEqual([]);
  expect(good.hooks.map(({ line, data }) => [line, data.name])).toEqual([
    [5, "no-force"],
    [12, "runs"],
  ]);
  expect(good.examples.map(({ hook, status }) => [hook, status])).toEqual([
    ["no-force", "passed"],
    ["no-force", "failed"],
  ]);
  expect(existsSync(join(server.folder, "project/ran"))).toBe(false);
  const bad = await post<PolicyCheck>(server, own, "check", {
    path,
    text: POLICY.replace("tool:pre_execute:@shell", "tool:pre_exec"),
  });
  expect(bad.problems.map(({ line, severity }) => [line, severity])).toContainEqual([6, expect.any(String)]);
  const broken = await post<PolicyCheck>(server, own, "check", { path, text: "hooks: [" });
  expect(broken.problems[0]).toMatchObject({ severity: "error" });
});

test("a form changes the lines that are meant, and no others", async () => {
  const { server, path, own } = await withPolicy();
  const change = async (parts: object) =>
    (await post<{ text: string }>(server, own, "edit", { path, text: POLICY, set: {}, remove: [], ...parts })).text;
  expect(await change({ index: 0, set: { mode: "monitor" } })).toBe(
    POLICY.replace('allow: ["git push --forced"]\n', 'allow: ["git push --forced"]\n    mode: monitor\n'),
  );
  expect(await change({ index: 1, set: { name: "other" } })).toBe(POLICY.replace("name: runs", "name: other"));
  expect(await change({ index: 1, remove: ["examples"] })).toBe(
    POLICY.replace('    examples:\n      deny: ["ls"]\n', ""),
  );
  const added = await change({ set: { name: "new", event: "*", command: "true" } });
  expect(added.startsWith(POLICY)).toBe(true);
  expect(added).toContain("name: new");
});

test("a file is saved by the terminal's word, and never over what came into it meanwhile", async () => {
  const saved: PolicyChange[] = [];
  const refuses = async () => ({ done: false, told: [] });
  const savePolicy = async (change: PolicyChange) => {
    saved.push(change);
    return { done: true, told: [] };
  };
  const { server, path, own } = await withPolicy({
    acts: {
      confirm: async () => false,
      allow: refuses,
      allowOnce: refuses,
      switchHook: refuses,
      savePolicy,
      previewAllow,
    },
  });
  const files = (await (
    await fetch(`http://127.0.0.1:${server.port}/api/policies`, { headers: own })
  ).json()) as PolicyFile[];
  const hash = files.find((file) => file.path === path)?.hash;
  expect(await post(server, own, "save", { path, text: "hooks: []\n", hash })).toMatchObject({ done: true });
  expect(saved).toEqual([{ path, before: POLICY, after: "hooks: []\n" }]);
  writeFileSync(path, "# Somebody else.\n");
  expect(await post(server, own, "save", { path, text: "hooks: []\n", hash })).toMatchObject({
    status: 409,
    file: { text: "# Somebody else.\n" },
  });
  for (const other of ["/etc/passwd", join(server.folder, "x.yaml"), `${path}/../hooks.yaml`, undefined])
    for (const to of ["check", "edit", "save"])
      expect((await post(server, own, to, { path: other, text: "x", hash })).status).toBe(404);
  expect(saved).toHaveLength(1);
  expect(readFileSync(path, "utf8")).toBe("# Somebody else.\n");
});

test("a text that is not saved is judged by the calls of the past: what would open, and about what it cannot be told", async () => {
  const { server, path, own } = await withPolicy();
  const root = join(server.folder, "project");
  const call = (command: string, parts: object = {}) =>
    recordOf({
      root,
      cwd: root,
      event_json: { type: "tool:pre_execute", tool_name: "Bash", cwd: root, data: { tool_args: { command } } },
      ...parts,
    });
  const text = POLICY.replace(/ {2}- name: runs[\s\S]*/, "");
  writeFileSync(path, text);
  server.write(
    call("echo --force one"),
    call("echo --force two"),
    call("ls"),
    call("ls", { root: "/elsewhere", cwd: "/elsewhere" }),
  );
  const old = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
  const day = join(server.journal, `${old.slice(0, 10)}.jsonl`);
  writeFileSync(day, `${JSON.stringify(call("echo --force three", { time: old }))}\n`);
  const lines = await replayed(server, own, { path, text: text.replace("-> deny", "-> ask") });
  for (const { next } of lines) if (next !== undefined) expect(next.part).toBeLessThanOrEqual(1);
  const all = lines.filter(({ next }) => next === undefined);
  const whole = all.at(-1);
  expect(whole).toMatchObject({ state: "done", days: 30, total: 4, judged: 4 });
  expect(whole?.changes.map(({ from, to, count }) => [from, to, count])).toEqual([["deny", "ask", 3]]);
});

test("judging ends when its processor time is spent, and reports it; it continues when the page goes away", async () => {
  const summary: ReplaySummary = { state: "more", days: 1, total: 7, judged: 7, cannotTell: {}, changes: [] };
  const [started, ended]: [number[], number[]] = [[], []];
  const replayDraft: ReplayDraft = async function* ({ limit }, _, signal) {
    started.push(limit);
    yield summary;
    if (limit === 50) return;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    ended.push(limit);
  };
  const { server, path, own } = await withPolicy({ replayDraft, replayLimit: 50 });
  expect((await replayed(server, own, { path, text: POLICY })).at(-1)).toEqual({ ...summary, state: "cut" });
  const patient = await withPolicy({ replayDraft, replayLimit: 60 });
  const ask = (text: string) => {
    const page = new AbortController();
    return replayed(patient.server, patient.own, { path: patient.path, text }, page);
  };
  await expect(ask(POLICY)).rejects.toThrow();
  // The page that comes back finds the work that has gone on; another text ends it.
  await expect(ask(POLICY)).rejects.toThrow();
  expect([started, ended]).toEqual([[50, 60], []]);
  await expect(ask("hooks: []\n")).rejects.toThrow();
  await expect.poll(() => [started, ended]).toEqual([[50, 60, 60], [60]]);
});

test("processor time bounds judging, not the clock; what was judged until then is reported", async () => {
  const { server, path, own } = await withPolicy({ replayLimit: 0 });
  const root = join(server.folder, "project");
  server.write(...Array.from({ length: 600 }, (_, at) => recordOf({ root, cwd: root, id: String(100000 + at) })));
  const last = (await replayed(server, own, { path, text: POLICY })).at(-1);
  expect(last).toMatchObject({ state: "cut", days: 0, judged: 0 });
});

/** Every line of an answer; the page goes away after the first where it has something to go away with. */
async function replayed(
  { port }: PagesServer,
  own: LoggedIn,
  body: object,
  page?: AbortController,
): Promise<ReplaySummary[]> {
  const origin = `http://127.0.0.1:${port}`;
  const headers = { ...own, origin, "content-type": "application/json" };
  const response = await fetch(`${origin}/api/policy/replay`, {
    method: "POST",
    body: JSON.stringify(body),
    headers,
    ...(page && { signal: page.signal }),
  });
  if (page !== undefined) setTimeout(() => page.abort(), 100);
  return (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReplaySummary);
}

test("a new hook begins with a template or with a call that was denied", async () => {
  const server = await pagesServer();
  const own = await server.logIn();
  server.write(
    recordOf({
      id: "00000a",
      action: "deny",
      reasons: ["No deploys."],
      event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command: "npm run deploy" } } },
    }),
    recordOf({ id: "00000b" }),
  );
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/starters`, { headers: own });
  const starters = (await answer.json()) as StarterHook[];
  expect(starters.filter(({ from }) => from === "template").map(({ id }) => id)).toEqual(Object.keys(HOOK_TEMPLATES));
  expect(starters.filter(({ from }) => from === "denial")).toEqual([
    {
      from: "denial",
      id: "00000a",
      title: "deny: npm run deploy",
      hook: {
        name: "never-npm-run-deploy",
        event: "tool:pre_execute:Bash",
        rules: 'args.command equals "npm run deploy" -> deny("No deploys.")',
      },
    },
  ]);
});
