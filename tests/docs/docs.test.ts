import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkBlock } from "./check-block.ts";
import { readPages } from "./page.ts";
import { ROOT, Workshop } from "./workshop.ts";

const PAGES = readPages(ROOT).filter((page) => page.blocks.length > 0);

for (const page of PAGES) {
  // A page is one story: its blocks use what the blocks before them have written.
  describe(`${page.file} keeps its word`, { shuffle: false }, () => {
    const workshop = new Workshop();
    afterAll(() => workshop.close());

    for (const block of page.blocks) {
      it(`${block.place} (${block.language})`, () => checkBlock(block, workshop));
    }
  });
}

describe("the pages", () => {
  it("are checked against the built package", () => {
    expect(existsSync(join(ROOT, "dist/index.js")), "npm run build makes dist/").toBe(true);
  });
});
