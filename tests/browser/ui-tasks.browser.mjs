import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./open-browser.mjs";
import { call, change, loggedIn, madeHome, record, startUi, startUiInTerminal } from "./ui-pages.mjs";

let browser;
let home;
let ui;
let page;

beforeAll(async () => {
  browser = await openBrowser();
  home = madeHome();
  call(home, "Bash", { command: "rm -rf /" });
  change(home, "src/b.ts", "export const written = true;\n");
  writeFileSync(join(home.root, "README.md"), "# Shop\n");
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

/** Opens the first page, and waits for its calls. */
async function openTimeline() {
  await page.goto(`${ui.origin}/timeline`);
  await page
    .getByRole("listbox", { name: /^Calls/ })
    .getByRole("option")
    .first()
    .waitFor();
}

/** Presses keys, one after the other. */
async function keys(...all) {
  for (const key of all) await page.keyboard.press(key);
}

test("why the last call was denied: one key on the first page", async () => {
  await openTimeline();
  await keys("n");
  await page.getByRole("complementary").getByText("Not here.").first().waitFor();
  await page.getByText(/3 files, 4\.9 KiB/).waitFor();
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
  await openTimeline();
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
  const files = page.getByRole("tree", { name: "Files" });
  await files.waitFor();
  await keys("j");
  while (!page.url().includes("src%2Fb.ts")) await keys("ArrowDown");
  const lines = page.getByRole("listbox", { name: "Lines of src/b.ts" });
  await lines.waitFor();
  await keys("l", "ArrowDown");
  const facts = page.getByRole("region", { name: "Lines" });
  for (const text of ["INT-1", "s-files", "continue", "json, with Write"])
    await facts.getByText(text).first().waitFor();
  await page.getByLabel("Which files").selectOption("unexplained");
  await files.getByRole("treeitem").filter({ hasText: "b.ts" }).filter({ hasText: "changed since" }).waitFor();
});

test("the scope of an intent on the tree of the project, with the keyboard alone", async () => {
  record(home, {
    action: "deny",
    reasons: ["STALE_WRITE: src/app.ts has changed since."],
    tool: "Write",
    event_json: { type: "tool:pre_execute", tool_name: "Write", data: { tool_args: { file_path: "src/app.ts" } } },
  });
  await page.goto(`${ui.origin}/files`);
  const item = (name) => page.getByRole("tree", { name: "Files" }).getByRole("treeitem").filter({ hasText: name });
  await item("app.ts").waitFor();
  expect(await item("src/").textContent()).toContain("INT-1");
  await item("app.ts").filter({ hasText: "1 stale write" }).waitFor();
  await keys("i");
  await page
    .getByRole("button", { name: /^INT-1/, pressed: true })
    .getByText("src/**")
    .waitFor();
  expect(new URL(page.url()).searchParams.get("intent")).toBe("INT-1");
  await page.getByText(/in the scope of INT-1/).waitFor();
  expect(await item("app.ts").locator(".in-scope").count()).toBe(1);
  expect(await item("README.md").locator(".out-of-scope").count()).toBe(1);
  await keys("j", "Home");
  expect(await item("src/").getAttribute("aria-expanded")).toBe("true");
  await keys("ArrowLeft");
  await expect.poll(() => item("app.ts").count()).toBe(0);
  expect(await item("src/").getAttribute("aria-expanded")).toBe("false");
  await keys("ArrowRight", "ArrowRight");
  await expect.poll(() => item("app.ts").getAttribute("aria-selected")).toBe("true");
  await keys("ArrowLeft");
  await expect.poll(() => item("src/").getAttribute("aria-selected")).toBe("true");
  await keys("i");
  await expect.poll(() => new URL(page.url()).searchParams.get("intent")).toBe(null);
});

test("one folder is allowed: chosen in the page, seen before it is written, and confirmed at the terminal", async () => {
  const own = madeHome();
  const config = join(own.home, ".config/sluice/hooks.yaml");
  const before = readFileSync(config, "utf8");
  const folder = join(own.home, "cache");
  mkdirSync(folder);
  call(own, "Bash", { command: `rm -rf ${folder}` });
  const terminal = await startUiInTerminal(own);
  const { page: opened, context } = await loggedIn(browser, terminal);
  try {
    await opened.keyboard.press("g");
    await opened.keyboard.press("r");
    const group = opened.getByRole("region", { name: "The chosen group" });
    await group.getByText("guard:files").first().waitFor();
    await group.getByRole("button", { name: /^Exception/ }).waitFor();
    await opened.keyboard.press("a");
    await group.getByText(/as it would be/).waitFor();
    await group.locator(".diff-new").filter({ hasText: "cache" }).first().waitFor();
    expect(readFileSync(config, "utf8")).toBe(before);
    await group.getByRole("button", { name: "Write the exception…" }).click();
    await terminal.says(/Write this exception\?/);
    await group.getByText(/Answer the question in the terminal/).waitFor();
    expect(readFileSync(config, "utf8")).toBe(before);
    terminal.type("y\n");
    await group.locator(".good").waitFor();
    expect(readFileSync(config, "utf8")).toContain("cache");
    expect(readFileSync(config, "utf8")).toContain("# Nobody rewrites main.");
    expect(call(own, "Bash", { command: `rm -rf ${folder}` })).not.toContain("deny");
    mkdirSync(join(own.home, "other"));
    expect(call(own, "Bash", { command: `rm -rf ${own.home}/other` }, "s-other")).toContain("deny");
  } finally {
    await context.close();
    await terminal.stop();
    own.remove();
  }
});

test("twenty groups are reviewed with two keys each: the answer, and the next group", async () => {
  await page.goto(`${ui.origin}/review`);
  const groups = page.getByRole("listbox", { name: "Groups of denials and questions" }).getByRole("option");
  await groups.first().waitFor();
  // Only the rows on the screen are in the page; each knows how many there are.
  const left = async () =>
    (await groups.count()) === 0 ? 0 : Number(await groups.first().getAttribute("aria-setsize"));
  const [count, began] = [await left(), Date.now()];
  expect(count).toBeGreaterThanOrEqual(20);
  const kept = [];
  page.on("response", (response) => response.url().endsWith("/api/review/right") && kept.push(response));
  const groupShown = page.getByRole("region", { name: "The chosen group" });
  for (let next = count - 1; next >= 0; next--) {
    await keys("r");
    await groupShown.getByText("Found right;").waitFor();
    if (next === 0) break;
    await keys("j");
    await expect.poll(left).toBe(next);
  }
  // What was found right is kept: it is not there after the page is opened again.
  await expect.poll(() => kept.length).toBe(count);
  await page.reload();
  await page.getByText("Nothing waits for you.").waitFor();
  console.log(`${count} groups in ${((Date.now() - began) / 1000).toFixed(1)} s`);
});

test("while one writes, recorded calls are judged by the text as it is now; an older answer never stands in its place", async () => {
  await page.goto(`${ui.origin}/editor`);
  const text = page.getByRole("textbox", { name: /^Text of/ });
  await text.getByText("no-force-push").waitFor();
  const panel = page.getByRole("region", { name: "What this text does" });
  await panel.getByText("Change the text").waitFor();
  await keys("t", "Control+End");
  const rule = (word) =>
    `  - name: own-${word}\n    event: tool:pre_execute:@shell\n    rules: 'args.command contains "${word}" -> ask("Sure?")'\n`;
  await page.keyboard.insertText(`${rule("echo no such call")}`);
  await panel.getByText(/judged again and not run: all come to the same/).waitFor();
  await page.keyboard.insertText(`${rule("rm -rf")}  # one`);
  for (const sign of "word") await page.keyboard.type(sign, { delay: 20 });
  expect(await panel.textContent()).not.toContain("all come to the same");
  await panel.getByText(/calls of the last 30 days/).waitFor();
  await page.keyboard.insertText("\n  bad: [");
  await panel.getByText("Calls are judged as soon as the text has no error.").waitFor();
  expect(await panel.textContent()).not.toContain("of the last 30 days in this project");
});

test("from the timeline into a session and its denials, to a hook that is switched, and to figures that are saved: keys alone", async () => {
  await page.goto(`${ui.origin}/timeline`);
  const calls = page.getByRole("listbox", { name: /^Calls/ });
  await calls.getByRole("option").first().waitFor();
  await keys("j", "Home", "Enter");
  await page.getByRole("heading", { name: /^Session/ }).waitFor();
  await keys("l");
  await page.getByRole("complementary").waitFor();
  await keys("n");
  await page.getByRole("option", { selected: true }).filter({ hasText: "deny" }).waitFor();
  await page.getByRole("complementary").getByText("Not here.").first().waitFor();
  await keys("g", "t");
  await calls.getByRole("option").first().waitFor();
  await keys("g", "u", "/");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.type("no-force-push");
  const off = page.getByRole("button", { name: "Turn off… no-force-push" });
  await off.waitFor();
  for (let tabs = 0; tabs < 40 && !(await off.evaluate((element) => element === document.activeElement)); tabs++)
    await keys("Tab");
  await keys("Enter");
  await page
    .getByText(/terminal/)
    .first()
    .waitFor();
  await keys("g", "a");
  await page.getByRole("heading", { name: "Analytics" }).waitFor();
  await keys("c");
  const [saved] = await Promise.all([page.waitForEvent("download"), keys("Enter")]);
  expect(saved.suggestedFilename()).toBe("decisions-by-day.csv");
});

test("a new hook begins with a template, a recipe or a denial, and a file that changed meanwhile is shown", async () => {
  await page.goto(`${ui.origin}/review`);
  await page.getByLabel("also those marked as right").check();
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
