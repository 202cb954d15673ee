import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { spawnFailure } from "./spawn-failure.ts";

const CODES: readonly (readonly [code: string, failure: object])[] = [
  ["ENOENT", { why: "not_found", program: "tool" }],
  ["ENOTDIR", { why: "not_found", program: "tool" }],
  ["EACCES", { why: "not_executable", program: "tool" }],
  ["ENOEXEC", { why: "not_executable", program: "tool" }],
  ["E2BIG", { why: "spawn_error", message: "its arguments and environment are too large" }],
  ["EMFILE", { why: "spawn_error", message: "this program has too many files open" }],
  ["EAGAIN", { why: "spawn_error", message: "the system allows no more processes" }],
  ["ENOMEM", { why: "spawn_error", message: "the system is short of memory" }],
  ["EWHATEVER", { why: "spawn_error", message: "spawn tool EWHATEVER" }],
];

describe("a program that does not start", () => {
  it.each(CODES)("with %s", (code, failure) => {
    const error = Object.assign(new Error(`spawn tool ${code}`), { code });
    expect(spawnFailure(error, { program: "tool", cwd: tmpdir() })).toEqual(failure);
  });

  it.each(["/no/such/folder", "/\0", import.meta.filename])("is excused by the folder %j", (cwd) => {
    const error = Object.assign(new Error("spawn tool ENOENT"), { code: "ENOENT" });
    expect(spawnFailure(error, { program: "tool", cwd })).toMatchObject({
      why: "spawn_error",
      message: expect.stringContaining("working directory"),
    });
  });
});
