import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MIB = 1024 * 1024;
let folder = "";
let reader = "";
/** What a transcript that is not there costs. */
let idle: ReturnType<typeof read>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-long-transcript-"));
  reader = join(folder, "reader.mjs");
  await build({
    stdin: { contents: READER, resolveDir: fileURLToPath(new URL("../../src", import.meta.url)), loader: "ts" },
    outfile: reader,
    bundle: true,
    format: "esm",
    platform: "node",
  });
  idle = read(join(folder, "none.jsonl"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says what it read, and how much memory it ever had. */
const READER = `
  import { HookRequest } from "./request/request.ts";
  const { messages, metadata } = new HookRequest({ transcript_path: process.argv[2] }).conversation;
  const last = messages.at(-1)?.content;
  const peak = process.resourceUsage().maxRSS * 1024;
  process.stdout.write(JSON.stringify({ count: messages.length, last, metadata, peak }));
`;

function read(file: string) {
  return JSON.parse(execFileSync(process.execPath, [reader, file], { encoding: "utf8", env: { PATH: "" } }));
}

/** Writes lines of one size until the file is as large as it has to be, and then a last one. */
function write(file: string, characters: number): void {
  const line = (content: string) =>
    `${JSON.stringify({ type: "user", message: { role: "user", content }, uuid: "u" })}\n`;
  const usual = line("é".repeat(characters / 2));
  const block = Buffer.from(usual.repeat(Math.max(1, Math.floor(MIB / Buffer.byteLength(usual)))));
  const descriptor = openSync(file, "w");
  for (let size = 0; size < 200 * MIB; size += block.length) writeSync(descriptor, block);
  writeSync(descriptor, line("the end"));
  closeSync(descriptor);
}

describe("a transcript of 200 MB", () => {
  it.each([
    ["short", 200],
    ["usual", 2000],
    ["long", 400_000],
  ])(
    "with %s messages costs less than 100 MB of memory, and its end is there",
    (name, characters) => {
      const file = join(folder, `${name}.jsonl`);
      write(file, characters);
      const long = read(file);
      rmSync(file);
      expect(idle.count).toBe(0);
      expect(long.last).toBe("the end");
      expect(long.metadata.broken_lines).toBe(0);
      expect(long.metadata.skipped_bytes).toBeGreaterThan(100 * MIB);
      expect(long.count + long.metadata.left_out_messages).toBe(long.metadata.lines);
      expect((long.peak - idle.peak) / MIB).toBeLessThan(100);
    },
    60_000,
  );
});
