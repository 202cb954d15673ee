import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ResponseCache } from "./response-cache.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-cache-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(folder, String(++folders));

/** Clocks that a test sets, in seconds. */
function handClock(at = 1000) {
  const hands = { wall: at, steady: at };
  return { hands, wall: () => hands.wall * 1000, steady: () => hands.steady * 1000 };
}

const deny = { action: "deny", reason: "no" };

describe.each([
  ["in memory", () => ({})],
  ["on disk", () => ({ directory: newFolder() })],
])("a cache %s", (_, more) => {
  test("keeps an answer for five minutes", () => {
    const clock = handClock();
    const cache = new ResponseCache({ clock, ...more() });
    expect(cache.ttlSeconds).toBe(300);
    cache.put("p", { a: 1 }, deny);
    expect(cache.get("p", { a: 1 })).toEqual(deny);
    clock.hands.wall = clock.hands.steady = 1299;
    expect(cache.get("p", { a: 1 })).toEqual(deny);
    clock.hands.wall = clock.hands.steady = 1300;
    expect(cache.get("p", { a: 1 })).toBeUndefined();
  });

  test.each([
    ["the wall clock is set back before it was kept", { wall: 900, steady: 1010 }],
    ["the wall clock is set back after it went stale", { wall: 1100, steady: 1400 }],
    ["the wall clock is set forward", { wall: 9000, steady: 1010 }],
    ["the machine started anew", { wall: 1010, steady: 5 }],
  ])("forgets when %s", (_case, hands) => {
    const clock = handClock();
    const cache = new ResponseCache({ clock, ...more() });
    cache.put("p", {}, deny);
    Object.assign(clock.hands, hands);
    expect(cache.get("p", {})).toBeUndefined();
  });

  test("tells questions apart by prompt, data, model and system prompt, not by the order of keys", () => {
    const cache = new ResponseCache(more());
    cache.put("p", { a: 1, b: { c: 2, d: [3] } }, deny, { model: "m", system: "s" });
    const get = (prompt: string, data: unknown, model = "m", system = "s") =>
      cache.get(prompt, data, { model, system });
    expect(get("p", { b: { d: [3], c: 2 }, a: 1 })).toEqual(deny);
    expect(get("q", { a: 1, b: { c: 2, d: [3] } })).toBeUndefined();
    expect(get("p", { a: 1, b: { c: 2, d: [4] } })).toBeUndefined();
    expect(get("p", { a: 1, b: { c: 2, d: [3] } }, "n")).toBeUndefined();
    expect(get("p", { a: 1, b: { c: 2, d: [3] } }, "m", "t")).toBeUndefined();
  });

  test("never keeps a failure", () => {
    const cache = new ResponseCache(more());
    for (const result of [{ failure: { why: "timeout" } }, { error: "x" }, { success: false }])
      cache.put("p", 1, result);
    expect(cache.get("p", 1)).toBeUndefined();
    cache.put("p", 1, { action: "deny", error: undefined, success: true });
    expect(cache.get("p", 1)).toEqual({ action: "deny", success: true });
  });

  test("hands out copies", () => {
    const cache = new ResponseCache<{ data: { a: number } }>(more());
    const result = { data: { a: 1 } };
    cache.put("p", {}, result);
    result.data.a = 2;
    const first = cache.get("p", {});
    if (first) first.data.a = 3;
    expect(cache.get("p", {})).toEqual({ data: { a: 1 } });
  });

  test("cleans up what went stale", () => {
    const clock = handClock();
    const cache = new ResponseCache({ clock, ttlSeconds: 10, ...more() });
    cache.put("old", {}, deny);
    clock.hands.wall = clock.hands.steady = 1011;
    cache.put("new", {}, deny);
    expect(cache.cleanup()).toBeGreaterThan(0);
    expect(cache.size).toBe(1);
    expect(cache.cleanup()).toBe(0);
    expect(cache.get("new", {})).toEqual(deny);
  });
});

test("a full cache forgets what was used least lately", () => {
  const cache = new ResponseCache({ max: 2 });
  cache.put("a", {}, deny);
  cache.put("b", {}, deny);
  cache.get("a", {});
  cache.put("c", {}, deny);
  expect(["a", "b", "c"].map((prompt) => cache.get(prompt, {}) !== undefined)).toEqual([true, false, true]);
});

describe("a cache on disk", () => {
  test("is known to the next one, with its age", () => {
    const [directory, clock] = [newFolder(), handClock()];
    new ResponseCache({ directory, clock }).put("p", {}, deny);
    const next = new ResponseCache({ directory, clock });
    expect(next.get("p", {})).toEqual(deny);
    clock.hands.wall = clock.hands.steady = 1300;
    expect(next.get("p", {})).toBeUndefined();
    expect(readdirSync(directory)).toEqual([]);
  });

  test("is private, and holds no more than it may", () => {
    const directory = newFolder();
    mkdirSync(directory, { mode: 0o755 });
    const cache = new ResponseCache({ directory, max: 3 });
    for (let number = 0; number < 10; number++) cache.put(String(number), {}, deny);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(readdirSync(directory)).toHaveLength(3);
    for (const file of readdirSync(directory)) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["cut off", (text: string) => text.slice(0, -20)],
    ["changed", (text: string) => text.replace("deny", "dony")],
    ["made younger", (text: string) => text.replace(/"wall":\d+/, '"wall":99999999999999')],
    ["emptied", () => ""],
    ["blown up", () => `{"x":"${"x".repeat(300_000)}"}`],
    ["something else", () => "[1]"],
  ])("ignores an entry that was %s", (_, spoil) => {
    const directory = newFolder();
    new ResponseCache({ directory }).put("p", {}, deny);
    const file = join(directory, readdirSync(directory)[0] ?? "");
    writeFileSync(file, spoil(readFileSync(file, "utf8")));
    const next = new ResponseCache({ directory });
    expect(next.get("p", {})).toBeUndefined();
    expect(next.cleanup()).toBe(1);
  });

  test("works without its folder, and never through a link", () => {
    const blocked = newFolder();
    writeFileSync(blocked, "a file");
    const [target, link] = [newFolder(), newFolder()];
    mkdirSync(target);
    symlinkSync(target, link);
    for (const directory of [blocked, link]) {
      const cache = new ResponseCache({ directory });
      cache.put("p", {}, deny);
      expect(cache.get("p", {})).toEqual(deny);
      expect(new ResponseCache({ directory }).get("p", {})).toBeUndefined();
    }
    expect(readdirSync(target)).toEqual([]);
  });
});
