import { connectPostgres, migrate, type PostgresClient, unavailable } from "../stores/postgres-client.ts";
import { connectRedis, type RedisReply } from "../stores/redis-client.ts";
import { withVariables } from "../stores/store.ts";
import type { SharedStore } from "./share.ts";
import type { SharedLine } from "./shared-files.ts";

/** Opens the store of an address; `${NAME}` in it is a variable. */
export function openSharedStore(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SharedStore> {
  const store = withVariables(address, env);
  return /^redis/i.test(store) ? redisStore(store) : postgresStore(store);
}

/** One stream, of which Redis forgets the oldest. */
async function redisStore(address: string): Promise<SharedStore> {
  const client = await connectRedis(address);
  return {
    put: async (lines) => {
      await client.send(
        lines.map(({ machine, file, part, end, text }) => [
          ...["XADD", STREAM, "MAXLEN", "~", String(MAX_KEPT), "*"],
          ...["machine", machine, "file", file, "part", part, "end", String(end), "text", text],
        ]),
      );
    },
    since: async (place = "0") => {
      const [found] = await client.send([["XREAD", "COUNT", String(PAGE), "STREAMS", STREAM, place]]);
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
