import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../src/effects/parse/read-command-line.ts";
import { cases, seedOr } from "../cases.ts";
import { randomScripts } from "./random-scripts.ts";

const COUNT = cases(80, 20_000);
const AT_ONCE = 500;
const HOME = "/home/somebody";

describe("words", () => {
  it("are what bash makes of them, wherever they are known", () => {
    const scripts = randomScripts(COUNT, seedOr(20_261_115));
    const expected = runAll(scripts);
    let known = 0;
    const wrong: string[] = [];
    for (const [index, script] of scripts.entries()) {
      const words = wordsOf(script);
      const real = expected[index];
      if (words === undefined || real === undefined) continue;
      known++;
      if (JSON.stringify(words) !== JSON.stringify(real))
        wrong.push(`${script}\n  bash ${JSON.stringify(real)}\n  here ${JSON.stringify(words)}`);
    }
    expect(wrong.slice(0, 12).join("\n\n"), `${wrong.length} wrong`).toBe("");
    expect(known).toBeGreaterThan(COUNT / 3);
  }, 300_000);
});

/** The words of the last `show`; nothing when one of them is not known. */
function wordsOf(script: string): string[] | undefined {
  const { commands } = readCommandLine(script, { variables: { HOME, PWD: "/nowhere" } });
  const shown = commands.findLast(({ program }) => program?.text === "show");
  if (shown === undefined || !shown.args.every(({ isKnown }) => isKnown)) return undefined;
  return shown.args.map(({ text }) => text);
}

/** What bash hands to `show`, for many scripts in few processes; nothing where a script fails. */
function runAll(scripts: readonly string[]): (string[] | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), "words-"));
  const found: (string[] | undefined)[] = [];
  for (let from = 0; from < scripts.length; from += AT_ONCE) {
    const batch = scripts.slice(from, from + AT_ONCE);
    const lines = batch.map((script) => `( PWD=/nowhere; eval ${quote(script)} ) 2>/dev/null; printf '\\1'`);
    const program = `show() { printf '\\2'; [ $# -eq 0 ] || printf '%s\\0' "$@"; }\n${lines.join("\n")}\n`;
    const printed = execFileSync("bash", ["--norc"], {
      input: program,
      cwd: folder,
      env: { HOME, PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
      maxBuffer: 64 * 1024 * 1024,
      timeout: 250_000,
    });
    const answers = printed.toString("utf8").split("\x01");
    for (let index = 0; index < batch.length; index++) {
      const shown = answers[index]?.split("\x02")[1];
      found.push(shown === undefined ? undefined : shown.split("\0").slice(0, -1));
    }
  }
  return found;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
