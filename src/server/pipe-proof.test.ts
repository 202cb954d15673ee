import { describe, expect, it } from "vitest";
import { type Handshake, HandshakeReader } from "./handshake.ts";
import { newNonce, type PipeSecret, pipeName, proveToClient, proveToDaemon } from "./pipe-proof.ts";

const SECRET = newNonce();
const SHARED: PipeSecret = { secret: SECRET, address: "a-pipe" };

/** Lets two sides talk until one has nothing more to say. */
function talk(client: Handshake, engine: Handshake) {
  const sides = { client: new HandshakeReader(client), engine: new HandshakeReader(engine) };
  const said = { client: [client.opening], engine: [] as string[] };
  const states = { client: "unfinished", engine: "unfinished" };
  let [words, listener]: [string, "client" | "engine"] = [client.opening, "engine"];
  while (words !== "") {
    const shaken = sides[listener].read(Buffer.from(words));
    states[listener] = shaken.state;
    words = shaken.state === "refused" ? "" : shaken.reply;
    if (words !== "") said[listener].push(words);
    listener = listener === "client" ? "engine" : "client";
  }
  return { states, said };
}

it("both sides prove that they know the secret, and neither says it", () => {
  const { states, said } = talk(proveToDaemon(SHARED), proveToClient(SHARED));
  expect(states).toEqual({ client: "proven", engine: "proven" });
  expect([said.client.length, said.engine.length]).toEqual([2, 1]);
  expect([...said.client, ...said.engine].join("")).not.toContain(SECRET);
});

it("a handshake may come in any pieces, and what follows it belongs to the conversation", () => {
  const [client, engine] = [proveToDaemon(SHARED), new HandshakeReader(proveToClient(SHARED))];
  const pieces = [...client.opening].map((sign) => engine.read(Buffer.from(sign)));
  const hello = pieces.at(-1);
  if (hello?.state !== "unfinished") throw new Error("the daemon was to go on");
  const answer = new HandshakeReader(client).read(Buffer.from(hello.reply));
  if (answer.state !== "proven") throw new Error("the client was to be sure");
  expect(engine.read(Buffer.from(`${answer.reply}more`))).toMatchObject({ state: "proven", rest: Buffer.from("more") });
});

describe("a client does not believe, and tells nothing more to,", () => {
  const number = newNonce();
  const recorded = talk(proveToDaemon(SHARED, number), proveToClient(SHARED)).said;
  const [oldProof = ""] = recorded.engine;
  const proofIn = (line: string) => line.trim().split(" ")[2] ?? "";

  it.each<[string, (hello: string) => string]>([
    ["a peer with another secret", (hello) => answerOf({ ...SHARED, secret: newNonce() }, hello)],
    ["a daemon that answers at another pipe", (hello) => answerOf({ ...SHARED, address: "another" }, hello)],
    ["a peer that repeats what a daemon once said", () => oldProof],
    ["a peer that sends its own words back", (hello) => hello],
    ["a peer that sends its own words back with a proof", (hello) => `${hello.trim()} ${proofIn(oldProof)}\n`],
    ["a daemon of another version", (hello) => answerOf(SHARED, hello).replace("/1", "/2")],
    ["a daemon that also says something else", (hello) => answerOf(SHARED, hello).replace("\n", " x\n")],
    ["a peer that never ends a line", () => "x".repeat(1000)],
    ["a peer that says nothing", () => "\n"],
  ])("%s", (_, answer) => {
    const client = proveToDaemon(SHARED);
    expect(new HandshakeReader(client).read(Buffer.from(answer(client.opening)))).toEqual({ state: "refused" });
  });

  it("the recorded words were good, once", () => {
    expect(new HandshakeReader(proveToDaemon(SHARED, number)).read(Buffer.from(oldProof)).state).toBe("proven");
  });
});

describe("a daemon takes no request of", () => {
  const number = newNonce();
  const [hello = "", oldProof = ""] = talk(proveToDaemon(SHARED), proveToClient(SHARED, number)).said.client;

  it.each<[string, string, (said: string) => string]>([
    ["a peer with another secret", hello, (said) => proofFor({ ...SHARED, secret: newNonce() }, hello, said)],
    ["a peer that repeats what a client once said", hello, () => oldProof],
    ["a peer that sends its own proof back", hello, (said) => `${said.trim().split(" ")[2]}\n`],
    ["a peer that sends a request instead", hello, () => "9 9 9 9\n"],
  ])("%s", (_, first, second) => {
    const engine = new HandshakeReader(proveToClient(SHARED));
    const answered = engine.read(Buffer.from(first));
    if (answered.state !== "unfinished") throw new Error("the engine was to answer");
    const words = second(answered.reply);
    expect(words).toMatch(/^.+\n$/);
    expect(engine.read(Buffer.from(words))).toEqual({ state: "refused" });
  });

  it.each([
    ["another version", hello.replace("/1", "/2")],
    ["no number", "SLUICE-PIPE/1 x\n"],
    ["a browser", "GET / HTTP/1.1\n"],
  ])("%s, and does not even answer", (_, first) => {
    expect(new HandshakeReader(proveToClient(SHARED)).read(Buffer.from(first))).toEqual({ state: "refused" });
  });

  it("the recorded words were good, once", () => {
    const engine = new HandshakeReader(proveToClient(SHARED, number));
    engine.read(Buffer.from(hello));
    expect(engine.read(Buffer.from(oldProof)).state).toBe("proven");
  });
});

it("a pipe is named after the secret and the version, and its name tells nothing about the secret", () => {
  const prefix = String.raw`\\.\pipe\sluice-`;
  const name = pipeName(SECRET, prefix);
  expect(name).toMatch(/^\\\\\.\\pipe\\sluice-1-[0-9a-f]{32}$/);
  expect(name).toBe(pipeName(SECRET, prefix));
  expect(name).not.toBe(pipeName(newNonce(), prefix));
  expect(SECRET).not.toContain(name.slice(-32));
});

function answerOf(shared: PipeSecret, hello: string, number?: string): string {
  const answered = new HandshakeReader(proveToClient(shared, number)).read(Buffer.from(hello));
  return answered.state === "unfinished" ? answered.reply : "";
}

/** What a peer with another secret says as its proof, to the number that the engine has just said. */
function proofFor({ secret, address }: PipeSecret, hello: string, said: string): string {
  const [, theirs = ""] = said.trim().split(" ");
  const [, own = ""] = hello.trim().split(" ");
  const [answer] = proveToDaemon({ secret, address }, own).steps;
  return answer?.(answerOf({ secret, address }, hello, theirs).trim()) ?? "";
}
