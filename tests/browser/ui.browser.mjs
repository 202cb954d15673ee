import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADAPTERS } from "../../src/adapters/index.ts";
import { openBrowser, openPage, picture } from "./open-browser.mjs";
import {
  axeProblems,
  call,
  change,
  exportUi,
  loggedIn,
  madeHome,
  outOfSight,
  record,
  smallTargets,
  startUi,
} from "./ui-pages.mjs";

let browser;
let home;
let ui;
let session;

beforeAll(async () => {
  browser = await openBrowser();
  home = madeHome();
  call(home, "Bash", { command: "npm test" });
  call(home, "Bash", { command: "git push --force origin main" });
  call(home, "Write", { file_path: `${home.root}/src/b.ts`, content: "export {};" });
  record(home, { session_id: "s-sub", parent_session: "s-1", agent: "claude-code" });
  change(home, "src/b.ts", "export const written = true;\n");
  ui = await startUi(home);
  session = await loggedIn(browser, ui);
});

afterAll(async () => {
  await browser?.close();
  await ui?.stop();
  home?.remove();
});

async function open(path) {
  await session.page.goto(ui.origin + path);
  return session.page;
}

function rowsOf(page) {
  return page.getByRole("listbox", { name: /^Calls/ }).getByRole("option");
}

