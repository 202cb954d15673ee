import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolvePath } from "../../src/fs/resolve-path.ts";
import { cases } from "../cases.ts";
import { dice, tryTree } from "./link-trees.ts";

/** Links cost nothing there. */
const MEMORY = "/dev/shm";
const TREES = cases(80, 100_000);

test("a path leads where the operating system says, through any tree of links", () => {
  const folder = realpathSync(mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "link-trees-")));
  try {
    let compared = 0;
    for (let seed = 1; seed <= TREES; seed++) {
      const home = join(folder, String(seed));
      mkdirSync(home);
      const ours = new Map<string, string | undefined>();
      for (const { path, system } of tryTree(join(home, "t"), dice(seed), (path) =>
        ours.set(path, resolvePath(path).path),
      )) {
        if (system === undefined) continue;
        compared++;
        expect(ours.get(path), `seed ${seed}: ${path}`).toBe(system);
      }
      rmSync(home, { recursive: true, force: true });
    }
    expect(compared).toBeGreaterThan(TREES);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 600_000);
