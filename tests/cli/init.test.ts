import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { project } from "./sluice.ts";

const COMMAND = resolve(import.meta.dirname, "../../dist/sluice.cjs");

describe("sluice init says what is in its way, and what to do", () => {
  const rows: [name: string, make: (root: string) => void, words: RegExp][] = [
    ["a link that leads nowhere", (root) => link(root, "nowhere"), /a link lies there[\s\S]*Remove what lies there/],
    ["a link to itself", (root) => link(root, "hooks.yaml"), /a link lies there[\s\S]*Remove what lies there/],
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

function link(root: string, target: string): void {
  mkdirSync(join(root, ".sluice"));
  symlinkSync(target, join(root, ".sluice/hooks.yaml"));
}
