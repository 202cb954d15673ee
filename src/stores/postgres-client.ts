import { importInstalled } from "../fs/import-package.ts";
import { problems } from "../problem/problem.ts";
import { StoreUnavailable } from "./store.ts";

/** The part of the package `postgres` that is used here. */
export interface PostgresClient {
  unsafe(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  begin<T>(act: (client: PostgresClient) => Promise<T>): Promise<T>;
  end(options?: { readonly timeout?: number }): Promise<void>;
}

type Connect = (url: string, options: object) => PostgresClient;

/** Connects to a database; the package is loaded now and only here. */
export async function connectPostgres(url: string): Promise<PostgresClient> {
  let connect: Connect;
  try {
    ({ default: connect } = (await importInstalled("postgres")) as { default: Connect });
  } catch (error) {
    throw PROBLEMS.noPostgres(undefined, { cause: error });
  }
  return connect(url, { max: 1, connect_timeout: 10, idle_timeout: 0, onnotice: () => {} });
}

/** What a failure of the database means: nothing for a statement that will never succeed. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  const { code = "", message = "" } = Object(error) as { readonly code?: string; readonly message?: string };
  if (code === "28P01" || code === "28000" || code === "3D000" || code === "42501")
    throw PROBLEMS.notLetIn({ message }, { cause: error });
  const isOfData = /^(?:22|23)/.test(code);
  return isOfData ? undefined : new StoreUnavailable(`the database cannot be used: ${message || code}`);
}

/** The steps from nothing to the tables of this version. A step is never changed; another one is added after it. */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create table sluice_decisions (
      time timestamptz not null,
      id text not null,
      machine text not null,
      kind text not null,
      agent text,
      session_id text,
      event text not null,
      tool text,
      action text not null,
      project text,
      policy text,
      reasons text[] not null,
      hooks text[] not null,
      let_pass boolean not null,
      duration_ms double precision not null,
      record jsonb not null,
      primary key (time, machine, id)
    ) partition by range (time)`,
    "create index on sluice_decisions (action, time)",
    "create index on sluice_decisions (session_id, time)",
  ],
  [
    `create table sluice_machines (
      machine text primary key,
      at timestamptz not null,
      sluice text not null,
      bundle bigint,
      confirmed timestamptz,
      problem text
    )`,
  ],
  [
    `create table sluice_shared (
      place bigint generated always as identity primary key,
      at timestamptz not null default now(),
      machine text not null,
      file text not null,
      part text not null,
      "end" bigint not null,
      text text not null,
      unique (machine, file, part, "end")
    )`,
    "create index on sluice_shared (at)",
  ],
  [
    `create table sluice_approvals (
      name text primary key,
      until double precision not null,
      "left" int not null,
      text text not null
    )`,
  ],
];

/** Brings a database to the tables of this version; several machines may do so at once. */
export async function migrate(client: PostgresClient): Promise<void> {
  await client.begin(async (inside) => {
    await inside.unsafe("select pg_advisory_xact_lock(7305512)");
    await inside.unsafe(
      "create table if not exists sluice_schema (version int primary key, at timestamptz not null default now())",
    );
    const [known] = await inside.unsafe("select coalesce(max(version), 0)::int as version from sluice_schema");
    for (let step = Number(known?.version ?? 0); step < MIGRATIONS.length; step++) {
      for (const statement of MIGRATIONS[step] ?? []) await inside.unsafe(statement);
      await inside.unsafe("insert into sluice_schema (version) values ($1)", [step + 1]);
    }
  });
}

/** Makes the partition of a day, `2026-01-31`, where it is missing. */
export async function makePartition(client: PostgresClient, day: string): Promise<void> {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  try {
    await client.unsafe(
      `create table if not exists sluice_decisions_${day.replaceAll("-", "_")} partition of sluice_decisions
       for values from ('${day} 00:00:00+00') to ('${next} 00:00:00+00')`,
    );
  } catch (error) {
    // Another machine has made it in the same moment.
    const { code = "" } = error as { readonly code?: string };
    if (code !== "42P07" && code !== "23505") throw error;
  }
}

const DAY_MS = 86_400_000;

const PROBLEMS = problems("ship", {
  noPostgres: () => ({
    what: "The package `postgres` is not installed; it is needed for a postgres:// target.",
    fix: "Run `npm install postgres` beside Sluice.",
  }),
  notLetIn: ({ message }: { message: string }) => ({
    what: `The database refuses: ${message}.`,
    fix: "Check user, password and database in the address; the role needs CREATE and USAGE on the schema.",
  }),
});
