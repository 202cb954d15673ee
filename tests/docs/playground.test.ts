import { join } from "node:path";
import { expect, it } from "vitest";
import { bundlePlayground } from "../../site/bundle-playground.mjs";
import { TABLES } from "../../src/effects/programs/index.ts";
import { project } from "../cli/sluice.ts";
import { ROOT } from "./workshop.ts";

it("the playground of the site gives the same answers as the command on 300 lines", { timeout: 120_000 }, async () => {
  const here = project();
  const folder = here.home;
  await bundlePlayground(ROOT, join(folder, "effects.mjs"));
  const { readCommand } = await import(join(folder, "effects.mjs"));
  const all = TABLES.flatMap((table) =>
    Object.values(table()).flatMap(({ examples }) => examples.map(([line]) => line)),
  );
  const step = Math.floor(all.length / 300);
  const lines = all.filter((_, at) => at % step === 0).slice(0, 300);
  expect(lines).toHaveLength(300);
  for (const line of lines) {
    const { out } = here.sluice("explain", "--effects", "--json", "--", line);
    const { effects, unknown, readOnly } = JSON.parse(JSON.stringify(readCommand(line)));
    expect(JSON.parse(out), line).toMatchObject({ effects, unknown, readOnly });
  }
});
