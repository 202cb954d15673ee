import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ShipOptions, shipJournal } from "../../src/ship/ship.ts";
import { append } from "../../src/trace/journal.ts";

/** A machine with a journal of its own, whose records look like those of an agent's session. */
export function machineWithJournal() {
  const home = mkdtempSync(join(tmpdir(), "sluice-ship-"));
  const journal = join(home, "state", "sluice", "decisions");
  mkdirSync(journal, { recursive: true, mode: 0o700 });
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  return {
    home,
    journal,
    env,
    add: (...records: readonly object[]) => {
      for (const record of records) append(journal, JSON.stringify(record));
    },
    write: (day: string, records: readonly object[]) =>
      writeFileSync(join(journal, `${day}.jsonl`), records.map((record) => `${JSON.stringify(record)}\n`).join(""), {
        mode: 0o600,
      }),
    ship: (open: ShipOptions["open"], more: Partial<ShipOptions> = {}) =>
      shipJournal({
        env,
        journal,
        target: "file:test",
        machine: "m1",
        once: true,
        withArguments: false,
        signal: new AbortController().signal,
        retryMs: 5,
        open,
        ...more,
      }),
  };
}

/** A record as the journal has it. */
export function recordOf(index: number, more: object = {}) {
  return {
    v: 1,
    id: index.toString(16).padStart(6, "0"),
    time: new Date(Date.now() - 60_000 + index).toISOString(),
    kind: "decision",
    agent: "claude-code",
    session_id: `session-${index % 3}`,
    event: "tool:pre_execute",
    tool: "Bash",
    cwd: "/work/app",
    root: "/work/app",
    action: index % 4 === 0 ? "deny" : "continue",
    reasons: index % 4 === 0 ? ["Not on this machine."] : [],
    event_json: {
      type: "tool:pre_execute",
      data: { tool_use_id: `call-${index}`, tool_args: { command: `echo secret-argument-${index}` } },
      tool_name: "Bash",
    },
    results:
      index % 4 === 0
        ? [
            {
              hook: "no-deploys",
              layer: "managed",
              kind: "inline",
              fingerprint: "0",
              action: "deny",
              reason: "Not on this machine.",
              exit_code: null,
              duration_ms: 0.4,
            },
          ]
        : [],
    duration_ms: 1.5,
    ...more,
  };
}
