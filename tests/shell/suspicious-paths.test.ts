import { expect, test } from "vitest";
import { SECRET_FILES, SUSPICIOUS } from "../../src/effects/programs/secret-files.ts";
import { cases } from "../cases.ts";
import { diceFor } from "../readers/dice.ts";
import { sampleOf } from "./sample-of.ts";

const COUNT = cases(300, 40_000);

test.each(SECRET_FILES.map(({ holds, fits }) => [holds, fits] as const))(
  "every path that holds %s looks suspicious at first sight",
  (_, fits) => {
    const paths = Array.from({ length: COUNT }, (_, seed) => sampleOf(fits.source, diceFor(seed)));
    const secret = paths.filter((path) => fits.test(path));
    expect(secret.length).toBeGreaterThan(COUNT / 4);
    expect(secret.filter((path) => !SUSPICIOUS.test(path))).toEqual([]);
  },
);
