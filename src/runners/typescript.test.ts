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

  it("may use what types alone do not explain, and wait at the top", () => {
    const script = `enum Verdict { No = "deny" }
      const { word } = await import("./word.ts");
      process.stdout.write(word + Verdict.No);`;
    writeFileSync(join(folder, "word.ts"), "export const word: string = 'w ';");
    expect(run(script)).toMatchObject({ status: 0, stdout: "w deny" });
  });

  it("ends as any program does", () => {
    // One script is compiled once for all of its ends.
    const script = `
      if (process.env.END === "exit") process.exit(2);
      if (process.env.END === "exit code") process.exitCode = 3;
      if (process.env.END === "error") throw new Error('so it goes');`;
    const codes = ["exit", "exit code", "error", "nothing"].map((END) => run(script, { env: { END } }).status);
    expect([...codes, run("const x: = 1;").status]).toEqual([2, 3, 1, 0, 1]);
  });

  it("is kept compiled in the user's own folder, nowhere that others write, and anew when others could have written it", () => {
    const cache = join(folder, "cache/sluice/typescript");
    mkdirSync(join(folder, "node_modules"));
    run("export const x: number = 1;");
    const kept = readdirSync(cache);
    expect([kept.length, existsSync(join(folder, "node_modules/.cache"))]).toEqual([1, false]);
    rmSync(join(cache, kept[0] ?? ""));
    chmodSync(cache, 0o777);
    expect(run("process.stdout.write('still' as string);").stdout).toBe("still");
    expect(readdirSync(cache)).toEqual([]);
  });
});
