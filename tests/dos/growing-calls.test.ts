import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callEffects } from "../../src/effects/call-effects.ts";
import { HookEvent } from "../../src/event/event.ts";
import { redactor } from "../../src/trace/redact.ts";
import { cases } from "../cases.ts";
import { growingCalls } from "./growing-calls.ts";

const cwd = mkdtempSync(join(tmpdir(), "sluice-growing-"));
const { value } = redactor();

describe("a call is read and recorded to its end, whatever it carries much of", () => {
  it.each(growingCalls().map(({ name, tool, input }) => ({ name, tool, input })))("$name", ({ tool, input }) => {
    const event = HookEvent.toolPreExecute(tool, input(cases(100, 400)), { cwd });
    expect(callEffects(event)?.commands).not.toBe(null);
    expect(value(event.data)).toBeDefined();
  });
});
