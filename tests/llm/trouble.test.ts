import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { asking, Courtroom, command } from "./judging.ts";
import { type Act, say } from "./model-server.ts";

const room = new Courtroom();
beforeAll(() => room.open());
beforeEach(() => room.clear());
afterAll(() => room.close());

const deny = say({ action: "deny", reason: "no" });

describe("a question that breaks on the way", () => {
  const passing: Readonly<Record<string, Act>> = {
    "500": { status: 500 },
    "529": { status: 529 },
    "429": { status: 429, headers: { "retry-after": "0" } },
    "a reset connection": "reset",
    "a line that breaks in the middle of the answer": "cut",
  };

  test.each(Object.entries(passing))("is asked once more: %s", async (_, act) => {
    room.server.act = (_asked, number) => (number === 1 ? act : deny);
    const { result } = await room.judge(command("ls"));
    expect(result).toMatchObject({ action: "deny", reason: "no", success: true });
    expect(result.notes?.[0]).toMatch(/^the first try failed \(.+\); the second was answered$/);
    expect(room.server.asked).toHaveLength(2);
  });

  test.each(Object.entries(passing))("is a failure the second time: %s", async (_, act) => {
    room.server.act = () => act;
    const { result } = await room.judge(command("ls"), { hook: asking({ on_error: "deny" }) });
    expect(result).toMatchObject({ action: "deny", success: false, failure: { why: "exception" } });
    expect(result.error).toContain(`${room.model} at ${room.server.baseURL}`);
    expect(room.server.asked).toHaveLength(2);
  });

  test("is not asked again when the server is told to wait longer than there is time", async () => {
    room.server.act = () => ({ status: 429, headers: { "retry-after": "60" }, message: "slow down" });
    const { result } = await room.judge(command("ls"));
    expect(result.error).toContain("answered 429: slow down");
    expect(room.server.asked).toHaveLength(1);
  });

  test.each([400, 401, 403, 404])("is not asked again when it was refused: %i", async (status) => {
    room.server.act = () => ({ status, message: "Incorrect key: key-of-the-test" });
    const { result } = await room.judge(command("ls"));
    expect(result).toMatchObject({ action: "continue", success: false });
    expect(result.error).toContain(`answered ${status}: Incorrect key: $SLUICE_TEST_KEY`);
    expect(room.server.asked).toHaveLength(1);
  });

  test("never follows a redirect, which would carry the key elsewhere", async () => {
    const elsewhere = new Courtroom();
    await elsewhere.server.start();
    room.server.act = () => ({ redirect: `${elsewhere.server.baseURL}/messages` });
    const { result } = await room.judge(command("ls"));
    expect(result.failure?.why).toBe("exception");
    expect(elsewhere.server.asked).toHaveLength(0);
    await elsewhere.close();
  });

  test("never reads without end", async () => {
    room.server.act = () => ({ body: `{"id":"${"x".repeat(1_500_000)}"}` });
    const { result } = await room.judge(command("ls"));
    expect(result.failure?.why).toBe("exception");
    expect(result.error).toContain("larger than 1048576 bytes");
  });
});

describe("a slow model", () => {
  test("is a timeout, and the request is given up", async () => {
    room.server.act = () => "hang";
    const { result } = await room.judge(command("ls"), { deadline: 1 });
    expect(result).toMatchObject({ timedOut: true, failure: { why: "timeout", afterMs: 1000 } });
    await vi.waitFor(() => expect(room.server.givenUp).toBe(1));
  });

  test("gets no more time than the settings give", async () => {
    room.server.act = () => "hang";
    const { result } = await room.judge(command("ls"), { deadline: 60, settings: room.settings({ timeout: 0.3 }) });
    expect(result.failure).toEqual({ why: "timeout", afterMs: 300 });
  });

  test("is left when the caller gives up, and the gate stays shut", async () => {
    const caller = new AbortController();
    room.server.act = () => {
      setTimeout(() => caller.abort(), 20);
      return "hang";
    };
    const { result } = await room.judge(command("ls"), { signal: caller.signal, deadline: 60 });
    expect(result).toMatchObject({ action: "deny", failure: { why: "signal", aborted: true } });
    await vi.waitFor(() => expect(room.server.givenUp).toBe(1));
  });

  test("is not asked at all when the caller had given up before", async () => {
    const { result } = await room.judge(command("ls"), { signal: AbortSignal.abort() });
    expect(result.failure).toMatchObject({ why: "signal", aborted: true });
    expect(room.server.asked).toHaveLength(0);
  });
});

test("a model that keeps failing is left alone for a while, and every call says so", async () => {
  room.server.act = () => ({ status: 400 });
  const said = [];
  for (let number = 0; number < 7; number++) said.push(await room.judge(command(`ls ${number}`)));
  expect(room.server.asked).toHaveLength(5);
  expect(said.map(({ result }) => result.success)).not.toContain(true);
  expect(said[3]?.result.notes).toBeUndefined();
  for (const number of [5, 6]) {
    expect(said[number]?.result.failure).toMatchObject({ why: "exception" });
    expect(said[number]?.result.notes?.[0]).toMatch(/^not asked: the model failed 5 times within 30 s; .* again in/);
  }
  const strict = await room.judge(command("ls"), { hook: asking({ on_error: "deny" }) });
  expect(strict.result.action).toBe("deny");
});

