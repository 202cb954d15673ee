import { connect, type Socket } from "node:net";
import { whyUnreachable } from "../http/why-unreachable.ts";
import { StoreUnavailable } from "./store.ts";

/** What Redis answers; what it refuses is thrown. */
export type RedisReply = string | number | null | readonly RedisReply[] | RedisError;

/** Redis refused a command. */
class RedisError extends Error {
  override readonly name = "RedisError";
}

/** A connection to Redis or Valkey. */
interface RedisClient {
  /** Sends commands in one go and returns their answers in order; throws if one of them is refused. */
  send(commands: readonly (readonly string[])[]): Promise<readonly RedisReply[]>;
  close(): void;
}

/** Connects to `redis://user:password@host:6379/0`, or over TLS to `rediss://…`. */
export async function connectRedis(address: string): Promise<RedisClient> {
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  const at = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 6379) };
  const isSecure = protocol === "rediss:";
  const socket: Socket = isSecure
    ? (await import("node:tls")).connect({ ...at, servername: at.host })
    : connect({ ...at, noDelay: true });
  const client = clientOver(socket);
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const first = [
    ...(secret === "" ? [] : [["AUTH", ...(name === "" ? [] : [name]), secret]]),
    ...(pathname.length > 1 ? [["SELECT", pathname.slice(1)]] : []),
    ["PING"],
  ];
  try {
    await client.send(first);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

function clientOver(socket: Socket): RedisClient {
  let received: Buffer = Buffer.alloc(0);
  let waiting: { left: number; replies: RedisReply[]; done: (replies: RedisReply[]) => void } | undefined;
  let fail: (error: Error) => void = () => {};
  const end = (error: Error) => fail(new StoreUnavailable(`Redis cannot be used: ${whyUnreachable(error)}`));
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("it takes too long to answer")));
  socket.on("error", end).on("close", () => end(new Error("the connection was cut")));
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    while (waiting !== undefined) {
      const read = readReply(received, 0);
      if (read === undefined) return;
      received = received.subarray(read.end);
      waiting.replies.push(read.reply);
      if (--waiting.left > 0) continue;
      const { done, replies } = waiting;
      waiting = undefined;
      const refused = replies.find((reply) => reply instanceof RedisError);
      if (refused === undefined) done(replies);
      else fail(new StoreUnavailable(`Redis refuses: ${(refused as RedisError).message}`));
    }
  });
  return {
    send: (commands) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new StoreUnavailable("Redis cannot be used: the connection was cut"));
        fail = reject;
        waiting = { left: commands.length, replies: [], done: resolve };
        socket.write(commands.map(encoded).join(""));
      }),
    close: () => void socket.destroy(),
  };
}

function encoded(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;
}

/** One answer in the protocol of Redis, and where it ends; undefined if it is not whole yet. */
function readReply(bytes: Buffer, from: number): { readonly reply: RedisReply; readonly end: number } | undefined {
  const line = bytes.indexOf("\r\n", from);
  if (line < 0) return undefined;
  const [kind, text] = [String.fromCharCode(bytes[from] ?? 0), bytes.toString("utf8", from + 1, line)];
  const end = line + 2;
  if (kind === "+") return { reply: text, end };
  if (kind === "-") return { reply: new RedisError(text), end };
  if (kind === ":") return { reply: Number(text), end };
  const length = Number(text);
  if (length < 0) return { reply: null, end };
  if (kind === "$")
    return bytes.length < end + length + 2
      ? undefined
      : { reply: bytes.toString("utf8", end, end + length), end: end + length + 2 };
  const items: RedisReply[] = [];
  let at = end;
  for (let left = length; left > 0; left--) {
    const item = readReply(bytes, at);
    if (item === undefined) return undefined;
    items.push(item.reply);
    at = item.end;
  }
  return { reply: items, end: at };
}

const TIMEOUT_MS = 10_000;