test("nothing is shown before the code is typed, and a code that is used up says so", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${ui.origin}/session/s-1`);
  await page.getByLabel("One-time code").fill("AAAA-AAAA");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  expect(await page.locator("body").textContent()).not.toContain("npm test");
  expect(await axeProblems(page)).toEqual([]);
  await context.close();
});

test("the timeline shows every call with its decision in a word, and folds sub-agents under their parent", async () => {
  const page = await open("/timeline");
  const rows = rowsOf(page);
  await rows.filter({ hasText: "git push --force" }).waitFor();
  expect(await rows.filter({ hasText: "git push --force" }).textContent()).toContain("deny");
  expect(await rows.filter({ hasText: "npm test" }).textContent()).toContain("modify");
  const use = { tool_args: { command: "echo ran" }, tool_use_id: "use-1" };
  record(home, { event_json: { type: "tool:pre_execute", tool_name: "Bash", data: use } });
  await rows.filter({ hasText: "echo ran" }).waitFor();
  const after = { type: "tool:post_execute", tool_name: "Bash", data: { ...use, duration_ms: 1700 } };
  record(home, { event: "tool:post_execute", event_json: after });
  await rows.filter({ hasText: "echo ran" }).filter({ hasText: "1.7 s" }).waitFor();
  expect(await rows.filter({ hasText: "echo ran" }).count()).toBe(1);
  await rows.filter({ hasText: "echo ran" }).click();
  const detail = page.getByRole("complementary");
  await detail.getByRole("button", { name: "After it ran" }).click();
  await detail.getByText("tool:post_execute").waitFor();
  await page.keyboard.press("Escape");
  const fold = rows.filter({ hasText: "1 call: show" });
  await fold.click();
  await rows.filter({ hasText: "↳" }).waitFor();
  const lanes = page.getByRole("region", { name: "Sessions" });
  // The lane of the call that has just come is drawn a moment after its row.
  await lanes.getByText("codex").first().waitFor();
  const sessions = lanes.getByRole("link", { name: /Open session/ });
  const before = await sessions.count();
  await lanes.getByRole("button", { name: "Sub-agents of s-1" }).click();
  await expect.poll(() => sessions.count()).toBe(before + 1);
  await picture(page, "ui-timeline");
});

test("a call that is decided now arrives, filters stand in the address, and a pause holds the list", async () => {
  const page = await open("/timeline");
  await page.getByText("live", { exact: true }).waitFor();
  record(home, { event_json: { data: { tool_args: { command: "echo fresh" } } } });
  await rowsOf(page).filter({ hasText: "echo fresh" }).waitFor();
  await page.keyboard.press("p");
  record(home, { event_json: { data: { tool_args: { command: "echo later" } } } });
  await page.getByRole("button", { name: "Continue (1)" }).waitFor();
  expect(await rowsOf(page).filter({ hasText: "echo later" }).count()).toBe(0);
  await page.keyboard.press("p");
  await rowsOf(page).filter({ hasText: "echo later" }).waitFor();
  await page.getByLabel("Search in calls").fill("force");
  await page.getByLabel("Filter by action").selectOption("deny");
  expect(new URL(page.url()).search).toBe("?text=force&action=deny");
  expect(await rowsOf(page).count()).toBe(1);
  await page.reload();
  await rowsOf(page).first().waitFor();
  expect(await rowsOf(page).count()).toBe(1);
});

test("the next denial is one key away, and opens to what is known about it", async () => {
  const page = await open("/timeline");
  await rowsOf(page).filter({ hasText: "git push --force" }).waitFor();
  await page.keyboard.press("n");
  const detail = page.getByRole("complementary");
  await detail.getByText("Force pushes rewrite what others have.").first().waitFor();
  for (const text of ["matches and decides", "What the call does", "args.command contains", "no-force-push"])
    expect(await detail.getByText(text).first().isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await detail.waitFor({ state: "detached" });
});

test("payloads are text: markup, terminal escapes, letters that turn the line, and a megabyte", async () => {
  const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
  const turning = "\u202Egnp.exe\u001b[31mred\u0007";
  const long = { command: `echo ${"A".repeat(1_000_000)}` };
  record(home, {
    session_id: "s-bad",
    agent: hostile,
    tool: hostile,
    action: "deny",
    reasons: [hostile, turning],
    event_json: { data: { tool_args: { [hostile]: turning, command: hostile } } },
  });
  record(home, { session_id: "s-bad", action: "deny", event_json: { data: { tool_args: long } } });
  const page = await open("/session/s-bad?view=calls");
  const rows = rowsOf(page);
  await rows.nth(1).waitFor();
  await page.getByRole("complementary").getByText("‹U+202E›").first().waitFor();
  expect(await page.getByRole("complementary").textContent()).toContain("‹U+001B›");
  await rows.nth(1).click();
  await page
    .getByText(/more characters/)
    .first()
    .waitFor();
  expect(await page.locator("img, main script").count()).toBe(0);
  expect(await page.title()).toBe("Session · Sluice");
});

test("the playground says what would happen, for every agent, and keeps its state in the address", async () => {
  const page = await open("/playground");
  const field = page.getByLabel("Call", { exact: true });
  await field.fill("git push --force origin main");
  const outcome = page.getByRole("region", { name: "What would come of it" });
  await outcome.getByText("Force pushes rewrite what others have.").first().waitFor();
  // One row for each agent, and the head.
  expect(await outcome.getByRole("row").count()).toBe(ADAPTERS.length + 1);
  await page.getByLabel("Policy").selectOption({ index: 1 });
  await page.getByLabel(/not saved/).fill("hooks: []\n");
  await outcome.getByText("None.").waitFor();
  expect(await outcome.locator(".verdict").textContent()).toContain("continue");
  await page.reload();
  await outcome.getByText("None.").waitFor();
  expect(await field.inputValue()).toBe("git push --force origin main");
  await page.getByLabel("Begin with an example").selectOption({ label: "Hidden in base64" });
  await page.getByLabel("Policy").selectOption({ index: 0 });
  await outcome.getByText("rm -rf").first().waitFor();
  await picture(page, "ui-playground");
});

test("objections are reviewed with the keyboard alone", async () => {
  const page = await open("/review");
  const groups = page.getByRole("listbox", { name: "Groups of denials and questions" }).getByRole("option");
  await groups.filter({ hasText: "no-force-push" }).waitFor();
  const before = await groups.count();
  for (let at = 0; at < before && !(await groups.nth(at).textContent()).includes("no-force-push"); at++)
    await page.keyboard.press("j");
  await page.getByRole("region", { name: "The chosen group" }).getByText("git push --force").first().waitFor();
  await page.getByRole("button", { name: /^Test: must pass/ }).waitFor();
  await page.keyboard.press("w");
  await page.getByText(/review\.hooks\.test\.yaml/).waitFor();
  expect(readFileSync(join(home.root, ".sluice/review.hooks.test.yaml"), "utf8")).toContain(
    "git push --force origin main",
  );
  await page.keyboard.press("r");
  // The group stays, with its message, until another one is chosen.
  await page.getByText("Found right;").waitFor();
  await page.getByRole("region", { name: "The chosen group" }).getByText("git push --force").first().waitFor();
  expect(await groups.count()).toBe(before);
  // The first group has none before it, the last one none after it.
  for (const key of ["k", "j"]) await page.keyboard.press(key);
  if (before > 1) await expect.poll(() => groups.count()).toBe(before - 1);
  await page.getByLabel("also those marked as right").check();
  await expect.poll(() => groups.count()).toBe(before);
});

test("the rules show what fired, and cannot be changed without a person at the terminal", async () => {
  const page = await open("/rules");
  const row = page.getByRole("row").filter({ hasText: "no-force-push" });
  await row.waitFor();
  expect(await row.textContent()).toContain("denied");
  await row.getByRole("button", { name: "Turn off… no-force-push" }).click();
  await page.getByText(/does nothing here: there is no terminal/).waitFor();
  await page.getByLabel("Search in rules").fill("quiet-tests");
  expect(await page.getByRole("row").count()).toBe(2);
});

test("analytics adds calls up, draws them, and saves both", async () => {
  const page = await open("/analytics");
  await page.locator("canvas").first().waitFor();
  for (const [name, file] of [
    ["Save By agent as CSV", "by-agent.csv"],
    ["Save Decisions by day as PNG", "decisions-by-day.png"],
  ]) {
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    expect(saved.suggestedFilename()).toBe(file);
    const bytes = readFileSync(await saved.path());
    expect(file.endsWith(".csv") ? String(bytes).split(",")[0] : bytes.subarray(1, 4).toString()).toBe(
      file.endsWith(".csv") ? "name" : "PNG",
    );
  }
  await picture(page, "ui-analytics");
});

test("a line of a file leads to the call that wrote it", async () => {
  const page = await open("/files");
  await page.getByRole("treeitem").filter({ hasText: "b.ts" }).click();
  await page.getByRole("listbox", { name: "Lines of src/b.ts" }).getByRole("option").first().click();
  const facts = page.getByRole("region", { name: "Lines" });
  await facts.getByText("INT-1").first().waitFor();
  expect(await facts.getByRole("link", { name: "s-files" }).getAttribute("href")).toBe("/session/s-files");
});

test("form and text are two views of one file: comments stay, problems have places, and the terminal saves", async () => {
  const page = await open("/editor");
  const text = page.getByRole("textbox", { name: /^Text of/ });
  await page.getByText(/0 problems/).waitFor();
  await page.getByLabel("Mode").selectOption("monitor");
  await text.getByText("monitor").waitFor();
  expect(await text.textContent()).toContain("# Nobody rewrites main.");
  await text.getByText("no-force-push").dblclick();
  await page.getByLabel("Hook", { exact: true }).selectOption({ label: "quiet-tests" });
  await page.getByLabel("Event", { exact: true }).fill("tool:pre_exec");
  await page.keyboard.press("Tab");
  const problem = page
    .getByRole("region", { name: "What this text does" })
    .getByText(/tool:pre_exec/)
    .first();
  await problem.waitFor();
  await page
    .getByRole("button", { name: /^line \d+/ })
    .first()
    .click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("desc");
  await page.getByRole("listbox").getByText("description").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Look at the changes, then save" }).click();
  await page.getByText("Saved, and as it would be").waitFor();
  const save = page.getByRole("button", { name: "Save…" });
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel(/with its \d+ errors?/).check();
  await save.click();
  await page.getByText(/does nothing here: there is no terminal/).waitFor();
  expect(readFileSync(join(home.home, ".config/sluice/hooks.yaml"), "utf8")).not.toContain("monitor");
  await picture(page, "ui-editor");
});

test("the form keeps what is typed right after a hook is chosen, and stays with the hook that was chosen last", async () => {
  const page = await open("/editor");
  await page.getByText(/0 problems/).waitFor();
  const typed = await page.evaluate(async () => {
    const hooks = document.querySelector('select[aria-label="Hook"]');
    const labelled = (label) =>
      [...document.querySelectorAll(".hook-form label")]
        .find((one) => one.textContent.startsWith(label))
        .querySelector("input, select");
    const give = (field, value, event) => {
      field.value = value;
      field.dispatchEvent(new Event(event, { bubbles: true }));
    };
    const [first, second] = [...hooks.options].map(({ value }) => value);
    give(labelled("Description"), "Changed just now.", "input");
    give(labelled("Description"), "Changed just now.", "change");
    give(hooks, second, "change");
    await Promise.resolve().then(() => {});
    give(labelled("Event"), "tool:post_execute", "input");
    await new Promise((done) => setTimeout(done, 1500));
    return { event: labelled("Event").value, chosen: hooks.value, first, second };
  });
  expect(typed).toEqual({ ...typed, event: "tool:post_execute", chosen: typed.second });
  await page
    .getByRole("textbox", { name: /^Text of/ })
    .getByText("Changed just now.")
    .waitFor();
});

test("an exported file opens from the disk, shows calls and what is known about them, and asks nothing of anybody", async () => {
  const file = join(home.home, "calls.html");
  exportUi(home, file);
  const text = readFileSync(file, "utf8");
  expect(text).not.toContain(home.home);
  const { page, context, complaints } = await openPage(browser);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await rowsOf(page).filter({ hasText: "git push --force" }).click();
  await page.getByRole("complementary").getByText("Force pushes rewrite what others have.").first().waitFor();
  await page.getByRole("complementary").getByRole("link", { name: "s-1" }).click();
  await page.getByRole("heading", { name: "Session s-1" }).waitFor();
  expect(asked).toEqual([pathToFileURL(file).href]);
  expect(complaints).toEqual([]);
  expect(await axeProblems(page)).toEqual([]);
  await context.close();
});

test.each([
  "/",
  "/timeline",
  "/session/s-1",
  "/session/s-1?view=calls",
  "/session/s-1?with=s-files",
  "/playground",
  "/review",
  "/rules",
  "/analytics",
  "/files?file=src/b.ts&line=1&intent=INT-1",
  "/files?view=board",
  "/rules?view=order",
  "/editor",
])("axe finds nothing on %s, in both colours and on a phone", async (path) => {
  const page = await open(path);
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  await page.waitForTimeout(400);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    expect(await axeProblems(page)).toEqual([]);
  }
  expect(await outOfSight(page)).toEqual([]);
  for (const width of [640, 390]) {
    await page.setViewportSize({ width, height: 720 });
    for (const colorScheme of ["dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      expect(await outOfSight(page)).toEqual([]);
    }
    expect(await axeProblems(page)).toEqual([]);
  }
  expect(await smallTargets(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: "light" });
});

test("the keys are shown, and lead from page to page", async () => {
  const page = await open("/timeline");
  await rowsOf(page).first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).getByText("next call that was denied").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.getByRole("heading", { name: "Playground" }).waitFor();
  // A browser complains about every answer that is a refusal, also about one that the page shows in words.
  expect(session.complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
});
