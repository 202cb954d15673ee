import { expect, it } from "vitest";
import { HOOK_TEMPLATES } from "../../src/index.ts";
import { testHooks } from "../../src/testing.ts";

const COPIES = Object.values(HOOK_TEMPLATES).map((hook) => hook.toJSON());
const WITH_EXAMPLES = COPIES.filter(({ examples }) => examples !== undefined);

it("some templates bring examples along", () => {
  expect(WITH_EXAMPLES.map(({ name }) => name)).toEqual(expect.arrayContaining(["no_rm_rf", "block_sudo"]));
});

it.each(WITH_EXAMPLES.map((copy) => [copy.name, copy]))("a copy of %s passes its own examples", async (_, copy) => {
  const { outcomes } = await testHooks({ hooks: [copy as object] });
  expect(outcomes.length).toBeGreaterThan(1);
  expect(outcomes.filter(({ status }) => status !== "passed")).toEqual([]);
});
