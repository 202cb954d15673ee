import type { EventName } from "../event/catalogue.ts";
import { eventSpec } from "../event/catalogue.ts";
import type { ReplayChange } from "./replay-report.ts";

/** The line that tests from a replay begin with: such a file may be written again. */
export const TESTS_HEAD =
  "# Made by `sluice replay --make-tests` from recorded calls: what the newer policy says about each.";

/**
 * What a change of policy decides otherwise, as tests that `sluice test` reads; each is one call of the past. Returns undefined
 * if no change can become a test.
 */
export function replayTests(changes: readonly ReplayChange[]): string | undefined {
  const tests = changes.filter(isTestable).map(testOf);
  return tests.length === 0 ? undefined : `${TESTS_HEAD}\ntests:\n${tests.join("\n")}\n`;
}

/** Drift is no matter of the policy, and a call of which something was removed is another call. */
function isTestable({ cause, isWhole, example: { event } }: ReplayChange): boolean {
  return cause === "change" && isWhole && eventSpec(event as EventName).gate;
}

/** JSON is YAML, also for texts that look like something else. */
function testOf({ example, to, from, shape }: ReplayChange): string {
  const { event, tool, input } = example;
  const isPrompt = event === "user:prompt_submit" && typeof input === "string";
  const fields: [string, unknown][] = [
    ["name", `${shape} (was ${from})`],
    ["event", event],
    ...(tool === undefined ? [] : [["tool", tool] as [string, unknown]]),
    ...(isPrompt ? [["prompt", input] as [string, unknown]] : [["args", input] as [string, unknown]]),
    ["expect", to],
  ];
  return fields.map(([key, value], index) => `${index === 0 ? "  - " : "    "}${key}: ${yamlText(value)}`).join("\n");
}

function yamlText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
