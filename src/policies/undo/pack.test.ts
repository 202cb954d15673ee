import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cleanPacks, PackWriter, packedIn, readPacked } from "./pack.ts";

/** A pack of these pieces; `inRoom` says of each whether it is read into the room that the pack gives. */
function packed(pieces: readonly Buffer[], inRoom: boolean) {
  const folder = mkdtempSync(join(tmpdir(), "sluice-pack-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = openSync(join(folder, "one"), "wx");
  const writer = new PackWriter(file);
  for (const [at, piece] of pieces.entries()) {
    const room = inRoom ? writer.room(piece.length + 1) : piece;
    expect(room.length).toBe(piece.length + (inRoom ? 1 : 0));
    if (inRoom) piece.copy(room);
    writer.add(hashAt(at), room.subarray(0, piece.length));
  }
  const isWhole = () => packedIn(folder).size > 0;
  expect(isWhole()).toBe(false);
  writer.finish();
  closeSync(file);
  return { folder, path: join(folder, "one") };
}

const hashAt = (at: number) => String(at).padStart(64, "0");
const filled = (length: number, at: number) => Buffer.alloc(length, at + 1);
const KIB = 1024;

test.each([
  ["small ones", [3, 0, 5]],
  ["many that are written at once, as far as they have room", [400, 400, 400, 400].map((size) => size * KIB)],
  ["ones that fill the room", [1024 * KIB - 1, 1, 1024 * KIB - 1]],
  ["one that has no room, between others", [5, 1024 * KIB, 1500 * KIB, 7]],
])("every piece of a pack comes back as it was: %s", (_, sizes) => {
  const pieces = sizes.map(filled);
  for (const inRoom of [true, false]) {
    const found = packedIn(packed(pieces, inRoom).folder);
    expect(found.size).toBe(pieces.length);
    for (const [at, piece] of pieces.entries()) {
      const place = found.get(hashAt(at));
      expect(place !== undefined && readPacked(place)?.equals(piece)).toBe(true);
    }
  }
});

test("a file that is cut short, longer or something else is no pack, and a pack that has gone holds nothing", () => {
  const { folder, path } = packed([filled(10, 1), filled(20, 2)], false);
  const [place] = packedIn(folder).values();
  const whole = readFileSync(path);
  for (const content of [
    whole.subarray(0, -1),
    Buffer.concat([whole, whole.subarray(0, 1)]),
    whole.subarray(60),
    Buffer.alloc(3),
  ]) {
    writeFileSync(path, content);
    expect(packedIn(folder).size).toBe(0);
  }
  rmSync(path);
  expect(place !== undefined && readPacked(place)).toBe(undefined);
  expect(packedIn(join(folder, "nowhere")).size).toBe(0);
  expect(packedIn(path).size).toBe(0);
});

test("a piece that was read elsewhere into the room of the pack comes back as well", () => {
  const folder = mkdtempSync(join(tmpdir(), "sluice-pack-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = openSync(join(folder, "one"), "wx");
  const writer = new PackWriter(file);
  const room = writer.room(10);
  room.write("0123456789");
  writer.add(hashAt(0), room.subarray(5));
  writer.finish();
  closeSync(file);
  const place = packedIn(folder).get(hashAt(0));
  expect(place !== undefined && readPacked(place)?.toString()).toBe("56789");
});

test.each<[wanted: number[], what: string]>([
  [[], "gone"],
  [[0, 1, 2, 3], "left"],
  [[0, 1], "left"],
  [[0], "0"],
])(
  "an old pack of four pieces of which %j are wanted is %s or written again with those, and a new one stays",
  (wanted, what) => {
    const { folder, path } = packed(
      [1, 2, 3, 4].map((at) => filled(10, at)),
      false,
    );
    const again: string[] = [];
    const clean = (olderThanMs: number) =>
      cleanPacks(folder, {
        isWanted: (hash) => wanted.includes(Number(hash)),
        olderThanMs,
        rewrite: (file, pieces) => again.push(`${file} ${pieces.map(([hash]) => Number(hash)).join(" ")}`),
      });
    clean(60_000);
    expect([readdirSync(folder), again]).toEqual([["one"], []]);
    utimesSync(path, 1000, 1000);
    clean(60_000);
    expect(readdirSync(folder)).toEqual(what === "gone" ? [] : ["one"]);
    expect(again).toEqual(/^\d/.test(what) ? [`${path} ${what}`] : []);
  },
);
