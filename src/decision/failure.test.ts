import { expect, test } from "vitest";
import { describeFailure, type Failure } from "./failure.ts";

const rows: [failure: Failure, text: string][] = [
  [{ why: "exited", exitCode: 3 }, "exited with code 3"],
  [{ why: "timeout", afterMs: 1500 }, "did not finish within 1.5 s"],
  [{ why: "signal", signal: "SIGKILL" }, "was ended by SIGKILL"],
  [{ why: "signal", signal: "SIGTERM", aborted: true }, "was aborted"],
  [{ why: "not_found", program: "fmt" }, "could not find fmt"],
  [{ why: "not_executable", program: "./a" }, "may not execute ./a"],
  [{ why: "spawn_error", message: "no memory" }, "could not be started: no memory"],
  [{ why: "output_overflow", bytes: 16 * 1024 * 1024 }, "printed more than 16 MiB and was ended"],
  [{ why: "bad_json", message: "it ends early", got: "{" }, "gave an answer that cannot be read (it ends early): {"],
  [{ why: "exception", message: "x is not a function" }, "broke: x is not a function"],
];

test.each(rows)("%j reads: the hook %s", (failure, text) => {
  expect(describeFailure(failure)).toBe(text);
});
