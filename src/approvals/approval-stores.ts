import { connectPostgres, migrate, unavailable } from "../stores/postgres-client.ts";
import { connectRedis, type RedisReply } from "../stores/redis-client.ts";
import { StoreUnavailable, withVariables } from "../stores/store.ts";

/** What a store keeps of a request or a grant: its text is sealed. */
export interface StoredApproval {
  /** `request <machine> <id>` or `grant <machine> <id>`. */
  readonly name: string;
  /** Milliseconds since 1970; the store forgets it afterwards. */
  readonly until: number;
  /** How often it may still be used. */
  readonly left: number;
  readonly text: string;
}

/** A place where machines keep requests and grants together. */
export interface ApprovalStore {
  /** Everything that has not expired. */
  all(): Promise<readonly StoredApproval[]>;
  /** Stores one; false if that name is taken, which then stays as it is. */
  add(entry: StoredApproval): Promise<boolean>;
  /** Uses one up by one; false if none is left. Of two machines at once, the last use goes to one of them. */
  take(name: string): Promise<boolean>;
  /** Removes one; false if it was not there. */
  remove(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Runs an act with the store of an address. Throws `StoreUnavailable` if it does not answer in time. */
export async function withApprovalStore<T>(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
  act: (store: ApprovalStore) => Promise<T>,
): Promise<T> {
  const url = withVariables(address, env);
  const opening = /^redis/i.test(url) ? redisStore(url) : postgresStore(url);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable("the store takes too long to answer")), PATIENCE_MS);
  });
  try {
    return await Promise.race([late, opening.then(act)]);
  } finally {
    clearTimeout(timer);
    opening.then((store) => store.close()).catch(() => {});
  }
}

/** Two hashes: what is stored under a name, and how often it may still be used. */
async function redisStore(address: string): Promise<ApprovalStore> {
  const client = await connectRedis(address);
  const forget = async (names: readonly string[]) => client.send([TEXTS, LEFT].map((hash) => ["HDEL", hash, ...names]));
  return {
    all: async () => {
      const [texts, left] = (await client.send([TEXTS, LEFT].map((hash) => ["HGETALL", hash]))).map(pairsOf);
      const entries = [...(texts ?? [])].map(([name, value]) => {
        const [until = "", text = ""] = value.split(" ");
        return { name, until: Number(until), left: Number(left?.get(name) ?? 0), text };
      });
      const expired = entries.filter(({ until }) => !(until > Date.now())).map(({ name }) => name);
      if (expired.length > 0) await forget(expired);
      return entries.filter(({ name }) => !expired.includes(name));
    },
    add: async ({ name, until, left, text }) => {
      const [isNew] = await client.send([
        ["HSETNX", TEXTS, name, `${until} ${text}`],
        ["HSETNX", LEFT, name, String(left)],
      ]);
      return isNew === 1;
    },
    take: async (name) => {
      const [left] = await client.send([["HINCRBY", LEFT, name, "-1"]]);
      return Number(left) >= 0;
    },
    remove: async (name) => (await forget([name]))[0] === 1,
    close: async () => client.close(),
  };
}

function pairsOf(reply: RedisReply): Map<string, string> {
  const fields = (reply ?? []) as readonly string[];
  return new Map(fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? ""] as const] : [])));
}

/** The table `sluice_approvals`. */
async function postgresStore(url: string): Promise<ApprovalStore> {
  const client = await connectPostgres(url);
  const rows = async (statement: string, values: readonly unknown[] = []) => {
    try {
      return await client.unsafe(statement, values);
    } catch (error) {
      throw unavailable(error) ?? error;
    }
  };
  try {
    // Making tables takes a lock that other machines wait for.
    const [known] = await rows("select to_regclass('sluice_approvals') as name");
    if (Object(known).name === null) await migrate(client);
  } catch (error) {
    await client.end({ timeout: 1 }).catch(() => {});
    throw unavailable(error) ?? error;
  }
  const isOne = async (statement: string, values: readonly unknown[]) => (await rows(statement, values)).length === 1;
  return {
    all: async () => {
      await rows("delete from sluice_approvals where until <= $1::float8", [Date.now()]);
      return (await rows(
        'select name, until, "left", text from sluice_approvals',
      )) as unknown as readonly StoredApproval[];
    },
    add: ({ name, until, left, text }) =>
      isOne("insert into sluice_approvals values ($1, $2, $3, $4) on conflict do nothing returning name", [
        name,
        until,
        left,
        text,
      ]),
    take: (name) =>
      isOne('update sluice_approvals set "left" = "left" - 1 where name = $1 and "left" > 0 returning name', [name]),
    remove: (name) => isOne("delete from sluice_approvals where name = $1 returning name", [name]),
    close: () => client.end({ timeout: 1 }),
  };
}

const TEXTS = "sluice:approvals";
const LEFT = "sluice:approvals:left";
/** A question waits this long for the store at most. */
const PATIENCE_MS = 10_000;
