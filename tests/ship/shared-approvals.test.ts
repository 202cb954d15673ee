import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withApprovalStore } from "../../src/approvals/approval-stores.ts";
import type { RequestAnswer } from "../../src/approvals/requests.ts";
import {
  answerEverywhere,
  exchangeApprovals,
  revokeEverywhere,
  type SharedApprovals,
  sharedApprovals,
} from "../../src/approvals/shared-approvals.ts";
import { readApprovals } from "../../src/approvals/store.ts";
import { settled, underApprovals } from "../../src/approvals/under-approvals.ts";
import { examineShared } from "../../src/doctor/shared-counts.ts";
import { callEffects } from "../../src/effects/index.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { Hook } from "../../src/hook/hook.ts";
import { bindSession, otherBindings } from "../../src/policies/intent/binding.ts";
import { reachesPerson } from "../../src/policies/protect/person-channel.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { shareCounts } from "../../src/ship/share.ts";
import { openSharedStore } from "../../src/ship/shared-stores.ts";
import { sharingName } from "../../src/stores/store.ts";
import { freePort, POSTGRES, type PostgresServer, startPostgres } from "./postgres-server.ts";
import { REDIS, startRedis } from "./redis-server.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const KEY = "0123456789abcdef0123456789abcdef";
const ONCE = { answer: "allow", on: "input", forMs: 60_000, times: 1 } as const;

/** A machine with a home of its own and a checkout of a repository. */
function machineOf(store: string, { key = KEY, origin = "git@github.com:acme/app.git", name = "app" } = {}) {
  const home = mkdtempSync(join(tmpdir(), "sluice-shared-"));
  folders.push(home);
  const root = join(home, name);
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  if (origin !== "") writeFileSync(join(root, ".git/config"), `[remote "origin"]\n\turl = ${origin}\n`);
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") };
  const settings = { store, what: ["approvals", "intents"], key } as const;
  const place = { root, env };
  const shared = sharedApprovals(place, settings) as SharedApprovals;
  const registry = new HookRegistry();
  registry.register(
    Hook.fromJSON(
      { name: "asks", event: "*", rules: 'tool exists -> ask("may I?")' },
      { layer: "user", place: { file: "hooks.yaml" }, index: 0 },
    ),
  );
  const call = (command: string, { session = "s" } = {}) =>
    HookEvent.toolPreExecute("Bash", { command }, { sessionId: session, agent: "a", cwd: root });
  return {
    ...{ home, root, env, settings, place, shared, call },
    /** Takes a call through hooks and approvals, as an agent's call is. */
    ask: async (command: string, more: { readonly session?: string; readonly policy?: string } = {}) => {
      const { policy = "p", ...rest } = more;
      const decision = await new HookExecutor({ registry }).decide(call(command, rest));
      return underApprovals(decision, { ...place, policy, canAsk: false, shared: settings });
    },
    waiting: async () => {
      await exchangeApprovals(shared);
      return readApprovals(place).requests.map(({ id }) => id);
    },
    answer: (id: string, answer: RequestAnswer = ONCE) =>
      answerEverywhere([id], answer, { by: "ann", channel: "a terminal" }, place, shared),
    share: () =>
      shareCounts({
        ...{ env, settings, machine: sharingName({ env }), once: true, signal: new AbortController().signal },
        open: () => openSharedStore(store, env),
      }),
  };
}

const ENGINES = [
  { engine: "Redis", program: REDIS, start: startRedis },
  { engine: "Postgres", program: POSTGRES, start: startPostgres },
];

