import { expect, it } from "vitest";
import { settingsLines } from "./trust.ts";

it.each([
  [{ command: "sh x.sh", timeout: 5 }, ["command: sh x.sh", "timeout: 5"]],
  [{ command: "a\nb\n" }, ["command:", "  a", "  b"]],
  [{ args: ["sh", "-c", "a b"] }, ['args: ["sh","-c","a b"]']],
  [{ headers: { x: "${TOKEN}" } }, ["headers:", "  x: ${TOKEN}"]],
  [{ all: [{ command: "a" }, { url: "b" }] }, ["all:", "  -", "    command: a", "  -", "    url: b"]],
  [{ options: {}, rules: "" }, ["options:", "rules: "]],
])("settings %j become lines that leave nothing out", (settings, lines) => {
  expect(settingsLines(settings)).toEqual(lines);
});
