import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { HookEvent } from "../../src/event/event.ts";
import { SYSTEM_PROMPT } from "../../src/llm/question.ts";
import { asking, Courtroom, command } from "./judging.ts";
import { type Act, say } from "./model-server.ts";

const room = new Courtroom();
beforeAll(() => room.open());
beforeEach(() => room.clear());
afterAll(() => room.close());

const WIRES = ["anthropic", "openai", "openai-compatible"] as const;

describe.each(WIRES)("a model of provider %s", (provider) => {
  test("is told the fixed system prompt, then the hook's question, coolly and briefly", async () => {
    await room.judge(command("ls"), { settings: room.settings({ provider }) });
    const [asked] = room.server.asked;
    expect(asked?.system).toBe(SYSTEM_PROMPT);
    expect(asked?.prompt).toContain("Event: tool:pre_execute\nTool: bash\n");
    expect(asked?.prompt).toContain('{"command":"ls"}');
    expect(asked?.model).toBe(room.model);
    expect(asked?.body).toMatchObject({ temperature: 0 });
    expect(asked?.body.max_tokens ?? asked?.body.max_completion_tokens).toBe(1024);
    const { authorization, "x-api-key": key = authorization } = asked?.headers ?? {};
    expect(key).toContain("key-of-the-test");
  });

  test.each([
    [{ action: "continue", reason: "fine" }, "continue"],
    [{ action: "deny", reason: "it deletes everything" }, "deny"],
    [{ action: "ask", reason: "who knows" }, "ask"],
    [{ action: "modify", reason: "safer", modified_data: { patch: { command: "ls -l" } } }, "modify"],
  ])("answers %j", async (answer, action) => {
    room.server.act = () => say(answer);
    const { ran, result, decision } = await room.judge(command("ls"), { settings: room.settings({ provider }) });
    expect(result).toMatchObject({ action, reason: answer.reason, success: true, exitCode: null });
    expect(decision.approved).toBe(false);
    expect(ran.stdout).toBe(JSON.stringify(answer));
    if (action === "modify") expect(result.modifiedData).toEqual({ patch: { command: "ls -l" } });
  });
});

test("the whole answer may stand in one code block", async () => {
  room.server.act = () => ({ say: '```json\n{"action":"deny","reason":"no"}\n```\n' });
  const { ran, result } = await room.judge(command("ls"));
  expect(result).toMatchObject({ action: "deny", reason: "no" });
  expect(ran.stdout).toBe('{"action":"deny","reason":"no"}');
});

const UNREADABLE: Readonly<Record<string, Act>> = {
  "an answer that was cut off": { say: '{"action":"continue","rea', stop: "length" },
  "an answer with talk before it": { say: 'Sure! {"action":"continue","reason":"ok"}' },
  "an answer with talk behind it": { say: '{"action":"continue"}\nLet me know if you need more.' },
  "two answers": { say: '{"action":"continue"}\n{"action":"deny"}' },
  "two answers in two blocks": { say: '```json\n{"action":"continue"}\n```\n```json\n{"action":"deny"}\n```' },
  "one key twice": { say: '{"action":"deny","action":"continue"}' },
  "an unknown action": { say: '{"action":"permit"}' },
  "an approval": { say: '{"action":"allow","reason":"approved"}' },
  "a wrong type of action": { say: '{"action":true}' },
  "a wrong type of reason": { say: '{"action":"continue","reason":7}' },
  "a wrong type of modified_data": { say: '{"action":"modify","modified_data":"rm"}' },
  "a modification of nothing": { say: '{"action":"modify","reason":"x"}' },
  "a second verdict": { say: '{"action":"continue","decision":"deny"}' },
  "a list": { say: '[{"action":"continue"}]' },
  "only a word": { say: "continue" },
  nothing: { say: "" },
};

describe.each(Object.entries(UNREADABLE))("%s", (_, act) => {
  test("is a failure that `on_error` gives its meaning, and the next call asks again", async () => {
    room.server.act = (_asked, number) => (number === 1 ? act : say({ action: "deny", reason: "no" }));
    const { result } = await room.judge(command("ls"), { hook: asking({ on_error: "ask" }) });
    expect(result).toMatchObject({ action: "ask", success: false, failure: { why: "bad_json" } });
    expect(result.reason).toContain('hook "bash-safety" gave an answer that cannot be read');
    expect((await room.judge(command("ls"))).result).toMatchObject({ action: "deny", reason: "no" });
  });
});

test("a model that cannot be understood lets pass only because nothing else was stated", async () => {
  room.server.act = () => ({ say: "sure" });
  const said = await Promise.all(
    [{}, { on_error: "continue" }, { on_error: "deny" }].map((more) =>
      room.judge(command("ls"), { hook: asking(more) }),
    ),
  );
  expect(said.map(({ result }) => result.action)).toEqual(["continue", "continue", "deny"]);
  expect(said.map(({ result }) => result.failure?.why)).toEqual(["bad_json", "bad_json", "bad_json"]);
});

test("an answer that was cut off says which setting makes it longer", async () => {
  room.server.act = () => ({ say: '{"action":"con', stop: "length" });
  const { result } = await room.judge(command("ls"), { settings: room.settings({ maxTokens: 5 }) });
  expect(result.error).toContain("llm.max_tokens");
  expect(room.server.asked[0]?.body.max_tokens).toBe(5);
});

test("a broken body is a failure", async () => {
  room.server.act = () => ({ body: "<html>" });
  const { result } = await room.judge(command("ls"));
  expect(result).toMatchObject({ action: "continue", success: false, failure: { why: "exception" } });
});

test("what a model writes never becomes context for the agent", async () => {
  room.server.act = () => ({ say: '```json\n{"action":"continue","reason":"hello agent","context":"do this"}\n```' });
  const { decision, result } = await room.judge(HookEvent.userPromptSubmit("hi"), {
    hook: asking({ prompt: "{{prompt}}", matcher: { events: ["UserPromptSubmit"] } }),
  });
  expect(decision.contexts).toEqual([]);
  expect(result.notes?.join()).toContain("context");
});

test("a prompt that names nothing is asked about the whole event, and one that names too much is noted", async () => {
  await room.judge(command("mkfs"), { hook: asking({ prompt: "Is this safe?" }) });
  expect(room.server.asked[0]?.prompt).toContain("mkfs");
  const { result } = await room.judge(command("ls"), { hook: asking({ prompt: "{{args.path}} {{nobody}}" }) });
  expect(result.notes).toEqual(["the prompt names args.path, nobody, which this event does not have"]);
});

test("a prompt that cannot be read is a failure that shows the way", async () => {
  const { result } = await room.judge(command("ls"), { hook: asking({ prompt: "{{args | lenght}}" }) });
  expect(result.failure?.why).toBe("exception");
  expect(result.error).toContain('"lenght" is not a filter of prompts. Did you mean "length"?');
  expect(room.server.asked).toHaveLength(0);
});

test("what the library would warn of on the terminal becomes a note", async () => {
  const printed = ["info", "warn", "log", "error"].map((name) => vi.spyOn(console, name as "warn"));
  const { result } = await room.judge(command("ls"), { settings: room.settings({ model: "claude-opus-5" }) });
  const calls = printed.flatMap((spy) => spy.mock.calls);
  vi.restoreAllMocks();
  expect(result.notes).toEqual(["temperature is not supported by claude-opus-5 and will be ignored"]);
  expect(calls).toEqual([]);
});
