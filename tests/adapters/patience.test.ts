import { expect, it } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { patienceIn } from "../../src/decide/patience.ts";

const ROWS = ADAPTERS.flatMap(({ id, seconds, hookEvents, waited = [] }) =>
  waited.map((row) => {
    const own = Object.values(hookEvents).find(({ as }) => as === row.event);
    return { id, ...row, planned: patienceIn(own?.seconds ?? seconds) / 1000 };
  }),
);

it.each(ROWS)("$id $version waits longer at $event than Sluice takes at most", ({ planned, seconds }) => {
  expect(planned).toBeLessThan(seconds);
});
