import { describe, expect, it } from "vitest";
import { RecentMap } from "./recent-map.ts";
import { SeenKeys } from "./transcript-calls.ts";

describe("what a replay keeps in memory", () => {
  it("is what was asked for last", () => {
    const map = new RecentMap<string, number>(2);
    map.set("first", 1);
    map.set("second", 2);
    expect(map.get("first")).toBe(1);
    map.set("third", 3);
    expect(["first", "second", "third"].map((key) => map.get(key))).toEqual([1, undefined, 3]);
    map.set("third", 4);
    expect(["first", "third"].map((key) => map.get(key))).toEqual([1, 4]);
  });

  it("tells every key that came before from every other, also among many", () => {
    const seen = new SeenKeys();
    const keys = Array.from({ length: 5000 }, (_, at) => `key ${at}`);
    expect(keys.every((key) => seen.isNew(key))).toBe(true);
    expect(keys.some((key) => seen.isNew(key))).toBe(false);
    expect(seen.isNew("key 5000")).toBe(true);
  });
});
