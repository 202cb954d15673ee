// Builds the documentation site and opens pages in Chromium at two widths: nothing is wider than the window, nothing is asked of another
// host, the search finds a page, and the playground answers. Takes some minutes; `npm ci --prefix site` first. `--no-build` takes the site as it is.
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "site/dist");
if (!process.argv.includes("--no-build"))
  execFileSync(process.execPath, ["site/build.mjs"], { cwd: root, stdio: "inherit" });

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};
const server = createServer((request, response) => {
  const path = join(dist, new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html"));
  const file = existsSync(path) && statSync(path).isFile() ? path : join(dist, "404.html");
  response.writeHead(file === path ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
let wrong = 0;
for (const width of [390, 1280]) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  page.setDefaultTimeout(120_000);
  page.on("request", (request) => {
    if (new URL(request.url()).origin === address || request.url().startsWith("data:")) return;
    wrong++;
    console.log(`${width}: asks for ${request.url()}`);
  });
  page.on("pageerror", (error) => {
    wrong++;
    console.log(`${width}: ${error.message}`);
  });
  for (const path of [
    "/index.html",
    "/guards.html",
    "/guards/files.html",
    "/api.html",
    "/agents/claude-code.html",
    "/playground.html",
  ]) {
    await page.goto(address + path);
    const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    const shown = await page.evaluate(() => document.querySelector("#app, body")?.textContent ?? "");
    if (/\{\{ ?(?:site|theme|resolve)/.test(shown) || (path.startsWith("/index") && !shown.includes("Sluice"))) {
      wrong++;
      console.log(`${width}: ${path} shows parts of the generator: ${shown.slice(0, 200)}`);
    }
    if (inner > outer) {
      wrong++;
      console.log(`${width}: ${path} is ${inner} wide`);
    }
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `${path.replaceAll("/", "-")}-${width}.png`) });
  }
  await page.goto(`${address}/index.html`);
  // The page listens to the shortcut once its scripts have run.
  for (let tries = 0; tries < 60 && !(await page.isVisible("#localsearch-input")); tries++) {
    await page.keyboard.press("Control+k");
    await page.waitForTimeout(1000);
  }
  await page.fill("#localsearch-input", "force push");
  const isFound = await page.waitForSelector("#localsearch-list a", { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
  if (!isFound) {
    wrong++;
    console.log(`${width}: the search finds nothing`);
  }
  await page.goto(`${address}/playground.html`);
  await page.fill("#line", "rm -rf build");
  const answer = await page.textContent("#answer");
  if (!/build/.test(answer ?? "")) {
    wrong++;
    console.log(`${width}: the playground answers ${answer}`);
  }
  console.log(`${width} px: ${answer?.slice(0, 80)}`);
}
await browser.close();
server.close();
process.exitCode = wrong > 0 ? 1 : 0;
