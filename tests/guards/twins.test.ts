import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { judged } from "./judged.ts";
import { acts } from "./twins.ts";

/** Hundreds of calls, on any machine. */
const LONG = 60_000;

beforeEach(() => {
  vi.stubEnv("HOME", "/home/ada");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test(
  "one act has one verdict, written as a shell line, as code of five languages, as a tool, as a cloud's command or as a request",
  async () => {
    const apart: string[] = [];
    for (const { name, twins } of acts()) {
      const [first = "", ...others] = twins;
      const { action } = await judged("standard", first);
      for (const twin of others) {
        const said = await judged("standard", twin);
        if (said.action !== action) apart.push(`${name} (${action}): ${said.action} ${JSON.stringify(twin)}`);
      }
    }
    expect(apart).toEqual([]);
  },
  LONG,
);

test("of those acts, all are stopped except what empties a database for development", async () => {
  const passed: string[] = [];
  for (const { name, twins } of acts())
    if ((await judged("standard", twins[0] ?? "")).action === "continue") passed.push(name);
  expect(passed).toEqual(["a table of a database for development"]);
});
