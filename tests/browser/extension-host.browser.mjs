import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startHost } from "../programs/extension-host.ts";
import { openBrowser, openPage, picture } from "./open-browser.mjs";

let browser;
let host;
let page;
let context;
let complaints;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser?.close());

beforeEach(async () => {
  host = await startHost();
  ({ page, context, complaints } = await openPage(browser));
  await page.goto(host.address);
  await page.locator('[data-intent="INT-001"]').waitFor();
});

afterEach(async () => {
  await context.close();
  await host.stop();
});

const SCRIPT =
  'document.body.append(Object.assign(document.createElement("script"), { text: "globalThis.ran = true" }))';
const intent = (id) => page.locator(`[data-intent="${id}"]`);
const lastCall = () => page.locator("#timeline .call").first();
const textOf = (path) => readFileSync(join(host.root, path), "utf8");
const isThere = (path) => existsSync(join(host.root, path));

/** Does with the form what a person does. */
async function call(tool, fields) {
  const before = await page.locator("#timeline .call").count();
  await page.getByLabel("Tool", { exact: true }).selectOption(tool);
  for (const [name, value] of Object.entries(fields)) await page.locator(`#fields [name="${name}"]`).fill(value);
  await page.getByRole("button", { name: "Call" }).click();
  await page.locator("#timeline .call").nth(before).waitFor();
}

async function select(id) {
  await intent(id).getByRole("button", { name: "Select" }).click();
  await page.locator(`[data-intent="${id}"][data-selected="true"]`).waitFor();
}

async function outcome(wanted) {
  await page.locator(`#timeline .call:first-child[data-outcome="${wanted}"]`).waitFor();
}

