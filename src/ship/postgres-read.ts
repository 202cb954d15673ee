import { connectPostgres } from "../stores/postgres-client.ts";
import type { DecisionRecord } from "../trace/record.ts";
import type { MachineReport } from "./sink.ts";

/** A record of a database, with the machine that shipped it. */
export type StoredRecord = DecisionRecord & { readonly machine: string };

/** The records of a database, newest first and page by page; only those from `since` on, and before a time, machine and id. */
export async function* storedRecords(
  url: string,
  since: string | undefined,
  from: readonly unknown[] = ["infinity", "", ""],
): AsyncGenerator<StoredRecord, void, void> {
  const client = await connectPostgres(url);
  try {
    let before = from;
    for (;;) {
      const rows = await client.unsafe(PAGE, [since ?? "-infinity", ...before]);
      for (const row of rows) yield recordIn(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_SIZE) return;
      before = [last.at, last.machine, last.id];
    }
  } finally {
    await client.end({ timeout: 1 }).catch(() => {});
  }
}

/** One record, by its id and its time. */
export async function storedRecord(url: string, id: string, time: string): Promise<StoredRecord | undefined> {
  const client = await connectPostgres(url);
  try {
    const [row] = await client.unsafe(
      "select record, machine from sluice_decisions where time = $1::text::timestamptz and id = $2 limit 1",
      [time, id],
    );
    return row && recordIn(row);
  } finally {
    await client.end({ timeout: 1 }).catch(() => {});
  }
}

function recordIn({ record, machine }: Readonly<Record<string, unknown>>): StoredRecord {
  return { ...(record as DecisionRecord), machine: String(machine) };
}

/** What machines have reported to a database. */
export async function storedReports(url: string): Promise<readonly MachineReport[]> {
  const client = await connectPostgres(url);
  try {
    const rows = await client.unsafe(
      `select machine, to_json(at)#>>'{}' as at, sluice, bundle::float8 as bundle, to_json(confirmed)#>>'{}' as confirmed, problem
       from sluice_machines order by at desc`,
    );
    return rows.map(
      (row) => ({ ...row, bundle: row.bundle ?? undefined, problem: row.problem ?? undefined }) as MachineReport,
    );
  } finally {
    await client.end({ timeout: 1 }).catch(() => {});
  }
}

const PAGE_SIZE = 1000;
const PAGE = `
select record, time::text as at, machine, id from sluice_decisions
where time >= $1::text::timestamptz and (time, machine, id) < ($2::text::timestamptz, $3, $4)
order by time desc, machine desc, id desc limit ${PAGE_SIZE}`;
