import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileLines } from "./file-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string) {
  const [path, counts] = [join(folder, "lines"), { broken: 0 }];
  writeFileSync(path, text);
  return { lines: [...fileLines(path, counts)], ...counts };
}

describe("the lines of a file", () => {
  it("come whole, however they lie on the pieces that are read", () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `${at} ${"ä€😀x".repeat((at * 7919) % 300)}`);
    expect(read(`${lines.join("\n")}\n`)).toEqual({ lines, broken: 0 });
    expect(read(lines.join("\n"))).toEqual({ lines, broken: 0 });
    expect(read("")).toEqual({ lines: [], broken: 0 });
    expect(read("\n\nlast")).toEqual({ lines: ["", "", "last"], broken: 0 });
  });

  it("may be long; one that is too long is passed over and counted", () => {
    const long = "x".repeat(3_000_000);
    expect(read(`first\n${long}\nlast\n`)).toEqual({ lines: ["first", long, "last"], broken: 0 });
    const longer = "y".repeat(12_000_000);
    expect(read(`first\n${longer}\nlast\n`)).toEqual({ lines: ["first", "last"], broken: 1 });
    expect(read(`first\n${longer}`)).toEqual({ lines: ["first"], broken: 1 });
  });
});