describe.each(ENGINES)("machines that share approvals in $engine", ({ program, start }) => {
  let server: PostgresServer | undefined;
  let store = "";
  beforeAll(async () => {
    server = program === undefined ? undefined : await start(program);
    store = server?.url ?? "";
  });
  afterAll(() => server?.stop());
  const test = it.skipIf(program === undefined);

  test("show each other's requests, and an answer of one lets the call pass on the other, once", async () => {
    const [one, other] = [machineOf(store), machineOf(store)];
    const { request, action } = await one.ask("npm publish");
    const id = request?.id ?? "";
    expect(action).toBe("ask");
    expect(await other.waiting()).toContain(id);
    expect(readApprovals(other.place).requests.find((each) => each.id === id)).toMatchObject({
      root: "github.com/acme/app",
      text: "npm publish",
    });
    expect(await other.answer(id)).toMatchObject([{ id }]);
    expect(await other.waiting()).not.toContain(id);
    const passed = await one.ask("npm publish");
    expect([passed.action, passed.contexts.at(-1)]).toEqual([
      "continue",
      `ann approved this call through a terminal (sluice approve ${id}).`,
    ]);
    expect((await one.ask("npm publish")).action).toBe("ask");
  });

  test("take a grant in another checkout of the repository, wherever it is and however its address is written", async () => {
    const one = machineOf(store);
    const other = machineOf(store, { origin: "https://token@GitHub.com/acme/app", name: "elsewhere" });
    const id = (await one.ask(`rm ${one.root}/dist/a.js`)).request?.id ?? "";
    await other.answer((await other.waiting()).find((each) => each === id) ?? "");
    expect((await other.ask(`rm ${other.root}/dist/b.js`)).action).toBe("ask");
    expect((await other.ask(`rm ${other.root}/dist/a.js`)).action).toBe("continue");
    expect((await one.ask(`rm ${one.root}/dist/a.js`)).action).toBe("ask");
  });

  test("never use a grant more often than it was given for, however many ask at once", async () => {
    const machines = Array.from({ length: 5 }, () => machineOf(store));
    const [one] = machines;
    const id = (await one?.ask("git push --tags"))?.request?.id ?? "";
    await one?.answer(id, { ...ONCE, times: 3 });
    const calls = machines.map(({ ask }) => ask("git push --tags"));
    const actions = (await Promise.all(calls)).map(({ action }) => action);
    expect(actions.filter((action) => action === "continue")).toHaveLength(3);
  });

  test("answer a request once, whoever of two people is first", async () => {
    const [one, other, third] = [machineOf(store), machineOf(store), machineOf(store)];
    const id = (await one.ask("make deploy")).request?.id ?? "";
    await Promise.all([other, third].map(({ waiting }) => waiting()));
    const given = await Promise.all([other, third, one].map(({ answer }) => answer(id)));
    expect(given.flat().map((each) => each?.id)).toEqual([id]);
    const actions = [];
    for (const machine of [one, other, third]) actions.push((await machine.ask("make deploy")).action);
    expect(actions.sort()).toEqual(["ask", "ask", "continue"]);
  });

  test("keep a grant to its session, policy, repository and key", async () => {
    const one = machineOf(store);
    const others = [
      [machineOf(store), { session: "another" }],
      [machineOf(store), { policy: "another" }],
      [machineOf(store, { origin: "git@github.com:acme/other.git" }), {}],
      [machineOf(store, { origin: "" }), {}],
      [machineOf(store, { key: KEY.replace("0", "f") }), {}],
    ] as const;
    const id = (await one.ask("terraform apply")).request?.id ?? "";
    await one.answer(id, { ...ONCE, times: 50 });
    for (const [machine, more] of others) expect((await machine.ask("terraform apply", more)).action).toBe("ask");
    expect((await machineOf(store).ask("terraform apply")).action).toBe("continue");
  });

  test("deny with a person's words, approve a shape, end with the time, and are revoked from anywhere", async () => {
    const [one, other] = [machineOf(store), machineOf(store)];
    const ids = [];
    for (const command of ["npm publish --tag a", "mkdir a", "date"])
      ids.push((await one.ask(command)).request?.id ?? "");
    await other.waiting();
    const [denied = "", shaped = "", short = ""] = ids;
    await other.answer(denied, { answer: "deny", reason: "not today" });
    await other.answer(shaped, { ...ONCE, on: "shape", times: 9 });
    await other.answer(short, { ...ONCE, forMs: 1 });
    const refused = await one.ask("npm publish --tag a");
    expect([refused.action, refused.reasons.join()]).toEqual(["deny", expect.stringContaining("not today")]);
    expect((await one.ask("mkdir b")).action).toBe("continue");
    expect((await one.ask("date")).action).toBe("ask");
    expect(await revokeEverywhere(shaped, one.place, one.shared)).toBe(1);
    expect((await other.ask("mkdir c")).action).toBe("ask");
  });

  test("forget a request that was answered in the agent, and one that its machine knows no more", async () => {
    const [one, other] = [machineOf(store), machineOf(store)];
    const id = (await one.ask("npm run seed")).request?.id ?? "";
    expect(await other.waiting()).toContain(id);
    const { data, ...about } = one.call("npm run seed");
    await settled(new HookEvent({ ...about, type: "tool:post_execute", data }), { ...one.place, shared: one.settings });
    expect(await other.waiting()).not.toContain(id);
    const lost = (await one.ask("npm run lost")).request?.id ?? "";
    rmSync(join(one.home, "state/sluice/approvals/pending.json"));
    await one.waiting();
    expect(await other.waiting()).not.toContain(lost);
  });

  test("take nothing that another wrote without the key, moved to another name or made valid for longer", async () => {
    const [one, other] = [machineOf(store), machineOf(store)];
    const id = (await one.ask("kubectl apply -f x")).request?.id ?? "";
    await one.answer(id, { ...ONCE, forMs: 1500 });
    await withApprovalStore(store, {}, async (raw) => {
      const grant = (await raw.all()).find(({ name }) => name.startsWith("grant ") && name.endsWith(id));
      if (grant === undefined) throw new Error("no grant");
      const text = `${grant.text.slice(0, -4)}AAAA`;
      const until = Date.now() + 3_600_000;
      await raw.remove(grant.name);
      for (const forged of [
        { name: "grant x 1", until, text },
        { name: grant.name, until, text: grant.text },
        { name: "grant x 2", until: grant.until, text: grant.text },
      ])
        await raw.add({ ...forged, left: 9 });
      expect(JSON.stringify(await raw.all())).not.toContain("kubectl");
    });
    for (const machine of [one, other]) expect((await machine.ask("kubectl apply -f x")).action).toBe("ask");
  });

  test("tell a session which intents sessions of other machines work on in the repository", async () => {
    const [one, other, stranger] = [
      machineOf(store),
      machineOf(store),
      machineOf(store, { origin: "git@x.example:a/b" }),
    ];
    for (const machine of [one, other, stranger]) await machine.share();
    const session = { agent: "a", sessionId: "s1" };
    bindSession(one.root, session, "INT-001", one);
    bindSession(one.root, session, "INT-002", one);
    for (const machine of [one, other, stranger]) await machine.share();
    const seen = (machine: typeof one) =>
      otherBindings(machine.root, { agent: "a", sessionId: "s2" }, machine).map(({ intent_id }) => intent_id);
    expect([seen(one), seen(other), seen(stranger)]).toEqual([["INT-002"], ["INT-002"], []]);
  });
});

