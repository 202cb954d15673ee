import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { followRecords, journalEnds } from "./follow.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "follow-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const line = (id: string) =>
  `${JSON.stringify({ v: 1, id, time: "2026-01-01T00:00:00Z", event: "e", action: "continue", reasons: [], results: [] })}\n`;

test("records are followed across a file that is rolled over, a new day and a line that is written in two parts", async () => {
  const at = folder();
  const today = join(at, "2026-01-01.jsonl");
  writeFileSync(today, line("before"));
  const stop = new AbortController();
  const counts = { broken: 0 };
  const following = followRecords(at, journalEnds(at), { signal: stop.signal, counts });
  const next = async () => (await following.next()).value?.id;

  appendFileSync(today, line("one"));
  expect(await next()).toBe("one");

  appendFileSync(today, line("two"));
  renameSync(today, join(at, "2026-01-01.120000000-7.jsonl"));
  writeFileSync(today, line("three"));
  expect([await next(), await next()]).toEqual(["two", "three"]);

  const whole = line("four");
  appendFileSync(today, whole.slice(0, 20));
  const waiting = next();
  setTimeout(() => appendFileSync(today, whole.slice(20)), 300);
  expect(await waiting).toBe("four");

  appendFileSync(today, "torn\n");
  writeFileSync(join(at, "2026-01-02.jsonl"), line("five"));
  expect(await next()).toBe("five");
  expect(counts.broken).toBe(1);

  setTimeout(() => stop.abort(), 20);
  expect(await following.next()).toEqual({ value: undefined, done: true });
});

test("a journal that does not exist yet is waited for", async () => {
  const at = join(folder(), "decisions.d");
  const following = followRecords(at, journalEnds(at), { signal: AbortSignal.timeout(300) });
  expect(await following.next()).toMatchObject({ done: true });
});
