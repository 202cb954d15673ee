import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, openPage, picture } from "./open-browser.mjs";
import { axeProblems, call, madeHome, outOfSight, put, smallTargets, startInTerminal, startUi } from "./ui-pages.mjs";

let browser;
let home;
let page;

beforeAll(async () => {
  browser = await openBrowser();
  home = madeHome();
  put(
    `${home.home}/.config/sluice/hooks.yaml`,
    `guards: standard
hooks:
  - { name: ask-deploy, event: "tool:pre_execute:@shell", type: inline, rules: 'args.command starts_with "make deploy" -> ask("may I deploy")' }
`,
  );
  ({ page } = await openPage(browser));
  await withAuthenticator(page);
});

afterAll(async () => {
  await browser?.close();
  home?.remove();
});

/** Gives a page a security key of its own, which confirms whatever it is asked. */
async function withAuthenticator(target) {
  const client = await target.context().newCDPSession(target);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return client;
}

/** Runs a command in a terminal until it shows the address of its page. */
async function asked(...args) {
  const terminal = startInTerminal(home, args);
  const [, url] = await terminal.says(/address +(http:\S+)/);
  return { ...terminal, url };
}

async function post(url, body, origin) {
  const headers = { "content-type": "application/json", origin };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.status;
}

test("a passkey is created on a page of this machine, by the browser that has the code of the terminal", async () => {
  const { says, url, ended } = await asked("approve", "setup", "--passkey");
  const [, code] = await says(/code +(\S+)/);
  expect(new URL(url).hostname).toBe("localhost");
  // A program that only found the port gets nothing, and no page of another origin asks.
  expect(await post(`${url}begin`, {}, new URL(url).origin)).toBe(401);
  expect(await post(`${url}end`, { answer: {} }, new URL(url).origin)).toBe(401);
  expect(await post(`${url}begin`, { code }, "http://example.com")).toBe(403);
  await page.goto(url);
  await page.getByLabel("The code that the terminal shows").fill("AAAA-AAAA");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.getByLabel("The code that the terminal shows").fill(code);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Create the passkey" }).waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 720 });
  expect([await smallTargets(page), await outOfSight(page)]).toEqual([[], []]);
  await picture(page, "passkey-create");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Create the passkey" }).click();
  await page.getByText("Done. Go back to the terminal.").waitFor();
  await says(/The passkey is set up/);
  expect(await ended).toBe(0);
});

test("what weakens protection asks for the passkey, and only the right one confirms it", async () => {
  const pause = await asked("pause", "5m");
  const { page: foreign, context } = await openPage(browser);
  await withAuthenticator(foreign);
  await foreign.goto(pause.url);
  await foreign.getByRole("button", { name: "Confirm with your passkey" }).click();
  await foreign.getByText(/Try again, or cancel/).waitFor();
  await context.close();
  await page.goto(pause.url);
  await page.getByText("Pause self-protection for 5 min?").waitFor();
  await picture(page, "passkey-confirm");
  await page.getByRole("button", { name: "Confirm with your passkey" }).click();
  await pause.says(/paused/);
  expect(await pause.ended).toBe(0);
  await startInTerminal(home, ["pause", "--end"]).ended;
});

test("cancelling on the page changes nothing", async () => {
  const pause = await asked("pause", "5m");
  await page.goto(pause.url);
  await page.getByRole("button", { name: "Cancel" }).click();
  await pause.says(/Nothing was changed/);
  expect(await pause.ended).not.toBe(0);
});

test("a request is approved on its page with the passkey, on a phone too, and its proof is for that answer alone", async () => {
  call(home, "Bash", { command: "make deploy" }, "s-ask");
  const ui = await startUi(home);
  try {
    expect(new URL(ui.url).hostname).toBe("localhost");
    await page.goto(ui.url);
    await page.getByLabel("One-time code").fill(ui.code);
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
    await page.goto(`${ui.origin}/requests`);
    const request = page.getByRole("article");
    await request.getByText("The browser asks for your passkey.").waitFor();
    for (const colorScheme of ["dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      expect(await axeProblems(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect([await smallTargets(page), await outOfSight(page)]).toEqual([[], []]);
    await picture(page, "requests-phone");
    const sent = [];
    page.on("request", (one) => one.url().endsWith("/answer") && sent.push(one));
    await request.getByRole("button", { name: "Approve once" }).click();
    await page.getByText(/^Approved/).waitFor();
    await picture(page, "requests-phone-approved");
    // The same proof again, for another request.
    const [first] = sent;
    call(home, "Bash", { command: "make deploy all" }, "s-ask");
    const list = await page.evaluate(
      async (key) => {
        const response = await fetch("/api/requests", { headers: { "x-sluice-key": key } });
        return response.json();
      },
      await keyOf(first),
    );
    const body = { ...first.postDataJSON(), id: list.pending[0].id };
    const status = await page.evaluate(
      async ([key, text]) => {
        const headers = { "x-sluice-key": key, "content-type": "application/json" };
        return (await fetch("/api/requests/answer", { method: "POST", headers, body: text })).status;
      },
      [await keyOf(first), JSON.stringify(body)],
    );
    expect(status).toBe(403);
    await page.setViewportSize({ width: 1440, height: 900 });
  } finally {
    await ui.stop();
  }
});

async function keyOf(request) {
  return (await request.allHeaders())["x-sluice-key"];
}
