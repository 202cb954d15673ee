import { errorText } from "../problem/problem.ts";
import {
  connectPostgres,
  makePartition,
  migrate,
  type PostgresClient,
  unavailable,
} from "../stores/postgres-client.ts";
import { StoreUnavailable } from "../stores/store.ts";
import { hasLetPass } from "./otlp-model.ts";
import type { OpenSink } from "./ship.ts";
import type { MachineReport, ShippedRecord, SinkReceipt } from "./sink.ts";

/** One row for each record in the table `sluice_decisions`, in partitions by day; a record that is there already stays one row. */
export async function postgresSink(url: string): Promise<OpenSink> {
  const client = await connectPostgres(url);
  const days = new Set<string>();
  try {
    await migrate(client);
  } catch (error) {
    await client.end({ timeout: 1 }).catch(() => {});
    throw unavailable(error) ?? new StoreUnavailable(String(error));
  }
  return {
    send: (batch) => store(client, batch, days),
    report: (report) => storeReport(client, report),
    close: () => client.end({ timeout: 5 }),
  };
}

async function store(client: PostgresClient, batch: readonly ShippedRecord[], days: Set<string>): Promise<SinkReceipt> {
  const now = Date.now();
  const isTimely = ({ record: { time } }: ShippedRecord) => {
    const at = Date.parse(time);
    return at > now - OLDEST_MS && at < now + NEWEST_MS;
  };
  const timely = batch.filter(isTimely);
  const late = batch.filter((one) => !isTimely(one)).map(({ key }) => ({ key, why: "its time is years away" }));
  try {
    for (const day of new Set(timely.map(({ record }) => record.time.slice(0, 10))))
      if (!days.has(day)) {
        await makePartition(client, day);
        days.add(day);
      }
    await insert(client, timely);
    return { acknowledged: timely.map(({ key }) => key), dropped: late };
  } catch (error) {
    const away = unavailable(error);
    if (away !== undefined) throw away;
    return oneByOne(client, timely, late);
  }
}

/** The database refuses something in a batch: all others of it are stored. */
async function oneByOne(
  client: PostgresClient,
  batch: readonly ShippedRecord[],
  late: SinkReceipt["dropped"],
): Promise<SinkReceipt> {
  const [acknowledged, dropped]: [string[], { key: string; why: string }[]] = [[], [...late]];
  for (const one of batch) {
    try {
      await insert(client, [one]);
      acknowledged.push(one.key);
    } catch (error) {
      const away = unavailable(error);
      if (away !== undefined) throw away;
      dropped.push({ key: one.key, why: errorText(error) });
    }
  }
  return { acknowledged, dropped };
}

async function insert(client: PostgresClient, batch: readonly ShippedRecord[]): Promise<void> {
  if (batch.length === 0) return;
  await client.unsafe(INSERT, [`[${batch.map(rowOf).join(",")}]`]);
}

function rowOf({ machine, record }: ShippedRecord): string {
  const hooks = record.results.filter(({ action }) => action !== "continue").map(({ hook }) => hook);
  const row = { machine, hooks, let_pass: hasLetPass(record), record };
  const text = JSON.stringify(row);
  return UNSTORABLE.test(text) ? JSON.stringify(storable(row)) : text;
}

/** Postgres has no place for the character 0, nor for half of a surrogate pair. */
function storable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(UNSTORABLE_SIGNS, "\uFFFD");
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [String(storable(key)), storable(inner)]));
}

async function storeReport(client: PostgresClient, report: MachineReport): Promise<void> {
  const { machine, at, sluice, bundle = null, confirmed = null, problem = null } = report;
  try {
    await client.unsafe(REPORT, [machine, at, sluice, bundle, confirmed, problem]);
  } catch (error) {
    throw unavailable(error) ?? error;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what cannot be stored.
const UNSTORABLE_SIGNS = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const UNSTORABLE = /\\u0000|\\ud[89a-f]/i;
const OLDEST_MS = 400 * 86_400_000;
const NEWEST_MS = 2 * 86_400_000;

const INSERT = `
insert into sluice_decisions
  (time, id, machine, kind, agent, session_id, event, tool, action, project, policy, reasons, hooks, let_pass, duration_ms, record)
select (record->>'time')::timestamptz, record->>'id', machine, coalesce(record->>'kind', 'decision'), record->>'agent',
  record->>'session_id', record->>'event', record->>'tool', record->>'action', record->>'root', record->>'policy',
  array(select jsonb_array_elements_text(record->'reasons')), hooks, let_pass,
  coalesce((record->>'duration_ms')::double precision, 0), record
from jsonb_to_recordset($1::text::jsonb) as row(machine text, hooks text[], let_pass boolean, record jsonb)
on conflict do nothing`;

const REPORT = `
insert into sluice_machines (machine, at, sluice, bundle, confirmed, problem) values ($1, $2, $3, $4, $5, $6)
on conflict (machine) do update set at = excluded.at, sluice = excluded.sluice, bundle = excluded.bundle,
  confirmed = excluded.confirmed, problem = excluded.problem`;
