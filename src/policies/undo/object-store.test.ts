import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DRY_STORE, ObjectStore } from "./object-store.ts";

const text = (at: number) => Buffer.from(`content ${at} `.repeat(100));

/** A store with ten pieces in one pack. */
function packed() {
  const folder = mkdtempSync(join(tmpdir(), "sluice-store-"));
  const store = new ObjectStore(folder);
  const hashes = Array.from({ length: 10 }, (_, at) => store.pack(text(at)).hash);
  store.seal();
  const packs = () => readdirSync(join(folder, "packs")).map((name) => join(folder, "packs", name));
  return { folder, hashes, packs };
}

function grownOld(path: string): void {
  utimesSync(path, 1000, 1000);
}

describe("content that is packed", () => {
  it("comes back by its hash, from one file", () => {
    const { folder, hashes, packs } = packed();
    const store = new ObjectStore(folder);
    expect(hashes.findIndex((hash, at) => !store.read(hash)?.equals(text(at)))).toBe(-1);
    expect(packs()).toHaveLength(1);
    expect(statSync(packs()[0] ?? "").mode & 0o777).toBe(0o600);
  });

  it("lies there once, whether it comes again alone or as one of many", () => {
    const { folder, hashes, packs } = packed();
    const store = new ObjectStore(folder);
    expect(store.put(text(3))).toEqual({ hash: hashes[3], grown: 0 });
    expect(store.pack(text(4))).toEqual({ hash: hashes[4], grown: 0 });
    const alone = store.put(Buffer.from("alone"));
    expect(alone.grown).toBe(5);
    const later = new ObjectStore(folder);
    expect(later.pack(Buffer.from("alone"))).toEqual({ hash: alone.hash, grown: 0 });
    later.seal();
    expect(packs()).toHaveLength(1);
  });

  it("is stored again after the pack was dropped, from room in it or not", () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-store-"));
    const store = new ObjectStore(folder);
    store.pack(text(1));
    store.drop();
    const again = store.pack(text(1));
    const room = store.room(text(2).length + 1);
    text(2).copy(room);
    const read = store.pack(room.subarray(0, text(2).length));
    store.seal();
    expect(new ObjectStore(folder).read(again.hash)).toEqual(text(1));
    expect(new ObjectStore(folder).read(read.hash)).toEqual(text(2));
  });

  it("is not there before the pack is whole, and a pack that is dropped leaves nothing", () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-store-"));
    const store = new ObjectStore(folder);
    const { hash } = store.pack(text(1));
    expect(new ObjectStore(folder).read(hash)).toBeUndefined();
    store.drop();
    expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  });

  it("is gone where the pack was cut or changed, and nothing else is taken for it", () => {
    const { folder, hashes, packs } = packed();
    const [path = ""] = packs();
    const whole = readFileSync(path);
    for (const length of [0, 7, 100, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect(new ObjectStore(folder).read(hashes[0] ?? "")).toBeUndefined();
    }
    writeFileSync(path, Buffer.concat([Buffer.from("X"), whole.subarray(1)]));
    const store = new ObjectStore(folder);
    expect(store.read(hashes[0] ?? "")).toBeUndefined();
    expect(store.read(hashes[1] ?? "")).toEqual(text(1));
  });

  it("goes when no call names it, and a pack shrinks to what is still named", () => {
    const { folder, hashes, packs } = packed();
    const [path = ""] = packs();
    const before = statSync(path).size;
    grownOld(path);
    new ObjectStore(folder).removeOthers(new Set(hashes.slice(0, 8)), 60_000);
    expect(statSync(path).size).toBe(before);
    new ObjectStore(folder).removeOthers(new Set([hashes[2] ?? ""]), 60_000);
    expect(statSync(path).size).toBeLessThan(before / 4);
    const store = new ObjectStore(folder);
    expect(store.read(hashes[2] ?? "")).toEqual(text(2));
    expect(store.read(hashes[3] ?? "")).toBeUndefined();
    grownOld(path);
    store.removeOthers(new Set(), 60_000);
    expect(packs()).toEqual([]);
  });

  it("is found where another process has written the pack again, and stays while it is new", () => {
    const { folder, hashes, packs } = packed();
    const reader = new ObjectStore(folder);
    expect(reader.read(hashes[9] ?? "")).toEqual(text(9));
    new ObjectStore(folder).removeOthers(new Set(), 60_000);
    expect(packs()).toHaveLength(1);
    grownOld(packs()[0] ?? "");
    new ObjectStore(folder).removeOthers(new Set([hashes[9] ?? ""]), 60_000);
    expect(reader.read(hashes[9] ?? "")).toEqual(text(9));
    for (const path of packs()) rmSync(path);
    expect(reader.read(hashes[9] ?? "")).toBeUndefined();
  });
});

