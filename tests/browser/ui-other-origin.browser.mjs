import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readApprovals } from "../../src/approvals/store.ts";
import { openBrowser } from "./open-browser.mjs";
import { loggedIn, madeHome, startUi } from "./ui-pages.mjs";

const COMMAND = fileURLToPath(new URL("../../dist/sluice.cjs", import.meta.url));
/** Names that the browser resolves to this machine, as an attacker's name server does. */
const REBOUND = "rebound.example";

let browser;
let home;
let ui;
let session;
let stranger;
let key;
let asked;

beforeAll(async () => {
  browser = await openBrowser([`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`]);
  home = madeHome();
  appendFileSync(
    join(home.home, ".config/sluice/hooks.yaml"),
    `  - name: ask-deploy
    event: tool:pre_execute:@shell
    rules: args.command contains "make deploy" -> ask("Deploys reach users.")
`,
  );
  const payload = {
    ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: home.root, turn_id: "t", model: "m" },
    ...{ tool_name: "Bash", tool_input: { command: "make deploy" }, tool_use_id: "u" },
  };
  const options = { cwd: home.root, env: home.env, input: JSON.stringify(payload), stdio: "pipe" };
  execFileSync(process.execPath, [COMMAND, "run", "codex", "--cold"], options);
  ui = await startUi(home);
  session = await loggedIn(browser, ui);
  key = await session.page.evaluate(() => localStorage.getItem("sluice-key"));
  asked = state();
  stranger = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
  await new Promise((done) => stranger.listen(0, "127.0.0.1", done));
});

afterAll(async () => {
  await browser?.close();
  await new Promise((done) => (stranger === undefined ? done() : stranger.close(done)));
  await ui?.stop();
  home?.remove();
});

/** What a page of another origin must not change. */
function state() {
  return {
    approvals: readApprovals({ env: home.env, root: home.root }),
    policy: readFileSync(join(home.home, ".config/sluice/hooks.yaml"), "utf8"),
  };
}

/** A page of another origin in the browser that is logged in: its cookies go where a cookie may go. */
async function strangerAt(host) {
  const page = await session.context.newPage();
  await page.goto(`http://${host}:${stranger.address().port}/`);
  return page;
}

const HOSTS = ["127.0.0.1", "localhost", REBOUND];
const denial = () => JSON.stringify({ id: asked.approvals.requests[0].id, answer: "deny" });

test("the page itself may do all of it, so that a refusal below is one of the origin", async () => {
  const { page } = session;
  const status = await page.evaluate(async (own) => {
    const answer = await fetch("/api/requests", { headers: { "x-sluice-key": own } });
    return [answer.status, (await answer.json()).pending.length];
  }, key);
  expect(status).toEqual([200, 1]);
});

test.each(HOSTS)(
  "a page of %s reads nothing and answers nothing with fetch, also with the stolen key",
  async (host) => {
    const page = await strangerAt(host);
    const results = await page.evaluate(
      async ([origin, body, own]) => {
        const read = (promise) =>
          promise.then(
            async (response) => (response.type === "opaque" ? "opaque" : `read ${await response.text()}`),
            () => "refused",
          );
        const json = { "content-type": "application/json", "x-sluice-key": own };
        const all = [];
        for (const path of ["/api/requests", "/api/rows", "/api/hello", "/api/live", "/"])
          for (const init of [{ mode: "no-cors" }, {}, { headers: { "x-sluice-key": own } }])
            all.push(await read(fetch(origin + path, { credentials: "include", ...init })));
        for (const path of ["/api/requests/answer", "/api/undo", "/api/policy/save", "/link", "/login"])
          for (const init of [{ mode: "no-cors", headers: { "content-type": "text/plain" } }, { headers: json }, {}])
            all.push(await read(fetch(origin + path, { credentials: "include", method: "POST", body, ...init })));
        return all;
      },
      [ui.origin, denial(), key],
    );
    expect(results.length).toBe(30);
    expect(results.filter((one) => one !== "refused" && one !== "opaque")).toEqual([]);
    expect(state()).toEqual(asked);
    await page.close();
  },
);

