import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ORIGIN, startEditor } from "../programs/editor.ts";
import { openBrowser, openPage, picture } from "./open-browser.mjs";

let browser;
let editor;
let page;
let context;
let complaints;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** The page where an editor would have it: its own addresses, its own way for messages, no server. */
beforeEach(async () => {
  editor = await startEditor();
  ({ page, context, complaints } = await openPage(browser));
  await page.exposeFunction("toHost", (message) => editor.send(message));
  await page.addInitScript(() => {
    globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => globalThis.toHost(message) });
  });
  editor.onPost((message) => page.evaluate((one) => window.postMessage(one, "*"), message).catch(() => {}));
  await page.route(`${ORIGIN}/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === "") return route.fulfill({ contentType: "text/html", body: editor.webview.html });
    const contentType = name.endsWith(".css") ? "text/css" : "text/javascript";
    return route.fulfill({ contentType, body: readFileSync(join(editor.pageFolder, name), "utf8") });
  });
  await page.goto(`${ORIGIN}/`);
  await page.locator('[data-intent="INT-001"]').waitFor();
});

afterEach(async () => {
  await context.close();
  editor.closePanel();
  editor.stop();
});

test("the same page works in an editor's web view: select, write, be stopped, be asked", async () => {
  await page.locator('[data-intent="INT-001"]').getByRole("button", { name: "Select" }).click();
  await page.locator('[data-intent="INT-001"][data-selected="true"]').waitFor();
  await page.getByLabel("Tool", { exact: true }).selectOption("write_file");
  await page.locator('#fields [name="path"]').fill("src/auth/token.ts");
  await page.locator('#fields [name="content"]').fill("export const a = 1;\n");
  await page.getByRole("button", { name: "Call" }).click();
  await page.locator('#timeline .call:first-child[data-outcome="allowed"]').waitFor();
  expect(readFileSync(join(editor.root, "src/auth/token.ts"), "utf8")).toBe("export const a = 1;\n");
  await page.getByRole("button", { name: "write outside" }).click();
  await page.getByRole("button", { name: "Call" }).click();
  await page.locator('#timeline .call:first-child[data-outcome="SCOPE_VIOLATION"]').waitFor();
  await page.getByLabel("Tool", { exact: true }).selectOption("delete_file");
  await page.locator('#fields [name="path"]').fill("src/auth/old/cookie.ts");
  await page.getByRole("button", { name: "Call" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Deny" }).click();
  await page.locator('#timeline .call:first-child[data-outcome="DESTRUCTIVE_BLOCKED"]').waitFor();
  expect(complaints).toEqual([]);
  await picture(page, "editor-web-view");
});

test("a web view that the editor has thrown away and made again finds everything", async () => {
  await page.locator('[data-intent="INT-001"]').getByRole("button", { name: "Select" }).click();
  await page.locator('[data-intent="INT-001"][data-selected="true"]').waitFor();
  await page.locator('#timeline .call:first-child[data-outcome="allowed"]').waitFor();
  await page.reload();
  await page.locator('[data-intent="INT-001"][data-selected="true"]').waitFor();
  expect(complaints).toEqual([]);
});
