import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { typescriptInterpreter } from "./typescript.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-typescript-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(text: string, { file = "script.ts", input = "", env = {} } = {}) {
  writeFileSync(join(folder, file), text);
  const [program = "", ...args] = typescriptInterpreter({ XDG_CACHE_HOME: join(folder, "cache") }) ?? [];
  const { status, stdout, stderr } = spawnSync(program, [...args, join(folder, file)], {
    input,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("a TypeScript hook", () => {
  it.each(["script.ts", "script.mts", "script.cts"])(
    "runs as %s, reads its standard input, and is the program that was started, with no other arguments",
    (file) => {
      const script = `
      import { readFileSync } from "node:fs";
      interface Event { readonly type: string }
      const event = JSON.parse(readFileSync(0, "utf8")) as Event;
      process.stdout.write(JSON.stringify([event.type satisfies string, process.argv[1], process.argv.length]));`;
      const { status, stdout } = run(script, { file, input: '{"type":"session:start"}' });
      expect([status, JSON.parse(stdout)]).toEqual([0, ["session:start", join(folder, file), 2]]);
    },
  );

  it("may use what types alone do not explain, waits at the top, ends as any program does, and is kept compiled in the user's own folder alone", () => {
    // One script is compiled once for all of its ends.
    const script = `enum Verdict { No = "deny" }
      const { word } = await import("./word.ts");
      process.stdout.write(word + Verdict.No);
      if (process.env.END === "exit") process.exit(2);
      if (process.env.END === "exit code") process.exitCode = 3;
      if (process.env.END === "error") throw new Error('so it goes');`;
    writeFileSync(join(folder, "word.ts"), "export const word: string = 'w ';");
    mkdirSync(join(folder, "node_modules"));
    const ends = ["exit", "exit code", "error", "nothing"].map((END) => run(script, { env: { END } }));
    expect(ends.map(({ status, stdout }) => [status, stdout])).toEqual([2, 3, 1, 0].map((code) => [code, "w deny"]));
    const kept = readdirSync(join(folder, "cache/sluice/typescript"));
    expect([kept.length, existsSync(join(folder, "node_modules/.cache"))]).toEqual([2, false]);
  });

  it("that is no TypeScript ends with exit code 1", () => {
    expect(run("const x: = 1;").status).toBe(1);
  });

  it("is compiled anew where others could have written what was kept", () => {
    const cache = join(folder, "cache/sluice/typescript");
    mkdirSync(cache, { recursive: true });
    chmodSync(cache, 0o777);
    expect(run("process.stdout.write('still' as string);").stdout).toBe("still");
    expect(readdirSync(cache)).toEqual([]);
  });
});
