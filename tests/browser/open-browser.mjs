import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** The browser that `npm run test:browser` found. */
export function openBrowser(args = []) {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath: process.env.CHROMIUM, chromiumSandbox: !isRoot, args });
}

/** A new page that shares nothing with another, and everything it complained about. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return { context, page, complaints };
}

/** Keeps a picture of the page where SCREENSHOTS says, if it says so. */
export async function picture(page, name) {
  const { SCREENSHOTS: folder } = process.env;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
