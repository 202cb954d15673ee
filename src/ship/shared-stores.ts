import { connect, type Socket } from "node:net";
import { whyUnreachable } from "../http/why-unreachable.ts";
import { connectPostgres, migrate, type PostgresClient, unavailable } from "./postgres-client.ts";
import type { SharedStore } from "./share.ts";
import type { SharedLine } from "./shared-files.ts";
import { SinkUnavailable } from "./sink.ts";

/** Opens the store of an address; `${NAME}` in it is a variable. */
export function openSharedStore(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SharedStore> {
  const store = address.replace(/\$\{(\w+)\}/g, (_, name: string) => encodeURIComponent(env[name] ?? ""));
  return /^redis/i.test(store) ? redisStore(store) : postgresStore(store);
}

/** One stream, of which Redis forgets the oldest. */
async function redisStore(address: string): Promise<SharedStore> {
  const client = await connectRedis(address);
  const replies = async (commands: readonly (readonly string[])[]) => {
    const all = await client.send(commands);
    const refused = all.find((reply) => reply instanceof RedisError);
    if (refused !== undefined) throw new SinkUnavailable(`Redis refuses: ${(refused as RedisError).message}`);
    return all;
  };
  return {
    put: async (lines) => {
      await replies(
        lines.map(({ machine, file, part, end, text }) => [
          ...["XADD", STREAM, "MAXLEN", "~", String(MAX_KEPT), "*"],
          ...["machine", machine, "file", file, "part", part, "end", String(end), "text", text],
        ]),
      );
    },
    since: async (place = "0") => {
      const [found] = await replies([["XREAD", "COUNT", String(PAGE), "STREAMS", STREAM, place]]);
      const [[, entries] = []] = (found ?? []) as readonly (readonly RedisReply[])[];
      const read = (entries ?? []) as readonly (readonly [string, readonly string[]])[];
      return { lines: read.flatMap(([, fields]) => lineOf(fields)), place: read.at(-1)?.[0] };
    },
    close: async () => client.close(),
  };
}

/** The fields of an entry, name and value in turn. */
function lineOf(fields: readonly string[]): SharedLine[] {
  const held = new Map(
    fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1] ?? ""]] : [])) as [string, string][],
  );
  const [machine = "", file = "", part = "", text = ""] = ["machine", "file", "part", "text"].map((name) =>
    held.get(name),
  );
  const end = Number(held.get("end"));
  return machine !== "" && Number.isSafeInteger(end) ? [{ machine, file, part, end, text }] : [];
}

/** The table `sluice_shared`, of which two days are kept. */
async function postgresStore(url: string): Promise<SharedStore> {
  const client = await connectPostgres(url);
  const asked = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      throw unavailable(error) ?? error;
    }
  };
  try {
    await asked(async () => {
      await migrate(client);
      await client.unsafe("delete from sluice_shared where at < now() - interval '2 days'");
    });
  } catch (error) {
    await client.end({ timeout: 1 }).catch(() => {});
    throw error;
  }
  return {
    put: (lines) => asked(() => client.begin((inside) => insert(inside, lines))),
    since: (place = "0", machine) =>
      asked(async () => {
        const rows = await client.unsafe(SINCE, [place, machine]);
        return { lines: rows as unknown as readonly SharedLine[], place: rows.at(-1)?.place as string | undefined };
      }),
    close: () => client.end({ timeout: 5 }),
  };
}

/** One machine after the other, so that a place in the order is never taken by a row that is seen later. */
async function insert(client: PostgresClient, lines: readonly SharedLine[]): Promise<void> {
  await client.unsafe("select pg_advisory_xact_lock(7305513)");
  await client.unsafe(INSERT, [JSON.stringify(lines)]);
}

/** What Redis answers. */
type RedisReply = string | number | null | readonly RedisReply[] | RedisError;

/** Redis refused a command. */
class RedisError extends Error {
  override readonly name = "RedisError";
}

/** A connection to Redis or Valkey. */
interface RedisClient {
  /** Sends commands in one go; their answers, in order. */
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
  const refused = (await client.send(first)).find((reply) => reply instanceof RedisError);
  if (refused === undefined) return client;
  client.close();
  throw new SinkUnavailable(`Redis refuses: ${String((refused as RedisError).message)}`);
}

function clientOver(socket: Socket): RedisClient {
  let received: Buffer = Buffer.alloc(0);
  let waiting: { left: number; replies: RedisReply[]; done: (replies: RedisReply[]) => void } | undefined;
  let fail: (error: Error) => void = () => {};
  const end = (error: Error) => fail(new SinkUnavailable(`Redis cannot be used: ${whyUnreachable(error)}`));
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
      done(replies);
    }
  });
  return {
    send: (commands) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new SinkUnavailable("Redis cannot be used: the connection was cut"));
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

const STREAM = "sluice:shared";
const MAX_KEPT = 200_000;
const PAGE = 1000;

const INSERT = `
insert into sluice_shared (machine, file, part, "end", text)
select machine, file, part, "end", text from jsonb_to_recordset($1::text::jsonb)
  as row(machine text, file text, part text, "end" bigint, text text)
on conflict do nothing`;

const SINCE = `
select place::text, machine, file, part, "end"::float8 as "end", text from sluice_shared
where place > $1::text::bigint and machine <> $2 order by place limit ${PAGE}`;
