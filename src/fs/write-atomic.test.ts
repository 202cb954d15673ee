import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFile, moveIntoPlace, writeAtomic, writePrivate } from "./write-atomic.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "sluice-write-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe("a user's file", () => {
  it("that is a pipe or a device, also through a symlink, is written to and not replaced", () => {
    const at = folder();
    const [pipe, link] = [join(at, "pipe"), join(at, "link")];
    execFileSync("mkfifo", [pipe]);
    symlinkSync(pipe, link);
    const opened = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    writeAtomic(link, "new");
    const read = Buffer.alloc(8);
    expect(read.toString("utf8", 0, readSync(opened, read))).toBe("new");
    closeSync(opened);
    expect([statSync(pipe).isFIFO(), lstatSync(link).isSymbolicLink()]).toEqual([true, true]);
  });

  it("is replaced atomically, keeps its mode, and leaves no draft", () => {
    const at = folder();
    const path = join(at, "f");
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    const { ino } = statSync(path);
    writeAtomic(path, "new");
    expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["new", 0o640]);
    expect(statSync(path).ino).not.toBe(ino);
    expect(readdirSync(at)).toEqual(["f"]);
  });

  it("is created with its folders if it is missing, with the mode of any new file", () => {
    const path = join(folder(), "a", "b", "f");
    const mask = process.umask();
    writeAtomic(path, "new");
    expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["new", 0o666 & ~mask]);
  });

  it.each([
    ["a symlink", (at: string) => symlinkSync("there", join(at, "f"))],
    [
      "a chain of symlinks",
      (at: string) => {
        symlinkSync("two", join(at, "f"));
        symlinkSync(join(at, "there"), join(at, "two"));
      },
    ],
  ])("that is %s keeps the link, also to a missing file", (_, link) => {
    const at = folder();
    link(at);
    const path = join(at, "f");
    const target = readlinkSync(path);
    for (const text of ["first", "second"]) {
      writeAtomic(path, text);
      expect(readFileSync(join(at, "there"), "utf8")).toBe(text);
      expect(readlinkSync(path)).toBe(target);
    }
  });

  it("that is a dangling link in a linked folder is written where the system would write it", () => {
    const at = folder();
    mkdirSync(join(at, "real", "deep"), { recursive: true });
    symlinkSync("real/deep", join(at, "linked"));
    symlinkSync("../there", join(at, "real", "deep", "f"));
    writeAtomic(join(at, "linked", "f"), "text");
    expect(readFileSync(join(at, "real", "there"), "utf8")).toBe("text");
  });

  it("that is a loop of links is an error, and the links stay", () => {
    const path = join(folder(), "f");
    symlinkSync("f", path);
    expect(() => writeAtomic(path, "text")).toThrow("ELOOP");
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it("that is a symlink of a project is replaced itself on demand", () => {
    const at = folder();
    writeFileSync(join(at, "secret"), "kept");
    symlinkSync("secret", join(at, "f"));
    writeAtomic(join(at, "f"), "text", "replace");
    expect([readFileSync(join(at, "secret"), "utf8"), readFileSync(join(at, "f"), "utf8")]).toEqual(["kept", "text"]);
  });

  it("stays unchanged if it cannot be replaced, without a draft beside it", () => {
    const at = folder();
    mkdirSync(join(at, "f", "full"), { recursive: true });
    expect(() => writeAtomic(join(at, "f"), "text")).toThrow();
    expect(readdirSync(at)).toEqual(["f"]);
  });
});

describe("a file of the state", () => {
  it("is readable only by its owner, whatever it replaces", () => {
    const at = folder();
    writeFileSync(join(at, "elsewhere"), "kept");
    symlinkSync("elsewhere", join(at, "f"));
    writePrivate(join(at, "f"), "state");
    expect([modeOf(join(at, "f")), readFileSync(join(at, "f"), "utf8")]).toEqual([0o600, "state"]);
    expect(readFileSync(join(at, "elsewhere"), "utf8")).toBe("kept");
    expect(readdirSync(at).sort()).toEqual(["elsewhere", "f"]);
  });
});

it("a file is created once", () => {
  const path = join(folder(), "f");
  expect([createFile(path, "one", 0o600), createFile(path, "two", 0o600)]).toEqual([true, false]);
  expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["one", 0o600]);
  expect(() => createFile(join(path, "below"), "x")).toThrow("ENOTDIR");
});

it("a finished file gets its name in one step", () => {
  const at = folder();
  writeFileSync(join(at, "f"), "old");
  writeFileSync(join(at, "draft"), "new");
  moveIntoPlace(join(at, "draft"), join(at, "f"));
  expect(readFileSync(join(at, "f"), "utf8")).toBe("new");
  expect(existsSync(join(at, "draft"))).toBe(false);
});

it.runIf(existsSync("/dev/full"))("the error of a write to a full disk names the file", () => {
  expect(() => writeAtomic("/dev/full", "text")).toThrow(
    expect.objectContaining({ code: "ENOSPC", path: "/dev/full" }),
  );
});
