import { expect, it } from "vitest";
import { payloadValue, SessionEnvironments } from "./http-posts.ts";

const PROJECT = "AGENT_PROJECT_DIR";
const OWN = { HOME: "/home/me", [PROJECT]: "/another", LATE: undefined };
const call = (session: string, cwd: string) => JSON.stringify({ session_id: session, cwd });

it("a call stands where the last command of its session stood", () => {
  const sessions = new SessionEnvironments(OWN, [PROJECT]);
  sessions.note({ payload: call("s", "/p"), env: { HOME: "/home/me", [PROJECT]: "/p", A: "1" } });
  sessions.note({ payload: call("t", "/q"), env: { HOME: "/home/me", A: "2" } });
  expect(sessions.of(payloadValue(call("s", "/tmp")), [PROJECT])).toEqual({
    env: { HOME: "/home/me", [PROJECT]: "/p", A: "1" },
    cwd: "/tmp",
  });
});

it("an unknown session works on the folder of its first call, wherever it goes later", () => {
  const sessions = new SessionEnvironments(OWN, [PROJECT]);
  for (const cwd of ["/p", "/tmp", "/"])
    expect(sessions.of(payloadValue(call("s", cwd)), [PROJECT])).toEqual({
      env: { HOME: "/home/me", [PROJECT]: "/p" },
      cwd,
    });
});

it.each(["", "[]", "{}", '{"cwd":"relative"}', '{"session_id":7}'])("a payload that tells nothing: %s", (payload) => {
  const sessions = new SessionEnvironments(OWN, [PROJECT]);
  sessions.note({ payload, env: { A: "1" } });
  expect(sessions.of(payloadValue(payload), [PROJECT])).toEqual({ env: { HOME: "/home/me" }, cwd: "/home/me" });
});

it("the sessions that called last are remembered, and not all that ever did", () => {
  const sessions = new SessionEnvironments(OWN, [PROJECT]);
  for (let turn = 0; turn < 100; turn++) sessions.note({ payload: call(`s${turn}`, "/p"), env: { TURN: `${turn}` } });
  expect(sessions.of(payloadValue(call("s99", "/p"))).env).toEqual({ TURN: "99" });
  expect(sessions.of(payloadValue(call("s0", "/p"))).env).toEqual({ HOME: "/home/me" });
});
