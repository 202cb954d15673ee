import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hashPin, removePersonChannel, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { openBrowser, picture } from "./open-browser.mjs";
import {
  axeProblems,
  loggedIn,
  madeHome,
  outOfSight,
  put,
  smallTargets,
  startUi,
  startUiInTerminal,
} from "./ui-pages.mjs";

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
  put(
    join(home.home, ".config/sluice/hooks.yaml"),
    `contain: unknown
hooks:
  - name: ask-sources
    event: tool:pre_execute
    rules: call writes "src/**" or call deletes "src/**" -> ask("Sources are looked at first.")
`,
  );
  // What a program does that it reads from elsewhere is not known before.
  put(join(home.root, "prog"), '#!/bin/sh\neval "$(rev < acts)"\n');
  chmodSync(join(home.root, "prog"), 0o755);
  const acts = "echo 'export const b = 2;' > src/b.ts; echo made > made; rm src/a.ts";
  put(join(home.root, "acts"), `${[...acts].reverse().join("")}\n`);
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
  for (const { id } of boxes().filter(({ state }) => state === "held")) sluice("inside", "--drop", id);
  for (const name of ["a", "b"]) put(source(name), `export const ${name} = 1;\n`);
});

const source = (name) => join(home.root, `src/${name}.ts`);

function sluice(...args) {
  return execFileSync(process.execPath, [COMMAND, ...args], { cwd: home.root, env: home.env, encoding: "utf8" });
}

function boxes() {
  return JSON.parse(sluice("inside", "--list", "--json"));
}

/** Runs the program as an agent does: what it writes and deletes in the sources is held. */
function held() {
  const payload = { type: "tool:pre_execute", tool_name: "Bash", session_id: "s", cwd: home.root };
  const input = JSON.stringify({ ...payload, data: { tool_args: { command: "./prog" } } });
  const options = { cwd: home.root, env: home.env, encoding: "utf8" };
  const answer = JSON.parse(execFileSync(process.execPath, [COMMAND, "run", "json", "--cold"], { ...options, input }));
  const { status, stderr } = spawnSync("sh", ["-c", answer.input.command], options);
  expect([status, stderr]).toEqual([0, expect.stringContaining("1 file changed and 1 deletion held back")]);
  return answer.contained.id;
}

/** Opens the first page and counts the clicks and taps from there. */
async function begin(page, address) {
  await page.goto(address);
  await page.getByRole("region", { name: /^Changes of contained calls/ }).waitFor();
  await page.evaluate(() => {
    window.clicks = 0;
    addEventListener("click", (event) => event.isTrusted && event.detail > 0 && window.clicks++, true);
  });
  return () => page.evaluate(() => window.clicks);
}

test("what a contained call holds is kept on a phone with the PIN: at most three taps from the first page", async () => {
  const id = held();
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const { page } = phone;
  const taps = await begin(page, `${ui.origin}/`);
  await page.getByRole("button", { name: "Keep or drop… ./prog" }).tap();
  const panel = page.getByRole("group", { name: `Held changes of ${id}` });
  await panel.getByLabel(`PIN for the changes of ${id}`).tap();
  await page.keyboard.type("482913");
  await panel.getByRole("button", { name: "Keep 2 changes" }).tap();
  await page.getByText("2 changes kept.").waitFor();
  expect(await taps()).toBeLessThanOrEqual(3);
  expect([existsSync(source("a")), readFileSync(source("b"), "utf8")]).toEqual([false, "export const b = 2;\n"]);
  await page.getByRole("region", { name: /^Changes of contained calls/ }).waitFor({ state: "detached" });
  const { kept } = boxes().find((box) => box.id === id);
  sluice("undo", kept);
  expect([source("a"), source("b")].map((path) => readFileSync(path, "utf8"))).toEqual([
    "export const a = 1;\n",
    "export const b = 1;\n",
  ]);
});

test("a wrong PIN keeps nothing, and the page says so beside the changes", async () => {
  const id = held();
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const { page } = phone;
  await begin(page, `${ui.origin}/`);
  await page.getByRole("button", { name: "Keep or drop… ./prog" }).tap();
  await page.getByLabel(`PIN for the changes of ${id}`).tap();
  await page.keyboard.type("111111\n");
  await page.getByRole("alert").getByText("That is not the PIN.").waitFor();
  expect(readFileSync(source("a"), "utf8")).toBe("export const a = 1;\n");
  expect(boxes().find((box) => box.id === id).state).toBe("held");
});

test("the differences are shown, deletions first, and what is dropped takes three taps and no PIN", async () => {
  const id = held();
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const { page } = phone;
  const taps = await begin(page, `${ui.origin}/`);
  await page.getByRole("button", { name: "Keep or drop… ./prog" }).tap();
  const panel = page.getByRole("group", { name: `Held changes of ${id}` });
  await panel.getByRole("listitem").first().waitFor();
  const shown = await panel.getByRole("listitem").allTextContents();
  expect(shown.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
    expect.stringMatching(/deleted src\/a\.ts.*Sources are looked at first.*export const a = 1;/),
    expect.stringMatching(/changed src\/b\.ts.*export const b = 1;.*export const b = 2;/),
  ]);
  await panel.getByRole("button", { name: "Drop 2 changes…" }).tap();
  await panel.getByRole("button", { name: "Really drop 2 changes" }).tap();
  await page.getByText("2 changes dropped.").waitFor();
  expect(await taps()).toBe(3);
  expect(readFileSync(source("a"), "utf8")).toBe("export const a = 1;\n");
  expect(boxes().find((box) => box.id === id).state).toBe("done");
});

test("at a desk one of two changes is kept from the contained call, confirmed in the terminal", async () => {
  const id = held();
  const terminal = await startUiInTerminal(home);
  const { page, complaints, context } = await loggedIn(browser, terminal);
  await page.goto(`${terminal.origin}/timeline`);
  await page
    .getByRole("option", { name: /\.\/prog/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Keep or drop…" }).waitFor();
  await page.keyboard.press("h");
  const panel = page.getByRole("group", { name: `Held changes of ${id}` });
  await panel.getByRole("checkbox", { name: /src\/a\.ts/ }).click();
  await panel.getByRole("button", { name: "Keep 1 change" }).click();
  await terminal.says(/Keep this change of \.\/prog\?.*\[y\/N\]/s);
  terminal.type("y\n");
  await panel.getByText("1 change kept.").waitFor();
  expect([existsSync(source("a")), readFileSync(source("b"), "utf8")]).toEqual([true, "export const b = 2;\n"]);
  expect(boxes().find((box) => box.id === id).state).toBe("held");
  expect(complaints).toEqual([]);
  await context.close();
  await terminal.stop();
});

test("axe finds nothing wrong with held changes, in both colours, at a desk and on a phone", async () => {
  held();
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const { page } = phone;
  await begin(page, `${ui.origin}/`);
  await page.getByRole("button", { name: "Keep or drop… ./prog" }).tap();
  await page.getByRole("button", { name: "Keep 2 changes" }).waitFor();
  for (const width of [390, 1280])
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await picture(page, `ui-held-${width}-${colorScheme}`);
      expect([await axeProblems(page), await outOfSight(page)]).toEqual([[], []]);
      if (width === 390) expect(await smallTargets(page)).toEqual([]);
    }
  await page.setViewportSize(PHONE.viewport);
  expect(phone.complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
});
