import { describe, expect, it } from "vitest";
import { CapturedOutput } from "./captured-output.ts";

const CASES: readonly (readonly [
  sentence: string,
  limit: number,
  chunks: readonly (string | number[])[],
  text: string,
  dropped: number,
])[] = [
  ["nothing is nothing", 4, [], "", 0],
  ["everything is kept up to the limit", 4, ["ab", "cd"], "abcd", 0],
  ["the rest is dropped and counted", 4, ["abc", "def", "ghi"], "abcd", 5],
  ["a character split between chunks is one character", 9, [[0xc3], [0xa9]], "é", 0],
  ["a character in four pieces is one character", 9, [[0xf0], [0x9f], [0x98], [0x80]], "😀", 0],
  ["a character cut by the limit is dropped", 4, ["abcé", "x"], "abc", 2],
  ["a character cut by the end is shown as broken", 4, ["a", [0xc3]], "a\uFFFD", 0],
  ["bytes that are no UTF-8 are shown as broken", 4, [[0x61, 0xff, 0x62]], "a\uFFFDb", 0],
  ["NUL is a character", 4, ["a\0b"], "a\0b", 0],
];

describe("kept output", () => {
  it.each(CASES)("%s", (_, limit, chunks, text, dropped) => {
    const output = new CapturedOutput(limit);
    for (const chunk of chunks) output.add(typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk));
    expect({ text: output.text(), dropped: output.dropped }).toEqual({ text, dropped });
  });

  it("is the same, byte by byte or at once", () => {
    const bytes = Buffer.from("añb€c😀".repeat(1000));
    const [slow, fast] = [new CapturedOutput(10_000), new CapturedOutput(10_000)];
    fast.add(bytes);
    for (const byte of bytes) slow.add(Buffer.from([byte]));
    expect(slow.text()).toBe(fast.text());
    expect(slow.dropped).toBe(fast.dropped);
  });

  it("does not change when the chunk it came in is used again", () => {
    const output = new CapturedOutput(10);
    const chunk = Buffer.from("abc");
    output.add(chunk);
    chunk.fill("x");
    expect(output.text()).toBe("abc");
  });
});
