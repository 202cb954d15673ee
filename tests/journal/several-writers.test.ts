import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { journalFolder } from "../../src/trace/journal.ts";
import { records } from "../../src/trace/read.ts";
import { cases } from "../cases.ts";

test("processes that write at once lose and tear nothing", async () => {
  const home = mkdtempSync(join(tmpdir(), "sluice-writers-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const writer = join(inject("programs"), "journal-writer.mjs");
  const names = Array.from({ length: cases(4, 8) }, (_, index) => `writer${index}`);
  const env = { PATH: process.env.PATH, XDG_STATE_HOME: home };
  const run = promisify(execFile);
  await Promise.all(names.map((name) => run(process.execPath, [writer, name], { env, timeout: 50_000 })));
  const counts = { broken: 0 };
  const seen = new Map<string, number[]>();
  for (const { event_json } of records(journalFolder(env), counts)) {
    const { data } = event_json as { data: { tool_args: { command: string } } };
    const [name = "", turn] = data.tool_args.command.split(" ");
    seen.set(name, [Number(turn), ...(seen.get(name) ?? [])]);
  }
  expect(counts.broken).toBe(0);
  for (const name of names) expect(seen.get(name)).toEqual(Array.from({ length: 200 }, (_, index) => index));
});