describe("what is missing", () => {
  const ROWS = [
    ["a key", { apiKeyEnv: "SLUICE_NO_SUCH_KEY" }, 'Hook "bash-safety" asks a model', "Set SLUICE_NO_SUCH_KEY"],
    ["a provider", { provider: "antropic" }, '"antropic", which Sluice does not know', 'mean "anthropic"'],
    ["an address", { provider: "openai-compatible", baseURL: undefined }, "default address", "Set `llm.base_url`"],
    ["a whole address", { baseURL: "api.example.com/v1" }, "not an http address", "Write it whole"],
    ["a model", { provider: "openai-compatible", model: undefined }, "default model", "Set `llm.model`"],
    ["a price", { budget: { dayUsd: 1 } }, "limits `day_usd`", "Add `price"],
  ] as const;

  test.each(ROWS)("%s is a failure with the next step", async (_, more, what, fix) => {
    const { result } = await room.judge(command("ls"), { settings: room.settings(more as object) });
    expect(result).toMatchObject({ action: "continue", success: false, failure: { why: "exception" } });
    expect(result.error).toContain(what);
    expect(result.error).toContain(fix);
    expect(room.server.asked).toHaveLength(0);
  });

  test("a key is not needed where none is named", async () => {
    const { apiKeyEnv: _, ...settings } = room.settings({ provider: "openai-compatible" });
    const { result } = await room.judge(command("ls"), { settings });
    expect(result.success).toBe(true);
    expect(room.server.asked[0]?.headers.authorization).toBeUndefined();
  });
});

describe("who chooses the model", () => {
  test("the user's own hook may name another one", async () => {
    await room.judge(command("ls"), { hook: asking({ model: "mine" }) });
    expect(room.server.asked[0]?.model).toBe("mine");
  });

  test.each(["project", "local"] as const)("a hook of layer %s may not, and it is noted", async (layer) => {
    const { result } = await room.judge(command("ls"), { hook: asking({ model: "dear" }, layer) });
    expect(room.server.asked[0]?.model).toBe(room.model);
    expect(result.notes).toEqual([`a hook of a project cannot choose the model; ${room.model} was asked, not dear`]);
  });

  test.each([
    ["anthropic", "ANTHROPIC_BASE_URL", "https://api.anthropic.com/v1/messages"],
    ["openai", "OPENAI_BASE_URL", "https://api.openai.com/v1/chat/completions"],
  ])("the environment cannot send %s's key elsewhere", async (provider, variable, address) => {
    vi.stubEnv(variable, room.server.baseURL);
    const fetch = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("no network here"));
    const { model, apiKeyEnv = "" } = room.settings();
    const { result } = await room.judge(command("ls"), {
      settings: { provider, apiKeyEnv, model: `${model}`, more: {} },
    });
    const addresses = fetch.mock.calls.map(([asked]) => String(asked));
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    expect(result.success).toBe(false);
    expect(new Set(addresses)).toEqual(new Set([address]));
    expect(room.server.asked).toHaveLength(0);
  });
});

describe("the budget", () => {
  const budget = { sessionTokens: 200 };

  test("of a session ends its questions, and no other session's", async () => {
    const settings = room.settings({ budget });
    for (const text of ["a", "b"]) expect((await room.judge(command(text), { settings })).result.success).toBe(true);
    const { result } = await room.judge(command("c"), { settings });
    expect(result).toMatchObject({ action: "continue", failure: { why: "exception" } });
    expect(result.error).toContain("The budget of this session is used up: 240 of 200 (`session_tokens`).");
    const other = await room.judge(command("c", { sessionId: "s2" }), { settings });
    expect(other.result.success).toBe(true);
    expect(room.server.asked).toHaveLength(3);
  });

  test.each([
    ["day_tokens", { dayTokens: 100 }],
    ["day_usd", { dayUsd: 0.001, price: { input: 1, output: 50 } }],
    ["session_usd", { sessionUsd: 0.001, price: { input: 1, output: 50 } }],
  ])("ends questions by %s, and `on_error` says what that means", async (limit, limits) => {
    const settings = room.settings({ budget: limits });
    await room.judge(command("a"), { settings });
    const { result } = await room.judge(command("b"), { settings, hook: asking({ on_error: "deny" }) });
    expect(result.action).toBe("deny");
    expect(result.error).toContain(`\`${limit}\``);
    expect(room.server.asked).toHaveLength(1);
  });

  test("an answer from the cache costs nothing", async () => {
    const settings = room.settings({ budget: { dayTokens: 100 } });
    await room.judge(command("a"), { settings });
    expect((await room.judge(command("a"), { settings })).result.success).toBe(true);
  });

  test("questions at the same time do not all slip through", async () => {
    const settings = room.settings({ budget });
    const said = await Promise.all(["a", "b", "c", "d"].map((text) => room.judge(command(text), { settings })));
    expect(said.filter(({ result }) => result.success)).toHaveLength(1);
  });

  test("is kept also when it cannot be written down, and that is noted", async () => {
    mkdirSync(join(room.state, "sluice"), { recursive: true });
    writeFileSync(join(room.state, "sluice", "llm"), "in the way");
    const settings = room.settings({ budget: { dayTokens: 100 } });
    const { result } = await room.judge(command("a"), { settings });
    expect(result.notes?.[0]).toContain("could not be written");
    expect((await room.judge(command("b"), { settings })).result.error).toContain("used up");
  });
});
