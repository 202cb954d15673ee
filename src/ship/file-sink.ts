import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeDir } from "../fs/make-dir.ts";
import { writeAtomic } from "../fs/write-atomic.ts";
import { errorText } from "../problem/problem.ts";
import { StoreUnavailable } from "../stores/store.ts";
import type { OpenSink } from "./ship.ts";
import type { ShippedRecord } from "./sink.ts";

/** One line of JSON for each record, in a file; in a folder (`file:///share/`) each machine has files of its own. */
export function fileSink(target: string, machine: string): OpenSink {
  const path = pathOf(target);
  const isFolder = path.endsWith("/");
  const file = isFolder ? join(path, `${machine}.jsonl`) : path;
  return {
    send: async (batch) => {
      attempt(file, () => {
        makeDir(dirname(file));
        appendFileSync(file, batch.map(lineOf).join(""), { mode: 0o600 });
      });
      return { acknowledged: batch.map(({ key }) => key), dropped: [] };
    },
    ...(isFolder && {
      report: async (report) => {
        attempt(path, () => {
          makeDir(path);
          writeAtomic(join(path, `${machine}${REPORT_ENDING}`), `${JSON.stringify(report)}\n`);
        });
      },
    }),
    close: async () => {},
  };
}

/** How the name of a machine's report ends. */
export const REPORT_ENDING = ".machine.json";

/** The path that `file:name`, `file:/name` or `file:///name` means. */
export function pathOf(target: string): string {
  return target.startsWith("file://") ? fileURLToPath(target) : target.slice("file:".length);
}

function lineOf({ key, machine, record }: ShippedRecord): string {
  return `${JSON.stringify({ key, machine, ...record })}\n`;
}

function attempt(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new StoreUnavailable(
      `${path} cannot be written: ${errorText(error)}. Make room or give yourself the right to write there, or name another file with --to`,
    );
  }
}
