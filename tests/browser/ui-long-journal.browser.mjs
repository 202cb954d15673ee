import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./open-browser.mjs";
import { loggedIn, madeHome, record, startUi } from "./ui-pages.mjs";

const COUNT = 4000;
const SPAN_MS = 20 * 24 * 60 * 60 * 1000;
let browser;
let home;
let ui;
let page;
const answers = [];

beforeAll(async () => {
  browser = await openBrowser();
  home = madeHome();
  writeJournal();
  ui = await startUi(home);
  ({ page } = await loggedIn(browser, ui));
  page.on("response", (response) => response.url().includes("/api/rows") && answers.push(response.url()));
});

afterAll(async () => {
  await browser?.close();
  await ui?.stop();
  home?.remove();
});

/** Twenty days of calls: one of the oldest was denied, and each command is another. */
function writeJournal() {
  mkdirSync(home.journal, { recursive: true, mode: 0o700 });
  const days = new Map();
  for (let at = 0; at < COUNT; at++) {
    const time = new Date(Date.now() - SPAN_MS + (SPAN_MS * at) / COUNT).toISOString();
    const isDenied = at === 20;
    const one = {
      ...{
        v: 1,
        id: at.toString(16).padStart(6, "0"),
        time,
        kind: "decision",
        event: "tool:pre_execute",
        tool: "Bash",
      },
      ...{
        agent: at < 50 ? "gemini-cli" : "codex",
        session_id: `s-${Math.floor(at / 100)}`,
        cwd: home.root,
        root: home.root,
      },
      ...{ action: isDenied ? "deny" : "continue", reasons: isDenied ? ["No."] : [], results: [], duration_ms: 1 },
      event_json: {
        type: "tool:pre_execute",
        tool_name: "Bash",
        data: { tool_args: { command: `step ${at} end${at === 7 ? " seventh" : ""}` } },
      },
    };
    const day = time.slice(0, 10);
    days.set(day, `${days.get(day) ?? ""}${JSON.stringify(one)}\n`);
  }
  for (const [day, text] of days) writeFileSync(join(home.journal, `${day}.jsonl`), text, { mode: 0o600 });
}

const rows = () => page.getByRole("listbox", { name: /^Calls/ }).getByRole("option");
const row = (text) => rows().filter({ hasText: text });
const status = () => page.locator(".filters [role=status]").textContent();

test("the timeline begins with the latest calls, and reads older ones as one scrolls to them", async () => {
  await page.goto(`${ui.origin}/timeline`);
  await row(`step ${COUNT - 1} end`).waitFor();
  await expect.poll(status).toBe("newest 1,000 calls, 0 denied");
  const list = page.locator(".virtual");
  await expect
    .poll(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return row("step 0 end").count();
    })
    .toBe(1);
  expect(await status()).toBe("4,000 calls, 1 denied");
  // What was read stays where it was, and a call that comes now is the first one.
  record(home, { event_json: { type: "tool:pre_execute", data: { tool_args: { command: "came now" } } } });
  await expect.poll(status).toBe("4,001 calls, 1 denied");
  await list.evaluate((element) => element.scrollTo(0, 0));
  await row("came now").waitFor();
});

test("filters, the search, a time and the next denial find calls that are not in the page yet", async () => {
  await page.goto(`${ui.origin}/timeline`);
  await row(`step ${COUNT - 1} end`).waitFor();
  await page.getByLabel("Search in calls").fill("seventh STEP");
  await row("step 7 end").waitFor();
  await expect.poll(status).toBe("1 call, 0 denied");
  await page.getByLabel("Search in calls").fill("in no call");
  await page.getByText("No call fits these filters.").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await row(`step ${COUNT - 1} end`).waitFor();
  await page.getByLabel("Filter by agent").selectOption("gemini-cli");
  await row("step 49 end").waitFor();
  await expect.poll(status).toBe("50 calls, 1 denied");
  await page.getByLabel("Filter by action").selectOption("deny");
  await expect.poll(() => rows().count()).toBe(1);
  await page.goto(`${ui.origin}/timeline?from=${Date.now() - SPAN_MS}&to=${Date.now() - SPAN_MS + SPAN_MS / 100}`);
  await row("step 30 end").waitFor();
  expect(await row("step 90 end").count()).toBe(0);
  await page.goto(`${ui.origin}/timeline`);
  await row(`step ${COUNT - 1} end`).waitFor();
  await page.keyboard.press("n");
  await page.getByRole("complementary").getByText("No.", { exact: true }).first().waitFor();
  expect(answers.length).toBeGreaterThan(5);
});

test("an old session is whole, and the address of an old call opens it", async () => {
  await page.goto(`${ui.origin}/session/s-3?view=calls`);
  await expect.poll(() => page.getByText("100: 0 denied, 0 asked, 0 modified").count()).toBe(1);
  const at = Date.now();
  const { time } = record(home, {
    id: "abcdef",
    time: new Date(at - SPAN_MS + 1000).toISOString(),
    reasons: ["An old one."],
    action: "deny",
  });
  await page.goto(`${ui.origin}/timeline?call=${Date.parse(time)}-abcdef`);
  await page.getByRole("complementary").getByText("An old one.").first().waitFor();
});
