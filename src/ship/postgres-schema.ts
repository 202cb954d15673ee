import type { PostgresClient } from "./postgres-client.ts";

/** The steps from nothing to the tables of this version. A step is never changed; another one is added behind it. */
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
