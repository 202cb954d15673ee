import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../command-server/run-command.ts";
import { installed } from "./installed.ts";

const ROOT = resolve(import.meta.dirname, "../..");

describe("the build", () => {
  it("leaves every public class its name", () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-names-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const module = join(folder, "names.mjs");
    writeFileSync(
      module,
      `import * as library from ${JSON.stringify(join(ROOT, "dist/index.js"))};
       const classes = Object.entries(library).filter(([, value]) => /^class\\b/.test(String(value)));
       process.stdout.write(JSON.stringify(classes.map(([name, value]) => [name, value.name])));`,
    );
    const { out } = runCommand([], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, module });
    const classes = JSON.parse(out) as [name: string, own: string][];
    expect(classes.length).toBeGreaterThan(5);
    for (const [name, own] of classes) expect(own).toBe(name);
  });

  it("packs at most 300 files and 12 MB, with the types of each entry point in one file", () => {
    const packed = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    const [{ files, unpackedSize }] = JSON.parse(packed.stdout) as [
      { readonly files: readonly { readonly path: string }[]; readonly unpackedSize: number },
    ];
    expect(files.map(({ path }) => path)).toContain("dist/command.cjs");
    expect(files.length).toBeLessThanOrEqual(300);
    expect(files.filter(({ path }) => path.endsWith(".d.ts")).length).toBeLessThanOrEqual(20);
    expect(unpackedSize).toBeLessThan(12_000_000);
  });
});

describe("the installed command", () => {
  it("works from a path with blanks and quotes", () => {
    const here = installed("my 'own' files/node_modules/sluice");
    // Without it, every first call of a bundle has it compiled.
    cpSync(join(ROOT, "dist/compiled"), here.compiled, { recursive: true });
    expect(here.call("git push --force origin main")).toBe("deny");
    expect(here.call("ls")).toBeUndefined();
    expect(here.run(["list"]).status).toBe(0);
  });

  it("works where neither the installation nor the home can be written", () => {
    const here = installed();
    // Root can write everywhere, and would have the bundles compiled at every first call.
    if (process.getuid?.() === 0)
      cpSync(join(ROOT, "dist/compiled"), join(here.folder, "dist/compiled"), { recursive: true });
    const paths = [
      here.home,
      ...readdirSync(here.home, { recursive: true }).map((name) => join(here.home, String(name))),
    ];
    const all = [...paths, join(here.folder, "dist"), here.folder];
    const modes = all.map((path) => [path, statSync(path).mode] as const);
    onTestFinished(() => {
      for (const [path, mode] of modes) chmodSync(path, mode);
    });
    for (const [path, mode] of modes.toReversed()) chmodSync(path, mode & 0o555);
    expect(here.call("git push --force origin main")).toBe("deny");
    expect(here.call("git push --force origin main")).toBe("deny");
    expect(here.run(["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });

  it("works through a link, as package managers put it into a folder of programs", () => {
    const here = installed();
    cpSync(join(ROOT, "dist/compiled"), here.compiled, { recursive: true });
    symlinkSync(here.launcher, join(here.home, "sluice"));
    const { stdout } = spawnSync(join(here.home, "sluice"), ["--version"], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: here.home },
    });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});
