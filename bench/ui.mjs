// What the pages of `sluice ui` cost: `node bench/ui.mjs [records] [calls]`, with a Chromium on the path; `calls` measures only what a
// call costs beside the page. Prints one line for each figure.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { findBrowser } from "../tests/browser/find-browser.mjs";
import { openBrowser } from "../tests/browser/open-browser.mjs";
import { call, loggedIn, madeHome, record, startUi } from "../tests/browser/ui-pages.mjs";
import { callsBesidePage } from "./calls-beside-page.mjs";

const count = Number(process.argv[2] ?? 50_000);
const found = findBrowser();
if (found === undefined) {
  console.error("No Chromium was found on the path; CHROMIUM=/path/of/chrome names one.");
  process.exit(2);
}
process.env.CHROMIUM = found;

/** A busy agent makes two calls a second; ten a second are several agents at once. */
const PACES = {
  "2 calls/s": { rounds: 4, calls: 20, betweenMs: 500 },
  "10 calls/s": { rounds: 10, calls: 25, betweenMs: 100 },
};

const home = madeHome();
call(home, "Bash", { command: "git push --force origin main" });
call(home, "Bash", { command: "git status" });
fill(count);
const ui = await startUi(home);
const browser = await openBrowser();
try {
  const { page } = await loggedIn(browser, ui);
  if (!process.argv.includes("calls")) await figuresOf(page);
  for (const [pace, options] of Object.entries(PACES)) await besidePage(page, pace, options);
  told("load of the machine", loadavg()[0].toFixed(1));
} finally {
  await browser.close();
  await ui.stop();
  home.remove();
}

/** What a call costs beside the page, and what the page costs beside a call. */
async function besidePage(page, pace, options) {
  const beside = await callsBesidePage(home, ui, page, options);
  const [open, closed] = beside.medians.map((ms) => `${ms.toFixed(2)} ms`);
  told(`${pace}: a call, page open, median of ${beside.samples}`, open);
  told("a call, no page, in the same run", closed);
  for (const [name, { median, p95, processor }] of [
    ["page open", beside.open],
    ["right after opening it", beside.opening],
    ["no page, a second time", beside.noise],
  ])
    told(
      `${name}, to no page`,
      `${median.toFixed(3)} x`,
      undefined,
      `p95 ${p95.toFixed(2)} x, processor ${processor.toFixed(3)} x`,
    );
  told("work beside each call, sluice ui", `${beside.work.ui.toFixed(2)} ms`);
  told("work beside each call, browser", `${beside.work.browser.toFixed(2)} ms`);
}

