import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callEffects } from "../../src/effects/call-effects.ts";
import { HookEvent } from "../../src/event/event.ts";
import { redactor } from "../../src/trace/redact.ts";
import { cases } from "../cases.ts";
import { growingCalls } from "./growing-calls.ts";

const cwd = mkdtempSync(join(tmpdir(), "sluice-growing-"));
const { value } = redactor();

it("a call is read and recorded to its end, whatever it carries much of", () => {
  const lost = growingCalls().filter(({ tool, input }) => {
    const event = HookEvent.toolPreExecute(tool, input(cases(100, 400)), { cwd });
    return callEffects(event)?.commands === null || value(event.data) === undefined;
  });
  expect(lost.map(({ name }) => name)).toEqual([]);
});
