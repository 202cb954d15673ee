import { describe, expect, it } from "vitest";
import { RequestReader } from "./connection.ts";
import { answerText, readAnswer, requestBytes } from "./protocol.ts";

const REQUEST = {
  words: ["/usr/bin/node", "/opt/sluice.cjs", "run", "claude-code"],
  env: { HOME: "/home/ü", EMPTY: "", LINES: "a\nb=c" },
  cwd: "/a folder",
  payload: '{"a":"é","b":[1,2]}',
  umask: 0o022,
};

describe("a request", () => {
  it.each([1, 2, 3, 7, 64, 100_000])("is the same in pieces of %i bytes", (size) => {
    const bytes = requestBytes(REQUEST);
    const reader = new RequestReader();
    let last = reader.add(Buffer.alloc(0));
    for (let at = 0; at < bytes.length && last.state === "unfinished"; at += size)
      last = reader.add(bytes.subarray(at, at + size));
    expect(last).toEqual({ state: "whole", request: REQUEST });
  });

  it("is whole as soon as its payload is, whether the end is said or not", () => {
    const bytes = requestBytes(REQUEST);
    expect(new RequestReader().add(bytes.subarray(0, -4))).toMatchObject({ state: "whole" });
    expect(new RequestReader().add(bytes.subarray(0, -5))).toEqual({ state: "unfinished" });
  });

  it("may have no payload at all", () => {
    expect(new RequestReader().add(requestBytes({ ...REQUEST, payload: "" }))).toMatchObject({
      state: "whole",
      request: { payload: "" },
    });
  });

  it.each([
    ["no sizes", "hello\n"],
    ["a size that is none", "1 2 x 18\n"],
    ["a size beyond all measure", "99999999 1 1 18\n"],
    ["a first line without an end", "1".repeat(100)],
  ])("is refused: %s", (_, text) => {
    expect(new RequestReader().add(Buffer.from(text))).toEqual({ state: "refused" });
  });

  it("of more than a megabyte is refused before it has come", () => {
    const head = requestBytes({ ...REQUEST, payload: "" }).subarray(0, -4);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(1024 * 1024 + 1);
    expect(new RequestReader().add(Buffer.concat([head, length]))).toEqual({ state: "refused" });
  });
});

describe("an answer", () => {
  it.each([
    { kind: "done", stdout: "é\n", stderr: "", exitCode: 2 },
    { kind: "done", stdout: "", stderr: "why\n", exitCode: 0 },
    { kind: "cold", usesNetwork: true },
    { kind: "cold", usesNetwork: false },
  ] as const)("arrives as it was given: %o", (answer) => {
    expect(readAnswer(Buffer.from(answerText(answer)))).toEqual(answer);
  });

  it.each(["", "DONE 0 1 0\n", "DONE 0 0 0\nmore", "DONE x 0 0\n", "COLD", "ALLOW\n"])(
    "that is cut, too long or unknown is none: %j",
    (text) => {
      expect(readAnswer(Buffer.from(text))).toBeUndefined();
    },
  );
});