test.each(HOSTS)("a page of %s answers nothing with a form, plain or as a file", async (host) => {
  for (const enctype of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const page = await strangerAt(host);
    const [response] = await Promise.all([
      page.waitForResponse(`${ui.origin}/api/requests/answer`),
      page.evaluate(
        ([url, body, type]) => {
          const form = Object.assign(document.createElement("form"), { action: url, method: "post", enctype: type });
          form.append(Object.assign(document.createElement("input"), { name: body.slice(0, -1), value: '"}' }));
          document.body.append(form);
          form.submit();
        },
        [`${ui.origin}/api/requests/answer`, denial(), enctype],
      ),
    ]);
    expect(response.status()).toBeGreaterThanOrEqual(400);
    await page.close();
  }
  expect(state()).toEqual(asked);
});

test.each(HOSTS)(
  "a page of %s cannot frame the pages, read their window, or load them as a script, a style or a stream",
  async (host) => {
    const page = await strangerAt(host);
    const seen = await page.evaluate(async (origin) => {
      const found = {};
      const loaded = (element, property, url) =>
        new Promise((done) => {
          element.onload = () => done("loaded");
          element.onerror = () => done("refused");
          element[property] = url;
          document.body.append(element);
          setTimeout(() => done("silent"), 2000);
        });
      found.script = await loaded(document.createElement("script"), "src", `${origin}/api/rows`);
      found.picture = await loaded(document.createElement("img"), "src", `${origin}/api/rows`);
      found.style = await loaded(
        Object.assign(document.createElement("link"), { rel: "stylesheet" }),
        "href",
        `${origin}/api/rows`,
      );
      const frame = document.createElement("iframe");
      await loaded(frame, "src", `${origin}/`);
      try {
        found.frame = frame.contentWindow.document.body.textContent;
      } catch {
        found.frame = "out of reach";
      }
      found.stream = await new Promise((done) => {
        const source = new EventSource(`${origin}/api/live`, { withCredentials: true });
        source.onopen = () => done("open");
        source.onerror = () => done("refused");
      });
      found.socket = await new Promise((done) => {
        const socket = new WebSocket(`${origin.replace("http", "ws")}/api/live`);
        socket.onopen = () => done("open");
        socket.onerror = () => done("refused");
      });
      return found;
    }, ui.origin);
    expect(seen).toEqual({
      ...{ script: "refused", picture: "refused", style: "refused", stream: "refused", socket: "refused" },
      frame: expect.stringMatching(/^(|out of reach)$/),
    });
    const frames = page.frames().filter((frame) => frame.url().startsWith(ui.origin));
    for (const frame of frames) expect(await frame.locator("nav").count()).toBe(0);
    const { id } = asked.approvals.requests[0];
    for (const [path, isShown] of [
      ["/requests", false],
      [`/requests/${id}`, true],
    ]) {
      const [opened] = await Promise.all([
        page.context().waitForEvent("page"),
        page.evaluate((url) => {
          window.other = window.open(url);
        }, ui.origin + path),
      ]);
      await opened.waitForLoadState();
      // Only the link of a notification may be followed from elsewhere.
      if (isShown) await opened.getByRole("heading", { name: "Request", exact: true }).waitFor();
      else expect(await opened.locator("nav").count()).toBe(0);
      const reach = await page.evaluate((body) => {
        try {
          window.other.postMessage(JSON.parse(body), "*");
          return window.other.document.body.textContent;
        } catch {
          return "out of reach";
        }
      }, denial());
      // The pages open in a group of windows of their own: the other page holds a window that is closed for it.
      expect(["out of reach", ""]).toContain(reach);
      await opened.close();
    }
    expect(state()).toEqual(asked);
    await page.close();
  },
);

test("a name that an attacker resolves to this machine is not answered, also with the key", async () => {
  const page = await session.context.newPage();
  const address = ui.origin.replace("127.0.0.1", REBOUND);
  const response = await page.goto(`${address}/`);
  expect(response.status()).toBeGreaterThanOrEqual(400);
  const results = await page.evaluate(
    async ([own, body]) => {
      const headers = { "x-sluice-key": own, "content-type": "application/json" };
      const read = (promise) =>
        promise.then(
          async (response) => `${response.status} ${await response.text()}`,
          () => "refused",
        );
      return [
        await read(fetch("/api/requests", { headers })),
        await read(fetch("/api/requests/answer", { method: "POST", headers, body })),
      ];
    },
    [key, denial()],
  );
  for (const result of results) expect(result).toMatch(/^(refused|4\d\d (?!.*make deploy))/);
  expect(state()).toEqual(asked);
});
