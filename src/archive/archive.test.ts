import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ArchiveFile, readArchive } from "./read-archive.ts";
import { BLOCK, encodeHeader, type TarHeader } from "./tar-header.ts";
import { writeArchive } from "./write-archive.ts";

const file = (path: string, text = "x", isExecutable = false): ArchiveFile => ({
  path,
  content: Buffer.from(text),
  isExecutable,
});

/** Too long for the two fields of a header. */
const LONG = `pack/${"ä".repeat(60)}/${"ö".repeat(60)}`;

/** A tar of members that no honest writer makes. */
function tarOf(members: readonly (Partial<TarHeader> & { readonly content?: string })[], end = 2): Buffer {
  const blocks = members.flatMap(({ content = "", ...header }) => {
    const body = Buffer.from(content);
    const block = encodeHeader({ name: "a", size: body.length, type: "0", isExecutable: false, ...header });
    return [block ?? Buffer.alloc(0), body, Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(end * BLOCK)]);
}

const refusal = (packed: Uint8Array, limits?: Parameters<typeof readArchive>[1]): string => {
  try {
    readArchive(packed, limits);
    return "read";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
};

describe("an archive", () => {
  it("comes back as it was packed, with long names and the executable bit", () => {
    const long = `${"folder/".repeat(14)}${"n".repeat(90)}.yaml`;
    const files = [file("hooks.yaml", "hooks: []\n"), file("bin/check.sh", "#!/bin/sh\n", true), file(long, "")];
    const read = readArchive(writeArchive(files));
    expect(read).toEqual([files[1], files[2], files[0]]);
  });

  it("has the same bytes whatever the order of its files", () => {
    const files = [file("b"), file("a"), file("c/d", "yes", true)];
    expect(writeArchive(files)).toEqual(writeArchive([...files].reverse()));
  });

  it("is read by tar, and what tar packs is read here", () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-archive-"));
    writeFileSync(join(folder, "ours.tgz"), writeArchive([file("deep/hooks.yaml", "hooks: []\n")]));
    execFileSync("tar", ["-xzf", "ours.tgz"], { cwd: folder });
    expect(readFileSync(join(folder, "deep/hooks.yaml"), "utf8")).toBe("hooks: []\n");
    mkdirSync(join(folder, LONG), { recursive: true });
    writeFileSync(join(folder, LONG, "sluice.yaml"), "hooks: []\n");
    execFileSync("tar", ["--format=pax", "-czf", "theirs.tgz", "pack"], { cwd: folder });
    expect(readArchive(readFileSync(join(folder, "theirs.tgz"))).map(({ path }) => path)).toEqual([
      `${LONG}/sluice.yaml`,
    ]);
    symlinkSync("/etc/passwd", join(folder, "pack", "link"));
    execFileSync("tar", ["-czf", "linked.tgz", "pack/link"], { cwd: folder });
    expect(refusal(readFileSync(join(folder, "linked.tgz")))).toBe("archive/no-regular-file");
  });

  it.each([
    ["../evil", "archive/unsafe-name"],
    ["a/../../evil", "archive/unsafe-name"],
    ["/etc/evil", "archive/unsafe-name"],
    ["C:/evil", "archive/unsafe-name"],
    ["a\\..\\evil", "archive/unsafe-name"],
    ["a//b", "archive/unsafe-name"],
    ["a/./b", "archive/unsafe-name"],
    ["a\nb", "archive/unsafe-name"],
    ["con.yaml", "archive/unsafe-name"],
    ["hooks.yaml.", "archive/unsafe-name"],
    ["\u202elmay.skooh", "archive/unsafe-name"],
  ])("with the name %j is refused", (name, code) => {
    expect(refusal(gzipSync(tarOf([{ name, content: "x" }])))).toBe(code);
    expect(() => writeArchive([file(name)])).toThrow();
  });

  it.each(["1", "2", "3", "4", "6", "7", "L", "S", "Z"])("with a member of type %s is refused", (type) => {
    expect(refusal(gzipSync(tarOf([{ name: "a", type }])))).toBe("archive/no-regular-file");
  });

  it.each([
    ["the same name twice", [{ name: "a" }, { name: "a" }]],
    ["the same name in another case", [{ name: "Hooks.yaml" }, { name: "hooks.yaml" }]],
    ["the same name in another composition", [{ name: "\u00e9" }, { name: "e\u0301" }]],
    ["a file in the place of a folder", [{ name: "a" }, { name: "a/b" }]],
    ["a folder in the place of a file", [{ name: "a/b" }, { name: "a" }]],
  ])("with %s is refused", (_, members) => {
    expect(refusal(gzipSync(tarOf(members)))).toBe("archive/same-name");
  });

  it("that is not whole, or has more behind its end, is refused", () => {
    const packed = writeArchive([file("hooks.yaml", "x".repeat(3000))]);
    const tar = gunzipSync(packed);
    expect(refusal(packed.subarray(0, packed.length - 9))).toBe("archive/no-gzip");
    expect(refusal(Buffer.concat([packed, Buffer.from("more")]))).toBe("archive/no-gzip");
    expect(refusal(Buffer.concat([packed, Buffer.alloc(4)]))).toBe("archive/trailing");
    expect(refusal(gzipSync(tar.subarray(0, 2000)))).toBe("archive/truncated");
    expect(refusal(gzipSync(tarOf([{ name: "a" }], 0)))).toBe("archive/truncated");
    expect(refusal(gzipSync(Buffer.concat([tar, Buffer.from("more")])))).toBe("archive/trailing");
    tar.writeUInt8(0x41, 3);
    expect(refusal(gzipSync(tar))).toBe("archive/bad-header");
    expect(refusal(Buffer.from("no archive at all"))).toBe("archive/no-gzip");
    expect(refusal(gzipSync(tarOf([{ type: "x", content: "30 path=../../evil\n" }])))).toBe("archive/bad-pax");
    expect(refusal(gzipSync(tarOf([{ type: "x", content: "18 path=../../eve\n" }, { name: "b" }])))).toBe(
      "archive/unsafe-name",
    );
    expect(refusal(gzipSync(tarOf([{ type: "g", content: "11 size=99\n\n".slice(0, 11) }])))).toBe("archive/bad-pax");
  });

  it("that unpacks to more than its limits is refused", () => {
    const limits = { packedBytes: 1000, unpackedBytes: 5000, files: 3 };
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 1 });
    expect(refusal(bomb, { ...limits, packedBytes: bomb.length })).toBe("archive/too-large");
    expect(refusal(bomb, limits)).toBe("archive/too-large");
    expect(refusal(writeArchive([file("a", "x".repeat(5001))]), limits)).toBe("archive/too-large");
    expect(refusal(writeArchive(["a", "b", "c", "d"].map((name) => file(name))), limits)).toBe("archive/too-many");
  });
});
