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

function run(text: string, file = "script.ts", input = "") {
  writeFileSync(join(folder, file), text);
  const [program = "", ...args] = typescriptInterpreter({ XDG_CACHE_HOME: join(folder, "cache") }) ?? [];
  const { status, stdout, stderr } = spawnSync(program, [...args, join(folder, file)], { input, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("a TypeScript hook", () => {
  it.each(["script.ts", "script.mts", "script.cts"])("runs as %s, and reads its standard input", (file) => {
    const script = `
      import { readFileSync } from "node:fs";
      interface Event { readonly type: string }
      const event = JSON.parse(readFileSync(0, "utf8")) as Event;
      process.stdout.write(event.type satisfies string);`;
    expect(run(script, file, '{"type":"session:start"}')).toMatchObject({ status: 0, stdout: "session:start" });
  });

  it("may use what types alone do not explain, and wait at the top", () => {
    const script = `enum Verdict { No = "deny" }
      const { word } = await import("./word.ts");
      process.stdout.write(word + Verdict.No);`;
    writeFileSync(join(folder, "word.ts"), "export const word: string = 'w ';");
    expect(run(script)).toMatchObject({ status: 0, stdout: "w deny" });
  });

  it("is the program that was started, with no other arguments", () => {
    const { stdout } = run("process.stdout.write(JSON.stringify([process.argv[1], process.argv.length]));");
    expect(JSON.parse(stdout)).toEqual([join(folder, "script.ts"), 2]);
  });

  it.each([
    ["process.exit(2);", 2],
    ["process.exitCode = 3;", 3],
    ["throw new Error('so it goes');", 1],
    ["const x: = 1;", 1],
  ])("ends %s with code %i", (script, code) => {
    expect(run(script).status).toBe(code);
  });

  it("is kept compiled in the user's own folder, and nowhere that others write", () => {
    mkdirSync(join(folder, "node_modules"));
    run("export const x: number = 1;");
    expect(readdirSync(join(folder, "cache/sluice/typescript"))).toHaveLength(1);
    expect(existsSync(join(folder, "node_modules/.cache"))).toBe(false);
  });

  it("is compiled anew when others could have written what was kept", () => {
    const cache = join(folder, "cache/sluice/typescript");
    run("export const x: number = 1;");
    const [kept = ""] = readdirSync(cache);
    rmSync(join(cache, kept));
    chmodSync(cache, 0o777);
    expect(run("process.stdout.write('still' as string);").stdout).toBe("still");
    expect(readdirSync(cache)).toEqual([]);
  });
});
