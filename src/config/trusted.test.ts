import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { HookEvent } from "../event/event.ts";
import { approve } from "../trust/ledger.ts";
import { examine } from "./examine.ts";
import { loadLayers } from "./load.ts";
import { underTrust } from "./trusted.ts";

const home = mkdtempSync(join(tmpdir(), "sluice-trusted-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const root = join(home, "project");
const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
mkdirSync(join(root, ".sluice"), { recursive: true });
writeFileSync(join(root, ".sluice/guard.sh"), "exit 0\n");
writeFileSync(
  join(root, ".sluice/hooks.yaml"),
  'hooks:\n  - {name: guard, event: "tool:pre_execute:@shell", command: sh .sluice/guard.sh}\n',
);
const loaded = loadLayers(root, { env });
const { items, isCut } = examine(loaded, root, { env });
approve(
  root,
  items.map(({ print }) => print),
  { env },
);
const event = HookEvent.toolPreExecute("Bash", { command: "ls" }, { cwd: root });
const spent = { isSpent: () => true };

it("an approved hook runs while there is time to look at its files", () => {
  expect(isCut).toBe(false);
  const { trust, hooks } = underTrust(loaded, root, { env, event });
  expect(trust).toMatchObject({ state: "trusted", skipped: [] });
  expect(hooks.map(({ name, type }) => [name, type])).toEqual([["guard", "command"]]);
});

it.each([
  ["a call", { event }],
  ["a command", {}],
])("where looking takes longer than %s may wait, an approved hook's gate asks, and says why", (_, about) => {
  const { trust, hooks, notices } = underTrust(loaded, root, { env, ...about, budget: spent });
  expect(trust).toMatchObject({ hash: undefined, skipped: [{ why: expect.stringContaining("take longer to check") }] });
  expect(hooks.map(({ name, type }) => [name, type])).toEqual([["guard", "inline"]]);
  expect(hooks[0]?.rules).toContain("ask(");
  expect(notices.join()).toContain("take longer to check than a call may wait");
});

it("what a budget does not reach is left out of a look at everything, which has no hash then", () => {
  expect(examine(loaded, root, { env }, spent)).toMatchObject({ items: [], isCut: true });
});

it("where the work ends within one hook, its gate asks, and its files are looked at again at the next call", () => {
  const fresh = loadLayers(root, { env });
  let asked = 0;
  const short = { isSpent: () => ++asked > 1 };
  const { trust } = underTrust(fresh, root, { env, event, budget: short });
  expect(asked).toBeGreaterThan(1);
  expect(trust.skipped).toMatchObject([{ why: expect.stringContaining("take longer to check"), instead: {} }]);
  expect(underTrust(fresh, root, { env, event }).trust).toMatchObject({ state: "trusted", skipped: [] });
});