describe("a store of approvals that cannot be reached", () => {
  it("leaves the question, says so, and lets nobody answer what is shared", async () => {
    for (const scheme of ["redis", "postgres"]) {
      const machine = machineOf(`${scheme}://127.0.0.1:${await freePort()}/0`);
      const asked = await machine.ask("npm publish");
      expect(asked.action).toBe("ask");
      expect(asked.contexts.join()).toContain("The question remains");
      await expect(machine.waiting()).rejects.toThrow("cannot be used");
      expect(await examineShared(machine.settings, machine)).toContainEqual(
        expect.objectContaining({ state: "wrong" }),
      );
    }
  });

  it.skipIf(REDIS === undefined)("takes the grants with it that were given while it was there", async () => {
    const { url, stop } = await startRedis(REDIS ?? "");
    const [one, other] = [machineOf(url), machineOf(url)];
    const [first = "", second = ""] = [
      (await one.ask("npm publish")).request?.id,
      (await one.ask("npm test")).request?.id,
    ];
    await one.answer(first, { ...ONCE, times: 9 });
    await other.waiting();
    await stop();
    await expect(other.answer(second)).rejects.toThrow("cannot be used");
    await expect(one.answer(second)).rejects.toThrow("cannot be used");
    for (const command of ["npm publish", "npm test"]) expect((await one.ask(command)).action).toBe("ask");
  });
});

it("an agent's call that names the store, its password or the key of shared approvals is denied", () => {
  const shared = { store: "redis://:pass-word@redis.example:6379", what: ["approvals"], key: KEY } as const;
  const context = { root: "/p", home: "/h", env: {}, shared } as const;
  const reached = (command: string) => {
    const event = HookEvent.toolPreExecute("Bash", { command }, { cwd: "/p" });
    const call = callEffects(event);
    return call && reachesPerson(call, event, context);
  };
  for (const command of ["redis-cli -u redis://redis.example:6379 hgetall x", "redis-cli -a pass-word", `echo ${KEY}`])
    expect(reached(command)).toContain("store of shared approvals");
  expect(reached("redis-cli -h localhost ping")).toBeUndefined();
});
