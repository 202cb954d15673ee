import { describe, expect, it, test } from "vitest";
import { GAP } from "./parse/command.ts";
import {
  hostOf,
  isAtOrUnder,
  isDevice,
  isDisk,
  isRemote,
  isStream,
  isSystemFile,
  nameOf,
  pathFrom,
  resolvedPath,
} from "./paths.ts";

describe("a path", () => {
  it.each([
    [".", "a", "a"],
    ["", "./a/../b/", "b"],
    ["sub", "a", "sub/a"],
    ["sub", "../a", "a"],
    [".", "../a", "../a"],
    ["..", "../a", "../../a"],
    ["/x/y", "../../../a", "/a"],
    ["/x", "/etc//passwd", "/etc/passwd"],
    ["sub", "~/a", "~/a"],
    ["sub", "~/../a", "~/../a"],
    ["sub", `${GAP}/a`, `${GAP}/a`],
    [GAP, "a", `${GAP}/a`],
    [GAP, "../a", `${GAP}/../a`],
    [".", ".", "."],
    [".", "/", "/"],
    ["sub", "..", "."],
    [".", "*", "*"],
    ["sub", "C:\\x", "C:\\x"],
  ])("from %s, %s is %s", (folder, path, expected) => expect(resolvedPath(folder, path)).toBe(expected));

  it("is not known when its folder is not", () => {
    expect(pathFrom(GAP, { text: "a", isKnown: true, isGlob: false })).toEqual({
      text: `${GAP}/a`,
      isKnown: false,
      isGlob: false,
    });
  });

  it.each([
    ["/etc/x", "/etc", true],
    ["/etc", "/etc", true],
    ["/etcetera", "/etc", false],
    ["/a", "/", true],
    ["a", "/", false],
    ["a/b", ".", true],
    ["../a", ".", false],
    ["~/a", ".", false],
    ["..a", ".", true],
  ])("%s is at or under %s: %s", (path, place, expected) => expect(isAtOrUnder(path, place)).toBe(expected));

  it("has a name, also with a slash at its end", () => {
    expect(["a/b", "a/b//", "/", "a"].map(nameOf)).toEqual(["b", "b", "", "a"]);
  });
});

describe("a device", () => {
  it.each([
    "/dev/sda",
    "/dev/sd*",
    "/dev/nvme0n1p1",
    "/dev/disk2",
    "/dev/rdisk2",
    "/dev/mapper/x",
    "/dev/vda",
    "/dev/mmcblk0",
    "/dev/mem",
  ])("%s is a disk", (path) => expect([isDisk(path), isStream(path)]).toEqual([true, false]));

  it.each(["/dev/null", "/dev/stdout", "/dev/fd/3", "-", "/dev/tty"])("%s is a stream", (path) =>
    expect([isDisk(path), isStream(path)]).toEqual([false, true]),
  );

  it("is not every file with such a name", () => {
    expect(["dev/sda", "/home/dev/sda", "/dev/shm/x", "disk.img"].map(isDisk)).toEqual([false, false, false, false]);
  });
});

describe("a host", () => {
  const host = (text: string) => hostOf({ text, isKnown: true, isGlob: false })?.text;

  it.each([
    ["https://example.com/x?y", "example.com"],
    ["https://me:pw@Example.com:8080/x", "example.com"],
    ["https://good.test@evil.test/", "evil.test"],
    ["me@host:path", "host"],
    ["host:22", "host"],
    ["[::1]:80", "::1"],
    ["ssh://git@host/x", "host"],
    ["http://evil.test\\@good.test", "evil.test"],
    ["", undefined],
  ])("of %s is %s", (text, expected) => expect(host(text)).toBe(expected));

  it("is not known where a gap is in it", () => {
    expect(hostOf({ text: `https://${GAP}.evil.test/`, isKnown: false, isGlob: false })?.isKnown).toBe(false);
    expect(hostOf({ text: `https://evil.test/${GAP}`, isKnown: false, isGlob: false })?.isKnown).toBe(true);
  });

  it.each([
    ["host:a", true],
    ["me@host:", true],
    ["rsync://host/a", true],
    ["./a:b", false],
    ["C:\\a", false],
    ["a", false],
  ])("is where %s lies: %s", (text, expected) => expect(isRemote(text)).toBe(expected));
});

test.each([
  ["/dev/ttyUSB0", true, true],
  ["/dev/null", true, true],
  ["/dev/shm/app/a.ts", false, false],
  ["/proc/1/environ", false, true],
  ["/sys/power/state", false, true],
  ["/home/ada/dev/a.ts", false, false],
])("%s is a device: %s, and the system's own: %s", (path, device, system) => {
  expect([isDevice(path), isSystemFile(path)]).toEqual([device, system]);
});
