import { describe, expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { toolEffects } from "./call-effects.ts";
import { ALWAYS_READ_ONLY, onlyLooks } from "./is-read-only.ts";
import { programNamed } from "./programs/program-name.ts";

const call = (command: string) =>
  new HookEvent({ type: "tool:pre_execute", toolName: "Bash", data: { tool_args: { command } } });

describe("the short list of programs that only look", () => {
  it.each([...ALWAYS_READ_ONLY])("agrees with the row of %s, with any of its options", (name) => {
    const row = programNamed(name);
    expect(row?.readOnly).toBe(true);
    expect([row?.runs, row?.verbs, row?.interpreter]).toEqual([undefined, undefined, undefined]);
    const options = (row?.options ?? "").split(" ").flatMap((entry) => entry.replace(/[=?]+$/, "").split("|"));
    for (const option of [
      "",
      ...options.filter(Boolean).map((each) => (each.length > 1 ? `--${each} ` : `-${each} `)),
    ]) {
      const line = `${name} ${option}a b`;
      expect(onlyLooks(call(line)), line).toBe(true);
      expect(toolEffects(call(line)).readOnly, line).toBe(true);
    }
  });

  it.each(["tee a", "sort -o a b", "ls > a", "cat a | sh", "find . -delete"])("lets %s be read in full", (line) => {
    expect(onlyLooks(call(line))).toBe(false);
  });
});