describe("a person at the page", () => {
  test("sees the intents, selects one, writes, and sees the trace grow", async () => {
    await expect(page.locator(".intent strong").allTextContents()).resolves.toEqual(["INT-001", "INT-002", "INT-003"]);
    await page.locator("#trace").getByText("trace OK: nothing is recorded yet.").waitFor();
    await call("write_file", { path: "src/auth/token.ts", content: "export const a = 1;\n" });
    await outcome("INTENT_REQUIRED");
    expect(isThere("src/auth/token.ts")).toBe(false);
    await select("INT-001");
    await call("write_file", { path: "src/auth/token.ts", content: "export const a = 1;\n" });
    await outcome("allowed");
    expect(textOf("src/auth/token.ts")).toBe("export const a = 1;\n");
    const cells = await page.locator("#trace tbody td").allTextContents();
    expect(cells.slice(1, 4)).toEqual(["INT-001", "src/auth/token.ts", "1"]);
    expect(await page.locator("#verdict").textContent()).toContain("trace OK, hash chain intact: 1 record");
    await page.getByText("intent_map.md").click();
    expect(await page.locator("#map").textContent()).toContain("src/auth/token.ts");
    expect(complaints).toEqual([]);
    await picture(page, "host-written");
  });

  test("sees SCOPE_VIOLATION for a write outside, and the file is left alone", async () => {
    const before = textOf("src/billing/invoice.ts");
    await select("INT-001");
    await page.getByRole("button", { name: "write outside" }).click();
    await page.getByRole("button", { name: "Call" }).click();
    await outcome("SCOPE_VIOLATION");
    expect(await lastCall().textContent()).toContain("src/billing/invoice.ts");
    expect(textOf("src/billing/invoice.ts")).toBe(before);
  });

  test("is asked before a file is deleted: no keeps it, yes deletes it", async () => {
    await select("INT-001");
    await call("delete_file", { path: "src/auth/old/cookie.ts" });
    const question = page.getByRole("alertdialog", { name: "May delete_file run?" });
    expect(await question.textContent()).toContain("deleting a file cannot be taken back");
    expect(isThere("src/auth/old/cookie.ts")).toBe(true);
    await picture(page, "host-question");
    await question.getByRole("button", { name: "Deny" }).click();
    await outcome("DESTRUCTIVE_BLOCKED");
    expect(isThere("src/auth/old/cookie.ts")).toBe(true);
    await call("delete_file", { path: "src/auth/old/cookie.ts" });
    await question.getByRole("button", { name: "Approve" }).click();
    await outcome("allowed");
    expect(isThere("src/auth/old/cookie.ts")).toBe(false);
    expect(await page.locator("#trace tbody tr").first().textContent()).toContain("deleted");
  });

  test("finds selection, trace and open question again after a reload", async () => {
    await select("INT-001");
    await call("write_file", { path: "src/auth/token.ts", content: "export const a = 1;\n" });
    await outcome("allowed");
    await call("run_command", { command: "rm -rf src/auth/old" });
    await page.getByRole("alertdialog").waitFor();
    await page.reload();
    await page.locator('[data-intent="INT-001"][data-selected="true"]').waitFor();
    expect(await page.locator("#trace tbody tr").count()).toBe(1);
    await page.getByRole("alertdialog").getByRole("button", { name: "Approve" }).click();
    await outcome("allowed");
    expect(isThere("src/auth/old")).toBe(false);
    expect(new URL(page.url()).hash).toBe("");
  });

  test("watches an assistant being stopped, helped and asked about", async () => {
    await page.getByLabel("What the assistant should do").fill("Move the auth middleware to JWT");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Approve" }).click();
    await page.locator("#timeline .call").nth(5).waitFor();
    await outcome("allowed");
    const outcomes = await page.locator("#timeline .outcome").allTextContents();
    expect(outcomes.reverse()).toEqual([
      "allowed",
      "INTENT_REQUIRED",
      "allowed",
      "allowed",
      "SCOPE_VIOLATION",
      "allowed",
    ]);
    expect(complaints).toEqual([]);
    await picture(page, "host-assistant");
    await page.emulateMedia({ colorScheme: "dark" });
    await picture(page, "host-assistant-dark");
    await page.setViewportSize({ width: 420, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(420);
    await picture(page, "host-assistant-narrow");
  });

  test("is shown markup as text", async () => {
    await select("INT-001");
    await call("write_file", { path: "src/auth/<img src=x onerror=alert(1)>.ts", content: "x" });
    await outcome("allowed");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("#trace tbody tr").first().textContent()).toContain("<img src=x onerror=alert(1)>.ts");
    expect(complaints).toEqual([]);
  });
});

describe("the page has no power of its own", () => {
  test("it reaches no file, no other server, no process", async () => {
    const reached = await page.evaluate(async () => {
      const tried = {};
      for (const url of ["file:///etc/hostname", "/../host.mjs", "/project/.sluice/hooks.yaml", "http://127.0.0.1:9/"])
        tried[url] = await fetch(url).then(
          ({ status }) => status,
          () => "refused",
        );
      return { tried, process: typeof globalThis.process, require: typeof globalThis.require };
    });
    expect(reached).toEqual({
      tried: {
        "file:///etc/hostname": "refused",
        "/../host.mjs": 404,
        "/project/.sluice/hooks.yaml": 404,
        "http://127.0.0.1:9/": "refused",
      },
      process: "undefined",
      require: "undefined",
    });
  });

  test.each([
    ["an inline script", "require-trusted-types-for", SCRIPT],
    ["markup from a text", "require-trusted-types-for", 'document.body.insertAdjacentHTML("beforeend", "<b>x</b>")'],
    ["a script of another server", "script-src-elem", 'import("http://127.0.0.1:9/x.mjs").catch(() => {})'],
    ["a picture of another server", "img-src", 'new Image().src = "http://127.0.0.1:9/x.png"'],
    ["a style of its own making", "style-src-attr", 'document.body.setAttribute("style", "display: none")'],
  ])("its policy stops %s", async (_, directive, attempt) => {
    await page.evaluate(() => {
      globalThis.stopped = [];
      document.addEventListener("securitypolicyviolation", (seen) => globalThis.stopped.push(seen.effectiveDirective));
    });
    await page.evaluate(attempt).catch(() => {});
    await page.waitForFunction(() => globalThis.stopped.length > 0);
    expect(await page.evaluate(() => globalThis.stopped)).toContain(directive);
    expect(await page.evaluate(() => globalThis.ran)).toBe(undefined);
  });

  test("a message of an unknown kind is refused, with what there is instead", async () => {
    // As a text, because the runner of the tests replaces an `import()`.
    const { what, fix } = await page.evaluate(`import("/parts.js").then(({ openChannel }) => {
      const channel = openChannel();
      const refusal = new Promise((done) => channel.onMessage((reply) => reply.kind === "refused" && done(reply)));
      channel.postMessage({ kind: "format_disk" });
      return refusal;
    })`);
    expect(`${what} ${fix}`).toMatch(/no message of the kind "format_disk".*prompt, call_tool, answer/);
  });

  test("without the token it is told where to find it, and sees nothing", async () => {
    const stranger = await openPage(browser);
    await stranger.page.goto(host.origin);
    await stranger.page.getByText("no token of this run").waitFor();
    expect(await stranger.page.locator(".intent").count()).toBe(0);
    await stranger.context.close();
  });
});

describe("another page cannot speak for it", () => {
  let stranger;
  let address;

  beforeEach(async () => {
    stranger = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
    await new Promise((done) => stranger.listen(0, "127.0.0.1", done));
    address = `http://127.0.0.1:${stranger.address().port}/`;
    await select("INT-001");
  });

  afterEach(() => new Promise((done) => stranger.close(done)));

  test.each([
    ["plain", { mode: "no-cors", headers: { "content-type": "text/plain" } }],
    ["as JSON", { headers: { "content-type": "application/json" } }],
    ["as JSON, with the stolen token", { headers: { "content-type": "application/json", authorization: "TOKEN" } }],
  ])("with fetch, %s", async (_, options) => {
    const other = await context.newPage();
    await other.goto(address);
    const headers = { ...options.headers };
    if (headers.authorization) headers.authorization = `Bearer ${host.token}`;
    const answer = await other.evaluate(
      ([url, init]) =>
        fetch(url, init).then(
          ({ type }) => type,
          () => "refused",
        ),
      [`${host.origin}/messages`, { ...options, headers, method: "POST", body: forged() }],
    );
    expect(answer).toBe("refused");
    await nothingHappened();
  });

  test("with a form", async () => {
    const other = await context.newPage();
    await other.goto(address);
    const [response] = await Promise.all([
      other.waitForResponse(`${host.origin}/messages`),
      other.evaluate(
        ([url, body]) => {
          const form = Object.assign(document.createElement("form"), {
            action: url,
            method: "post",
            enctype: "text/plain",
          });
          form.append(Object.assign(document.createElement("input"), { name: body, value: "" }));
          document.body.append(form);
          form.submit();
        },
        [`${host.origin}/messages`, forged()],
      ),
    ]);
    expect(response.status()).toBe(403);
    await nothingHappened();
  });

  test("by framing it, or with postMessage to its window", async () => {
    const other = await context.newPage();
    await other.goto(address);
    await other.evaluate(
      async ([url, message]) => {
        const frame = Object.assign(document.createElement("iframe"), { src: url });
        const loaded = new Promise((done) => frame.addEventListener("load", done));
        document.body.append(frame);
        await loaded;
        frame.contentWindow.postMessage(message, "*");
        globalThis.open(url)?.postMessage(message, "*");
      },
      [host.address, JSON.parse(forged())],
    );
    const framed = other.frames().find((frame) => frame !== other.mainFrame());
    expect(await framed?.locator("#intents").count()).toBe(0);
    await page.evaluate((message) => globalThis.postMessage(message, "*"), JSON.parse(forged()));
    await nothingHappened();
  });
});

const forged = () =>
  JSON.stringify({ kind: "call_tool", tool: "write_file", input: { path: "src/auth/forged.ts", content: "x" } });

/** A call of the page's own comes after whatever was forged, so that the forged one would have been seen by then. */
async function nothingHappened() {
  await call("read_file", { path: "src/auth/middleware.ts" });
  await outcome("allowed");
  expect(await page.locator('#timeline [data-tool="write_file"]').count()).toBe(0);
  expect(isThere("src/auth/forged.ts")).toBe(false);
}
