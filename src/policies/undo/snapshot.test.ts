import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blobId } from "../../fs/work-tree.ts";
import { ObjectStore } from "./object-store.ts";
import { type LostPath, type SnapshotContext, sizeText, snapshotOf } from "./snapshot.ts";

/** A folder with these files, and what is kept of paths in it. */
function folderWith(files: Readonly<Record<string, string>>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "sluice-snapshot-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "root");
  mkdirSync(join(root, "sub"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const store = new ObjectStore(join(base, "objects"));
  const context = { store, limits: { bytes: 1000, files: 100 }, held: new Map(), left: join(root, ".git") };
  const kept = (names: readonly string[], more: Partial<LostPath> = {}, given: Partial<SnapshotContext> = {}) =>
    snapshotOf(
      names.map((name) => ({ path: join(root, name), loss: "removed", isTree: true, ...more })),
      { ...context, ...given },
    );
  const shown = (...given: Parameters<typeof kept>) =>
    kept(...given)
      .files.map(({ path, kind }) => `${kind} ${String(path).slice(root.length + 1)}`)
      .sort();
  return { root, kept, shown, packs: join(base, "objects/packs") };
}

test("as much is kept of a call as the limits say, and no more", () => {
  const { kept } = folderWith({ a: "12345", b: "12345" });
  const within =
    (bytes: number, files: number, isUnclear = false) =>
    () =>
      kept(["a", "b"], { isUnclear }, { limits: { bytes, files } }).bytes;
  expect(within(10, 2)()).toBe(10);
  expect(within(9, 2)).toThrow("it destroys more than 9 bytes");
  expect(within(10, 1)).toThrow("it destroys more than 1 files");
  expect(within(9, 2, true)).toThrow("there is more than 9 bytes that it may destroy");
  expect(within(10, 1, true)).toThrow("there is more than 1 files that it may destroy");
});

test("what git holds is not stored once more, but for empty files, which it may not have", () => {
  const { root, kept } = folderWith({ a: "12345", changed: "123456", empty: "" });
  const blob = blobId(Buffer.from("12345"), 40);
  const nothing = blobId(Buffer.alloc(0), 40);
  const held = new Map([
    [join(root, "a"), blob],
    [join(root, "changed"), blob],
    [join(root, "empty"), nothing],
  ]);
  const all = (isUnchanged?: () => boolean) =>
    kept(
      ["a", "changed", "empty"],
      {},
      { held: { get: (path) => held.get(path), ...(isUnchanged && { isUnchanged }) } },
    );
  const [a, changed, empty] = all().files;
  expect([a?.git, a?.hash, a?.size]).toEqual([blob, undefined, 5]);
  expect([changed?.git, changed?.hash?.length, changed?.size]).toEqual([undefined, 64, 6]);
  expect([empty?.git, empty?.hash?.length, empty?.size]).toEqual([undefined, 64, 0]);
  const unlooked = all(() => true).files;
  expect(unlooked.map(({ git }) => git)).toEqual([blob, blob, undefined]);
  expect(blobId(Buffer.from("12345"), 64)).toHaveLength(64);
});

test("sixteen small files are stored one by one, and more of them in one file", () => {
  const files = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`f${10 + at}`, `content ${at}`]));
  const { kept, packs } = folderWith(files);
  kept(Object.keys(files).slice(1));
  expect(existsSync(packs)).toBe(false);
  const { kept: more, packs: filled } = folderWith(files);
  more(Object.keys(files));
  expect(readdirSync(filled)).toHaveLength(1);
});

test("a folder is kept with what lies in it where it is lost as a whole, and a path once", () => {
  const { root, shown } = folderWith({ a: "1", "sub/b": "2", "sub/c": "3" });
  symlinkSync("b", join(root, "sub/link"));
  const whole = ["file sub/b", "file sub/c", "folder sub", "symlink sub/link"];
  expect(shown(["sub"])).toEqual(whole);
  expect(shown(["sub", "sub/b", "nowhere", "a/below"])).toEqual(whole);
  // Whatever was thought to happen to it: a folder without its content is not kept.
  expect(shown(["sub"], { isTree: false })).toEqual(whole);
  expect(shown(["sub"], { isTree: false, loss: "access" })).toEqual(["folder sub"]);
  expect(shown(["sub"], { isTree: false, loss: "overwritten" })).toEqual([]);
  expect(shown(["sub"], { loss: "overwritten" })).toEqual(whole);
  expect(shown(["sub"], { isUnclear: true })).toEqual(whole);
  const left = { left: join(root, "sub/b") };
  expect(shown(["sub"], {}, left)).toEqual(whole.slice(1));
  expect(shown(["sub/b"], {}, left)).toEqual([]);
  expect(shown(["sub/b"], {}, { left: join(root, "sub") })).toEqual([]);
  const leavesOut = (path: string) => path.endsWith("/sub");
  expect(
    shown(
      ["."].map(() => "sub"),
      { isUnclear: true },
      { leavesOut },
    ),
  ).toEqual([]);
  expect(shown(["sub"], {}, { leavesOut })).toEqual(whole);
});

test.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1024, "1 KiB"],
  [1536, "1.5 KiB"],
  [10 * 1024, "10 KiB"],
  [1024 ** 2, "1 MiB"],
  [2.25 * 1024 ** 3, "2.3 GiB"],
  [3 * 1024 ** 4, "3 TiB"],
  [5000 * 1024 ** 4, "5000 TiB"],
])("%i bytes are told as %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test("a file with several names is known by its number, and what is the user's own has no owner noted", () => {
  const { root, kept } = folderWith({ a: "1", other: "2", "sub/b": "3" });
  linkSync(join(root, "a"), join(root, "sub/a"));
  const noted = () => Object.fromEntries(kept(["a", "other", "sub"]).files.map((file) => [String(file.path), file]));
  const of = (name: string) => noted()[join(root, name)];
  expect(of("a")?.inode).toMatch(/^\d+:\d+$/);
  expect(of("sub/a")?.inode).toBe(of("a")?.inode);
  expect(["other", "sub", "sub/b"].map((name) => of(name)?.inode)).toEqual([undefined, undefined, undefined]);
  expect(Object.values(noted()).map(({ owner }) => owner)).toEqual(Object.values(noted()).map(() => undefined));
  if (process.getuid?.() !== 0) return;
  for (const [user, group] of [
    [0, 7],
    [7, 0],
  ] as const) {
    chownSync(join(root, "other"), user, group);
    expect(of("other")?.owner).toEqual([user, group]);
  }
});

test.skipIf(!existsSync("/proc/version"))("a file that holds more than its size says is kept as a whole", () => {
  const { kept } = folderWith({});
  const [file] = kept(["any"], { path: "/proc/version" }).files;
  expect(file?.size).toBe(readFileSync("/proc/version").length);
});
