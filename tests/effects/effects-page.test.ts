import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type CallEffects, readCommand, readToolCall, type ShellName, UNKNOWN_REASONS } from "../../src/effects.ts";

const PAGE = new URL("../../docs/effects.md", import.meta.url);
const page = readFileSync(PAGE, "utf8");
const HOW_TO = "if the page is to change: WRITE_EFFECTS_PAGE=1 npx vitest run tests/effects, then read the difference";

it("the page shows at least 100 examples, and what each of them does", () => {
  const written = withReasons(withOutcomes(page));
  if (process.env.WRITE_EFFECTS_PAGE === "1") writeFileSync(PAGE, written);
  else expect(page.split("\n"), HOW_TO).toEqual(written.split("\n"));
  expect([...page.matchAll(EXAMPLE)].length).toBeGreaterThanOrEqual(100);
});

/** A line of a table of examples; the example is in its first cell. */
const EXAMPLE = /^\| `((?:[^`\\]|\\.)+)` \| [^|]*\| (?:yes)? *\|$/gm;

function withOutcomes(text: string): string {
  return text.replaceAll(/<!-- examples (\w+) -->\n(?:\|.*\n)+/g, (table, kind: string) =>
    table.replaceAll(/^\| `((?:[^`\\]|\\.)+)` \|.*$/gm, (_, cell: string) => {
      const report = reportOf(cell.replaceAll("\\|", "|"), kind);
      return `| \`${cell}\` | ${outcome(report).replaceAll("|", "\\|")} | ${report.readOnly ? "yes" : ""} |`;
    }),
  );
}

function reportOf(example: string, kind: string): CallEffects {
  if (kind !== "tool") return readCommand(example, { shell: kind as ShellName });
  const [, tool = "", args = ""] = /^(\S+) (.*)$/.exec(example) ?? [];
  return readToolCall(tool, JSON.parse(args));
}

function outcome({ effects, unknown }: CallEffects): string {
  const done = effects.flatMap(({ does, of, text }) => (does === "run" && of === "program" ? [] : [text]));
  return [...new Set(done), ...unknown.map(({ why, what }) => `Unknown (${why}): \`${what}\`.`)].join(" ");
}

function withReasons(text: string): string {
  const rows = Object.entries(UNKNOWN_REASONS).map(([why, means]) => `| \`${why}\` | ${means} |\n`);
  return text.replace(/\|---\|---\|\n(?:\| `.*\n)*(?=<!-- \/unknown-reasons -->)/, `|---|---|\n${rows.join("")}`);
}
