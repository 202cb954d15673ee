import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./open-browser.mjs";
import { call, change, loggedIn, madeHome, record, startUi } from "./ui-pages.mjs";

let browser;
let home;
let ui;
let page;

beforeAll(async () => {
  browser = await openBrowser();
  home = madeHome();
  call(home, "Bash", { command: "rm -rf /" });
  change(home, "src/b.ts", "export const written = true;\n");
  for (let at = 0; at < 20; at++)
    record(home, {
      action: "deny",
      reasons: ["Not here."],
      event_json: { type: "tool:pre_execute", tool_name: "Bash", data: { tool_args: { command: `tool${at} run` } } },
      results: [
        {
          hook: `hook-${at}`,
          layer: "user",
          kind: "inline",
          fingerprint: "x",
          exit_code: null,
          action: "deny",
          reason: "Not here.",
          duration_ms: 1,
        },
      ],
      kept: at === 19 ? { id: "abc123", files: 3, bytes: 5000 } : undefined,
    });
  ui = await startUi(home);
  ({ page } = await loggedIn(browser, ui));
});

afterAll(async () => {
  await browser?.close();
  await ui?.stop();
  home?.remove();
});

/** Presses keys, one after the other. */
async function keys(...all) {
  for (const key of all) await page.keyboard.press(key);
}

test("why the last call was denied: one key on the first page", async () => {
  await page.goto(`${ui.origin}/timeline`);
  await page
    .getByRole("listbox", { name: /^Calls/ })
    .getByRole("option")
    .first()
    .waitFor();
  await keys("n");
  await page.getByRole("complementary").getByText("Not here.").first().waitFor();
  await page.getByText(/3 files, 4\.9 KiB/).click();
  expect(await page.getByText("sluice undo abc123").isVisible()).toBe(true);
});

test("a rule that does nothing: one key on the page of rules, and the order turns round", async () => {
  await page.goto(`${ui.origin}/rules`);
  await page.getByRole("row").nth(1).waitFor();
  const rows = page.getByRole("row");
  const all = await rows.count();
  await keys("n");
  await expect.poll(() => rows.count()).toBeLessThan(all);
  expect(new URL(page.url()).search).toBe("?show=never");
  expect(await rows.filter({ hasText: "no-force-push" }).textContent()).toContain("not in 30 days");
  const name = page.getByRole("columnheader", { name: /^hook/ });
  await name.getByRole("button").click();
  expect(await name.getAttribute("aria-sort")).toBe("ascending");
  const first = await rows.nth(1).textContent();
  await name.getByRole("button").click();
  expect(await name.getAttribute("aria-sort")).toBe("descending");
  expect(await rows.last().textContent()).toBe(first);
});

test("a command for one agent: written, answered in its words, and shared by its address", async () => {
  await page.goto(`${ui.origin}/timeline`);
  await page
    .getByRole("listbox", { name: /^Calls/ })
    .getByRole("option")
    .first()
    .waitFor();
  await keys("g", "p");
  await page.getByRole("heading", { name: "Playground" }).waitFor();
  await keys("/", "Control+a");
  await page.keyboard.type("terraform destroy");
  const codex = page.getByRole("row").filter({ hasText: /^Codex/ });
  await codex.getByText("deny").first().waitFor();
  expect(await codex.textContent()).toMatch(/PreToolUse.*deny/s);
  expect(decodeURIComponent(new URL(page.url()).hash)).toContain("terraform destroy");
  await page.getByRole("button", { name: "Copy the address" }).click();
  await page.getByText(/^(copied|The browser does not let it)/).waitFor();
});

test("who wrote a line, with the keyboard alone; what no recorded call explains is marked", async () => {
  writeFileSync(join(home.root, "src/b.ts"), "export const written = true;\nexport const byHand = 1;\n");
  await page.goto(`${ui.origin}/files`);
  const files = page.getByRole("listbox", { name: /^Files/ });
  await files.waitFor();
  await files.focus();
  while (!page.url().includes("src%2Fb.ts")) await keys("ArrowDown");
  const lines = page.getByRole("listbox", { name: "Lines of src/b.ts" });
  await lines.focus();
  await keys("ArrowDown");
  const facts = page.getByRole("region", { name: "Lines" });
  for (const text of ["INT-1", "s-files", "continue", "json, with Write"])
    await facts.getByText(text).first().waitFor();
  await page.getByLabel("Which files").selectOption("unexplained");
  await files.getByRole("option").filter({ hasText: "changed since" }).waitFor();
});

test("twenty groups are reviewed with one key each", async () => {
  await page.goto(`${ui.origin}/review`);
  const groups = page.getByRole("listbox", { name: "Groups of objections" }).getByRole("option");
  await groups.first().waitFor();
  const [count, began] = [await groups.count(), Date.now()];
  expect(count).toBeGreaterThanOrEqual(20);
  for (let left = count; left > 0; left--) {
    await keys("r");
    await expect.poll(() => groups.count()).toBe(left - 1);
  }
  await page.getByText("Nothing waits for you.").waitFor();
  console.log(`${count} groups in ${((Date.now() - began) / 1000).toFixed(1)} s`);
});

test("a new hook begins with a template, a recipe or a denial, and a file that changed meanwhile is shown", async () => {
  await page.goto(`${ui.origin}/review`);
  await page.getByLabel("with those found right").check();
  await page.getByRole("link", { name: "New hook from it" }).click();
  const text = page.getByRole("textbox", { name: /^Text of/ });
  await text.getByText(/name: never-/).waitFor();
  expect(new URL(page.url()).search).toBe("");
  for (const [label, name] of [
    [/^no_sudo/, "no_sudo"],
    ["Only pnpm", "only-pnpm"],
  ]) {
    const option = page.getByLabel("New hook").locator("option", { hasText: label });
    await page.getByLabel("New hook").selectOption(await option.getAttribute("value"));
    await text.getByText(`name: ${name}`).waitFor();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe(name);
  }
  expect(await text.textContent()).toContain("# Nobody rewrites main.");
  const file = join(home.home, ".config/sluice/hooks.yaml");
  writeFileSync(file, `${readFileSync(file, "utf8")}# from another editor\n`);
  await page.getByLabel("Description").fill("Only pnpm here.");
  await keys("Tab");
  await page.getByText(/The file was changed on disk meanwhile/).waitFor();
  expect(readFileSync(file, "utf8")).toContain("# from another editor");
});
