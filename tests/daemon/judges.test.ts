import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { daemonStatus } from "../../src/server/clients/ask-daemon.ts";
import { type Asked, ModelServer, say } from "../llm/model-server.ts";
import { alone, bothWays, expectResident, type HowToAsk, together } from "./both-ways.ts";
import { BEST, type DaemonHome, sharedHome, shellCall } from "./daemon-home.ts";

/** What a model makes of a line, by its last word. */
const OPINIONS: Readonly<Record<string, ReturnType<ModelServer["act"]>>> = {
  deny: say({ action: "deny", reason: "it deletes everything" }),
  ask: say({ action: "ask", reason: "who knows" }),
  modify: say({ action: "modify", reason: "safer", modified_data: { patch: { command: "true" } } }),
  continue: say({ action: "continue", reason: "fine" }),
  nonsense: { say: "sure" },
  refuse: { status: 401, message: "not with this key" },
  hang: "hang",
  reset: "reset",
};

/** What the agent is told, or nothing. */
const SAID: Readonly<Record<keyof typeof OPINIONS, string>> = {
  deny: "it deletes everything",
  ask: "who knows",
  modify: '"command":"true"',
  continue: "",
  nonsense: "cannot be read",
  refuse: "answered 401",
  hang: "did not finish within 2 s",
  reset: "did not answer",
};

/** One daemon for all of them: what asks a model takes long to load. Each test has a model and a session of its own. */
const shared = sharedHome(BEST);

it("a judge says through the daemon what it says without one, and is asked the same with the caller's own key", async () => {
  const { at, server, how } = await courtroom("cache: false\n    on_error: deny");
  const seen: Asked[][] = [];
  for (const word of Object.keys(OPINIONS)) {
    server.asked = [];
    const line = word === "hang" ? "wait, judge hang" : `judge ${word}`;
    const { stdout } = await bothWays(at, line, how(`key of ${word}`));
    expect(stdout).toContain(SAID[word]);
    await expectResident(at);
    seen.push(server.asked);
  }
  for (const [index, word] of Object.keys(OPINIONS).entries()) {
    const questions = (seen[index] ?? []).map(({ headers, body }) => [headers.authorization, unfenced(body)]);
    // Who has loaded everything by then is asked about the line at which it hangs.
    expect(questions.length, word).toBeGreaterThanOrEqual(word === "hang" ? 1 : 2);
    expect(new Set(questions.map((question) => JSON.stringify(question))).size, word).toBe(1);
    expect(questions[0]?.[0]).toBe(`Bearer key of ${word}`);
  }
});

it("a caller without a key has none, whatever the daemon was started with", async () => {
  const { at, server, how } = await courtroom("cache: false\n    on_error: deny");
  const { stdout } = await bothWays(at, "judge continue", how());
  expect(stdout).toContain("Set JUDGE_KEY");
  expect(server.asked).toEqual([]);
  await expectResident(at);
});

it("a model that no server offers fails the same", async () => {
  const { at, how } = await courtroom("cache: false\n    on_error: deny", { baseURL: `${await closedAddress()}/v1` });
  const { stdout } = await bothWays(at, "judge continue", how("k"));
  expect(stdout).toContain("did not answer");
  await expectResident(at);
});

it("what one way has heard from a model the other way knows", async () => {
  const { at, server, how } = await courtroom("on_error: deny");
  await bothWays(at, "judge deny", how("k"));
  expect(server.asked).toHaveLength(1);
  await expectResident(at);
  expect(await together(at, "judge ask", how("k"))).toEqual(await alone(at, "judge ask", how("k")));
  expect(server.asked).toHaveLength(2);
  rmSync(join(at.env.XDG_STATE_HOME ?? "", "sluice/llm/cache"), { recursive: true });
  await together(at, "judge ask", how("k"));
  expect(server.asked, "what is no longer there is not known").toHaveLength(3);
});

it("what one way has spent the other way cannot spend again", async () => {
  const { at, server, how } = await courtroom("cache: false\n    on_error: deny", {
    budget: "{ session_tokens: 200 }",
  });
  await together(at, "judge continue", how("k"));
  await alone(at, "judge continue", how("k"));
  const { stdout } = await bothWays(at, "judge continue", how("k"));
  expect(stdout).toContain("The budget of this session is used up: 240 of 200");
  expect(server.asked).toHaveLength(2);
  await bothWays(at, "judge continue", { ...how("k"), session: "another" });
  expect(server.asked).toHaveLength(4);
});

it("a model that failed for others is asked again, as without a daemon", async () => {
  const { at, server, how } = await courtroom("cache: false\n    on_error: deny");
  server.act = () => ({ status: 401, message: "not with this key" });
  for (let turn = 0; turn < 6; turn++) await together(at, "judge deny", how("bad"));
  server.act = () => say({ action: "deny", reason: "it deletes everything" });
  const { stdout } = await bothWays(at, "judge deny", how("good"));
  expect(stdout).toContain("it deletes everything");
  await expectResident(at);
});

/** A model, a hook that asks it, a daemon that was started by a caller with a key of its own, and how others ask. */
async function courtroom(
  hook: string,
  { baseURL, budget }: { readonly baseURL?: string; readonly budget?: string } = {},
): Promise<{ readonly at: DaemonHome; readonly server: ModelServer; readonly how: (key?: string) => HowToAsk }> {
  const server = new ModelServer();
  await server.start();
  onTestFinished(() => server.stop());
  server.act = ({ prompt }) => OPINIONS[/judge (\w+)/.exec(prompt)?.[1] ?? ""] ?? { status: 500 };
  const at = shared(
    `llm:
  provider: openai-compatible
  model: judge
  base_url: ${baseURL ?? server.baseURL}
  api_key_env: JUDGE_KEY
${budget === undefined ? "" : `  budget: ${budget}\n`}hooks:
  - name: judge
    type: llm
    prompt: "Is this safe? {{args.command}}"
    matcher: { events: [PreToolUse], command_patterns: ["judge*"] }
    timeout: 30
    ${hook}
  - name: impatient
    type: llm
    prompt: "Is this safe? {{args.command}}"
    matcher: { events: [PreToolUse], command_patterns: ["wait, judge hang"] }
    timeout: 2
    ${hook}
`,
  );
  const first = () =>
    void at.call(JSON.stringify(shellCall(at.root, "true")), undefined, { JUDGE_KEY: "key of the daemon" });
  if ((await daemonStatus(at.runtimeDir)) === undefined) first();
  await at.running(first);
  const session = `session ${++sessions}`;
  return { at, server, how: (key) => ({ env: key === undefined ? {} : { JUDGE_KEY: key }, session }) };
}

let sessions = 0;

/** A question without the mark that is another one each time. */
function unfenced(body: object): string {
  return JSON.stringify(body).replaceAll(/data-[0-9a-f]{32}/g, "data");
}

/** An address without a server. */
async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}
