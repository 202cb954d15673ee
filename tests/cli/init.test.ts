import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { builtFile } from "../built-file.ts";
import { project } from "./sluice.ts";

const COMMAND = builtFile("sluice.cjs");

describe("sluice init says what is in its way, and what to do", () => {
  const rows: [name: string, make: (root: string) => void, words: RegExp][] = [
    [
      "a link that leads nowhere",
      (root) => link(root, "nowhere"),
      /there is a symlink[\s\S]*Remove the file at this path/,
    ],
    ["a link to itself", (root) => link(root, "hooks.yaml"), /there is a symlink[\s\S]*Remove the file at this path/],
    ["a file for a folder", (root) => writeFileSync(join(root, ".sluice"), ""), /cannot be made[\s\S]*Remove the file/],
  ];
  it.each(rows)("%s", (_name, make, words) => {
    const { root, sluice } = project();
    make(root);
    const { code, out, err } = sluice("init", "--yes");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(words);
    expect(err).not.toContain("fault in Sluice");
  });

  it("four at once write one file, and three find it there", async () => {
    const { root, home } = project();
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    const places = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: join(home, ".state") };
    const ended = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const child = spawn(process.execPath, [COMMAND, "init", "--yes"], { cwd: root, env: { ...env, ...places } });
        const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
        return { code, err, wrote: out.startsWith("Wrote"), found: out.includes("is there already") };
      }),
    );
    expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(Array(4).fill({ code: 0, err: "" }));
    expect([ended.filter(({ wrote }) => wrote).length, ended.filter(({ found }) => found).length]).toEqual([1, 3]);
  });
});

describe("sluice init", () => {
  it("names the next step with the agents that are here", () => {
    const { home, sluice } = project();
    expect(sluice("init", "--yes").out).toContain("Next: sluice install <agent>");
    mkdirSync(join(home, ".claude"));
    mkdirSync(join(home, ".gemini"));
    expect(sluice("init", "--scope", "user", "--yes").out).toContain(
      "Next: sluice install gemini-cli claude-code  lets gemini-cli, claude-code (found here) call Sluice",
    );
    rmSync(join(home, ".config"), { recursive: true });
    sluice("install", "gemini-cli", "claude-code", "--yes");
    rmSync(join(home, ".config"), { recursive: true });
    expect(sluice("init", "--scope", "user", "--yes").out).toContain("Next: sluice doctor  shows");
  });

  it("writes the user's own configuration with --scope user, and nothing into the project", () => {
    const { home, root, sluice } = project();
    const { code, out } = sluice("init", "--scope", "user", "--yes");
    expect([code, readdirSync(root)]).toEqual([0, []]);
    expect(out).toContain("Wrote ~/.config/sluice/hooks.yaml with the standard guards.");
    expect(readFileSync(join(home, ".config/sluice/hooks.yaml"), "utf8")).toMatch(/^guards: standard$/m);
    expect(sluice("check").code).toBe(0);
    expect(sluice("init", "--scope", "user", "--yes").out).toContain("is there already");
    expect(sluice("init", "--scope", "all", "--yes").code).toBe(64);
  });
});

function link(root: string, target: string): void {
  mkdirSync(join(root, ".sluice"));
  symlinkSync(target, join(root, ".sluice/hooks.yaml"));
}
