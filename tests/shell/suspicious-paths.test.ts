import { expect, test } from "vitest";
import { SECRET_FILES, SUSPICIOUS } from "../../src/effects/secret-files.ts";
import { diceFor } from "../readers/dice.ts";
import { sampleOf } from "./sample-of.ts";

test.each(SECRET_FILES.map(({ holds, fits }) => [holds, fits] as const))(
  "every path that holds %s looks suspicious at first sight",
  (_, fits) => {
    const paths = Array.from({ length: 4000 }, (_, seed) => sampleOf(fits.source, diceFor(seed)));
    const secret = paths.filter((path) => fits.test(path));
    expect(secret.length).toBeGreaterThan(1000);
    expect(secret.filter((path) => !SUSPICIOUS.test(path))).toEqual([]);
  },
);
