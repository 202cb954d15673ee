import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newLink } from "../../src/approvals/link.ts";
import { hashPin, removePersonChannel, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { changeApprovals, readApprovals } from "../../src/approvals/store.ts";
import { openBrowser, openPage } from "./open-browser.mjs";
import { axeProblems, loggedIn, madeHome, outOfSight, smallTargets, startUi } from "./ui-pages.mjs";

const COMMAND = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

let browser;
let home;
let ui;
let phone;
let place;

beforeAll(async () => {
  browser = await openBrowser();
  home = madeHome();
  appendFileSync(
    join(home.home, ".config/sluice/hooks.yaml"),
    `  - name: ask-deploy
    event: tool:pre_execute:@shell
    rules: args.command contains "make deploy" -> ask("Deploys reach users.")
`,
  );
  place = { env: home.env, root: home.root };
  ui = await startUi(home);
  phone = await loggedIn(browser, ui, PHONE);
});

afterAll(async () => {
  await browser?.close();
  await ui?.stop();
  home?.remove();
});

beforeEach(() => {
  removePersonChannel(place);
  changeApprovals(place, () => [{ requests: [], grants: [] }, true]);
});

/** What Codex, which cannot ask, is answered for a command. */
function codex(command) {
  const payload = {
    ...{ hook_event_name: "PreToolUse", session_id: "s-deploy", cwd: home.root, turn_id: "t", model: "m" },
    ...{ tool_name: "Bash", tool_input: { command }, tool_use_id: "u" },
  };
  const options = { cwd: home.root, env: home.env, input: JSON.stringify(payload), encoding: "utf8" };
  return execFileSync(process.execPath, [COMMAND, "run", "codex", "--cold"], { ...options, stdio: "pipe" });
}

/** A command that waits, and the id of its request. */
function waiting(command = "make deploy") {
  expect(codex(command)).toContain("waiting for approval");
  return readApprovals(place).requests.find(({ text }) => text.includes(command)).id;
}

/** Opens an address on the phone and counts the taps from there. */
async function begin(page, address) {
  await page.goto(address);
  await page.getByRole("article").first().waitFor();
  await page.evaluate(() => {
    window.taps = 0;
    addEventListener("click", (event) => event.isTrusted && event.detail > 0 && window.taps++, true);
  });
  return () => page.evaluate(() => window.taps);
}

test("a request is approved on a phone with the PIN: at most two taps from the first page, and the retry passes", async () => {
  const id = waiting();
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const { page } = phone;
  const taps = await begin(page, `${ui.origin}/`);
  expect([await outOfSight(page), await smallTargets(page)]).toEqual([[], []]);
  await page.getByLabel(`PIN for request ${id}`).tap();
  await page.keyboard.type("482913");
  await page.getByRole("button", { name: "Approve once" }).tap();
  await page.getByText("Approved. The agent may try again.").waitFor();
  expect(await taps()).toBeLessThanOrEqual(2);
  expect(codex("make deploy")).not.toContain('"deny"');
  expect(codex("make deploy")).toContain("waiting for approval");
});

test("a request is denied on a phone with one tap from the first page, and the agent reads it", async () => {
  waiting();
  const { page } = phone;
  const taps = await begin(page, `${ui.origin}/`);
  await page.getByRole("button", { name: "Deny" }).tap();
  await page.getByText("Denied.", { exact: true }).waitFor();
  expect(await taps()).toBe(1);
  expect(codex("make deploy")).not.toContain("waiting for approval");
});

test("a wrong PIN approves nothing, and the page says so beside the request", async () => {
  const id = waiting();
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const { page } = phone;
  await begin(page, `${ui.origin}/requests`);
  await page.getByLabel(`PIN for request ${id}`).tap();
  await page.keyboard.type("111111\n");
  await page.getByRole("alert").getByText("That is not the PIN.").waitFor();
  expect(readApprovals(place)).toMatchObject({ requests: [{ id }], grants: [] });
});

test("the link of a notification opens one request without a login, and answers it with at most two taps", async () => {
  const id = waiting();
  waiting("make deploy-other");
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const { token, hash } = newLink();
  changeApprovals(place, (known) => [
    { ...known, requests: known.requests.map((one) => (one.id === id ? { ...one, link: hash } : one)) },
    true,
  ]);
  const { page, context, complaints } = await openPage(browser, PHONE);
  const taps = await begin(page, `${ui.origin}/requests/${id}#${token}`);
  expect(await page.getByRole("article").count()).toBe(1);
  expect(await page.locator("body").textContent()).not.toContain("deploy-other");
  expect([await axeProblems(page), await outOfSight(page), await smallTargets(page)]).toEqual([[], [], []]);
  await page.getByLabel(`PIN for request ${id}`).tap();
  await page.keyboard.type("482913");
  await page.getByRole("button", { name: "Approve once" }).tap();
  await page.getByText("Approved. The agent may try again.").waitFor();
  expect(await taps()).toBeLessThanOrEqual(2);
  expect(complaints).toEqual([]);
  await context.close();
});

test("an answer in force is shown, and ended with one tap", async () => {
  waiting();
  const { page } = phone;
  const taps = await begin(page, `${ui.origin}/requests`);
  await page.getByRole("button", { name: "Deny" }).tap();
  await page.getByRole("region", { name: "Answers in force" }).getByText("denied").waitFor();
  await page.getByRole("button", { name: /^End the answer/ }).tap();
  await page.getByRole("region", { name: "Answers in force" }).waitFor({ state: "detached" });
  expect(await taps()).toBe(2);
  expect(readApprovals(place).grants).toEqual([]);
});

test.each(["/", "/requests"])(
  "axe finds nothing on %s while calls wait and with answers in force, in both colours and on a phone",
  async (path) => {
    waiting(`make deploy ${"with-a-long-argument ".repeat(20)}`);
    waiting("make deploy-web");
    savePersonChannel({ pin: hashPin("482913", 16) }, place);
    const { page } = phone;
    await begin(page, ui.origin + path);
    if (path === "/requests") {
      await page.getByRole("button", { name: "Deny" }).first().tap();
      await page.getByRole("region", { name: "Answers in force" }).waitFor();
    }
    for (const width of [390, 1280])
      for (const colorScheme of ["light", "dark"]) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme });
        expect([await axeProblems(page), await outOfSight(page)]).toEqual([[], []]);
        if (width === 390) expect(await smallTargets(page)).toEqual([]);
      }
    await page.setViewportSize(PHONE.viewport);
    expect(phone.complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  },
);