it("content of a call that has gone is removed at once, unless it was stored again since", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-objects-"));
  const { hash } = new ObjectStore(folder).put(Buffer.from("content"));
  const { ctimeMs } = statSync(join(folder, "sha256", hash));
  new ObjectStore(folder).remove(hash, ctimeMs - 1);
  expect(new ObjectStore(folder).read(hash)?.toString()).toBe("content");
  new ObjectStore(folder).remove(hash, ctimeMs);
  expect(new ObjectStore(folder).read(hash)).toBeUndefined();
  rmSync(folder, { recursive: true });
});

it("what no call names is removed one by one as well, and what one names stays", () => {
  const store = new ObjectStore(packed().folder);
  const [one, other] = [store.put(Buffer.from("one")).hash, store.put(Buffer.from("other")).hash];
  store.removeOthers(new Set([one, other]), -1);
  expect(store.read(other)?.toString()).toBe("other");
  store.removeOthers(new Set([one]), 60_000);
  expect(store.read(other)?.toString()).toBe("other");
  store.removeOthers(new Set([one]), -1);
  expect([store.read(one)?.toString(), store.read(other)]).toEqual(["one", undefined]);
});

it("content of which only a part was written is stored again, alone and as one of many", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-objects-"));
  const { hash } = new ObjectStore(folder).put(text(1));
  const path = join(folder, "sha256", hash);
  truncateSync(path, 10);
  expect(new ObjectStore(folder).put(text(1))).toEqual({ hash, grown: text(1).length });
  expect([readFileSync(path).equals(text(1)), statSync(path).mode & 0o777]).toEqual([true, 0o600]);
  expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  grownOld(path);
  const again = new ObjectStore(folder);
  expect([again.put(text(1)).grown, again.put(text(1)).grown]).toEqual([0, 0]);
  expect(statSync(path).mtimeMs).toBeGreaterThan(1_000_000);
  truncateSync(path, 10);
  const store = new ObjectStore(folder);
  expect(store.pack(text(1))).toEqual({ hash, grown: text(1).length });
  store.seal();
  expect(new ObjectStore(folder).read(hash)).toEqual(text(1));
  rmSync(folder, { recursive: true });
});

it("a large file is copied as it is, holes included, and lies there once", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-objects-"));
  const source = join(folder, "source");
  const file = openSync(source, "wx", 0o640);
  writeSync(file, "begin", 0);
  writeSync(file, "middle", 300_000);
  ftruncateSync(file, 500_001);
  closeSync(file);
  const store = new ObjectStore(join(folder, "store"));
  const kept = store.putFile(source);
  expect(kept).toMatchObject({ size: 500_001, grown: 500_001 });
  expect(store.putFile(source)).toEqual({ ...kept, grown: 0 });
  const path = join(folder, "store/sha256", kept.hash);
  expect(readFileSync(path).equals(readFileSync(source))).toBe(true);
  expect(statSync(path).blocks).toBeLessThanOrEqual(statSync(source).blocks + 256);
  expect(store.copyTo(kept.hash, Buffer.from(join(folder, "copy")))).toBe(true);
  expect(readFileSync(join(folder, "copy")).equals(readFileSync(source))).toBe(true);
  truncateSync(path, 500_000);
  expect(store.copyTo(kept.hash, Buffer.from(join(folder, "other")))).toBe(false);
  expect(existsSync(join(folder, "other"))).toBe(false);
  expect(store.putFile(source)).toEqual(kept);
  expect(store.copyTo("none", Buffer.from(join(folder, "other")))).toBe(false);
  expect(() => store.putFile(join(folder, "missing"))).toThrow(/missing/);
  expect(readdirSync(join(folder, "store/drafts"))).toEqual([]);
  expect(DRY_STORE.putFile(source)).toEqual({ hash: "", grown: 0, size: 500_001 });
  expect([DRY_STORE.room(3).length, DRY_STORE.put(text(1)), DRY_STORE.pack(text(1))]).toEqual([
    3,
    { hash: "", grown: 0 },
    { hash: "", grown: 0 },
  ]);
  rmSync(folder, { recursive: true });
});
