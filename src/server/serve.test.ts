import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { askEngine, engineStatus, stopEngine } from "./ask-engine.ts";
import { releaseLock, takeLock } from "./election.ts";
import { type Answer, greeting, type Request, requestBytes } from "./protocol.ts";
import { type Quarters, quartersOf, whyNoQuarters } from "./quarters.ts";
import { type EngineOptions, startEngine } from "./serve.ts";
import { readToken, writeToken } from "./token.ts";

const REQUEST: Request = { words: ["run"], env: {}, cwd: "/", payload: "{}" };
const done = (stdout: string): Answer => ({ kind: "done", stdout, stderr: "", exitCode: 0 });

function quarters(): Quarters {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "serve-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const made = quartersOf(["node", "sluice"], { env: { XDG_STATE_HOME: home } });
  expect(whyNoQuarters(made)).toBeUndefined();
  return made;
}

async function engine(more: Partial<EngineOptions> = {}, at = quarters()) {
  const started = await startEngine({ quarters: at, answer: async () => done("yes\n"), ...more });
  onTestFinished(() => started.leave("the test is over"));
  return { at, ...started };
}

it("an engine answers, says how it is, and leaves without a trace when it is told to", async () => {
  const { at, left } = await engine();
  expect(await askEngine(at, REQUEST)).toEqual(done("yes\n"));
  expect(await engineStatus(at)).toMatchObject({ pid: process.pid, calls: 1 });
  expect(statSync(at.socket).mode & 0o077).toBe(0);
  expect(statSync(at.token).mode & 0o077).toBe(0);
  expect(await stopEngine(at)).toBe(true);
  expect(await left).toBe("it was told to");
  expect([existsSync(at.socket), existsSync(at.token)]).toEqual([false, false]);
});

it("whoever does not know the secret hears nothing", async () => {
  const { at } = await engine();
  writeToken(at.token);
  expect(await askEngine(at, REQUEST)).toBeUndefined();
});

it.each(["", "SLUICE/3 half of a gree"])("a client that closes its side after %j is let go", async (said) => {
  const { at } = await engine();
  const client = connect({ path: at.socket, allowHalfOpen: true });
  client.on("error", () => {}).end(said);
  await new Promise((resolve) => client.resume().on("close", resolve).on("end", resolve));
  client.destroy();
});

it("a client that closes its side in the middle of its request is let go", async () => {
  const { at } = await engine();
  const client = connect({ path: at.socket, allowHalfOpen: true });
  const half = requestBytes(REQUEST).subarray(0, -5);
  client.on("error", () => {}).end(Buffer.concat([Buffer.from(greeting(readToken(at.token)?.client ?? "")), half]));
  await new Promise((resolve) => client.resume().on("close", resolve).on("end", resolve));
  client.destroy();
});

it("calls are decided one after the other, and each gets its own answer", async () => {
  let running = 0;
  const { at } = await engine({
    answer: async ({ payload }) => {
      expect(++running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return done(payload);
    },
  });
  const sent = Array.from({ length: 20 }, (_, index) => `{"n":${index}}`);
  const heard = await Promise.all(sent.map((payload) => askEngine(at, { ...REQUEST, payload })));
  expect(heard).toEqual(sent.map(done));
});

it("a decision that breaks is left to the command", async () => {
  const { at } = await engine({ answer: () => Promise.reject(new Error("broken")) });
  expect(await askEngine(at, REQUEST)).toEqual({ kind: "cold", usesNetwork: true });
});

it("an engine whose own files have changed decides nothing more", async () => {
  const at = quarters();
  const file = join(at.folder, "launcher");
  writeFileSync(file, "one");
  const { left } = await engine({ ownFile: file }, at);
  expect(await askEngine(at, REQUEST)).toEqual(done("yes\n"));
  writeFileSync(file, "another");
  expect(await askEngine(at, REQUEST)).toEqual({ kind: "cold", usesNetwork: true });
  expect(await left).toBe("another version was installed");
});

it("an engine leaves when nobody calls, and when it grows too large", async () => {
  expect(await (await engine({ idleMs: 1 })).left).toBe("nobody called for a while");
  expect(await (await engine({ mostMemory: 1 })).left).toBe("it has grown too large");
});

it("an engine whose place was taken leaves, and what the other has stays", async () => {
  const at = quarters();
  const first = await engine({ answer: async () => done("first") }, at);
  await engine({ answer: async () => done("second") }, at);
  expect(await askEngine(at, REQUEST)).toEqual(done("second"));
  expect(await first.left).toBe("another engine has taken its place");
  expect(await askEngine(at, REQUEST)).toEqual(done("second"));
});

it("of many who want to start an engine one may", () => {
  const at = quarters();
  expect([takeLock(at), takeLock(at), takeLock(at)]).toEqual([true, false, false]);
  releaseLock(at);
  expect(takeLock(at)).toBe(true);
});