async function figuresOf(page) {
  const bytes = [];
  page.on("response", async (response) => {
    if (response.url().includes("/assets/") || response.url().endsWith("/timeline")) bytes.push(await response.body());
  });
  const began = performance.now();
  await page.goto(ui.url);
  const interactive = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domInteractive);
  await page.locator(".virtual-row").first().waitFor();
  told(
    "first page, compressed",
    `${(bytes.reduce((sum, one) => sum + gzipSync(one).length, 0) / 1000).toFixed(1)} kB`,
    "60 kB",
  );
  told("editor, compressed", `${(gzipSync(readFileSync(editorFile())).length / 1000).toFixed(1)} kB`, "160 kB");
  told("document interactive", `${Math.round(interactive)} ms`, "300 ms");
  told(`first rows of ${count} records`, `${Math.round(performance.now() - began)} ms`, "1000 ms");
  await page.getByText(/^[\d,]+ calls, \d+ denied$/).waitFor({ timeout: 60_000 });
  told(`all ${count} records`, `${Math.round(performance.now() - began)} ms`);
  const [filtering] = await busyWhile(page, () => filterMs(page));
  told("busy for one filter", `${Math.round(filtering / 5)} ms`, "100 ms");
  told("filter by text, the slowest of 5", `${await filterMs(page)} ms`, "100 ms");
  const [busy, { rows, worst }] = await busyWhile(page, () => scrolled(page));
  told("busy for one frame of a scroll", `${(busy / 120).toFixed(1)} ms`, "16 ms");
  told("rows in the page", String(rows), "200");
  told("longest frame while scrolling", `${worst} ms`);
  await page.goto(`${ui.origin}/timeline`);
  await page.getByText("live", { exact: true }).waitFor();
  await page.locator(".virtual-row").first().waitFor();
  told("decision to screen, median of 9", `${await liveMs(page)} ms`, "250 ms");
  told("playground answer, median of 9", `${await tryMs(page)} ms`, "50 ms");
  told(
    "memory of sluice ui",
    `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ui.pid}/status`, "utf8"))?.[1] ?? 0) / 1024)} MiB`,
    "80 MB",
  );
}

function told(name, value, wanted, more = "") {
  const rest = wanted === undefined ? more : `(wanted: at most ${wanted})`;
  console.log(`${name.padEnd(44)} ${value.padStart(10)}   ${rest}`.trimEnd());
}

/** Copies real records backwards in time: 400 to a session, every 23rd a denial. */
function fill(most) {
  const file = join(home.journal, `${new Date().toISOString().slice(0, 10)}.jsonl`);
  const [denied, passed] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const now = Date.now();
  const days = new Map();
  for (let at = most; at > 0; at--) {
    const time = new Date(now - 60_000 - at * 20_000).toISOString();
    const id = Math.floor(Math.random() * 0xffffff)
      .toString(16)
      .padStart(6, "0");
    const one = { ...(at % 23 === 0 ? denied : passed), id, time, session_id: `bench-${Math.floor(at / 400)}` };
    const day = join(home.journal, `${time.slice(0, 10)}.jsonl`);
    days.set(day, `${days.get(day) ?? ""}${JSON.stringify(one)}\n`);
  }
  mkdirSync(home.journal, { recursive: true });
  for (const [path, text] of days) appendFileSync(path, text, { mode: 0o600 });
}

function editorFile() {
  const folder = new URL("../dist/ui/", import.meta.url);
  const { files } = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8"));
  return new URL(
    files.find((name) => name.startsWith("editor-")),
    folder,
  );
}

/** From the key to the rows that are left, painted. */
function filterMs(page) {
  return page.evaluate(async () => {
    const field = document.getElementById("filter-text");
    const took = [];
    for (const text of ["force", "status", "bench-3", "zzz", ""]) {
      const start = performance.now();
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      took.push(performance.now() - start);
    }
    return Math.round(Math.max(...took));
  });
}

/** The milliseconds that the page itself was at work, whatever else this machine did. */
async function busyWhile(page, act) {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () =>
    (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const before = await busy();
  const result = await act();
  return [(await busy()) - before, result];
}

function scrolled(page) {
  return page.evaluate(async () => {
    const list = document.querySelector(".virtual");
    let [rows, worst, before] = [0, 0, performance.now()];
    for (let step = 0; step < 120; step++) {
      list.scrollTop += 900;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      worst = Math.max(worst, now - before);
      before = now;
      rows = Math.max(rows, list.querySelectorAll(".virtual-row").length);
    }
    return { rows, worst: Math.round(worst) };
  });
}

async function liveMs(page) {
  const took = [];
  for (let at = 0; at < 9; at++) {
    const text = `echo live-${at}-${Math.random()}`;
    const start = performance.now();
    record(home, { event_json: { data: { tool_args: { command: text } } } });
    await page.waitForFunction((wanted) => document.querySelector(".virtual")?.textContent.includes(wanted), text, {
      polling: "raf",
    });
    took.push(performance.now() - start);
  }
  return median(took);
}

/** The answer of the server alone, as the page asks for it. */
async function tryMs(page) {
  const took = await page.evaluate(async () => {
    const all = [];
    for (let at = 0; at < 10; at++) {
      const start = performance.now();
      const headers = { "content-type": "application/json", "x-sluice-key": localStorage.getItem("sluice-key") };
      await (
        await fetch("/api/try", {
          method: "POST",
          headers,
          body: JSON.stringify({ text: `git push --force origin b${at}` }),
        })
      ).json();
      all.push(performance.now() - start);
    }
    return all.slice(1);
  });
  return median(took);
}

function median(values) {
  return Math.round(values.sort((one, other) => one - other)[Math.floor(values.length / 2)]);
}
