import { expect, test } from "vitest";
import { newLink } from "../../src/approvals/link.ts";
import { hashPin, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { addRequest } from "../../src/approvals/requests.ts";
import { changeApprovals, readApprovals } from "../../src/approvals/store.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { type LoggedIn, type PagesServer, pagesServer } from "./pages-server.ts";

/** A request that waits, with the token of its notification. */
async function waiting(server: PagesServer, command = "make deploy") {
  const place = { env: { HOME: server.folder, XDG_STATE_HOME: `${server.folder}/state` }, root: "/elsewhere" };
  const event = HookEvent.toolPreExecute("Bash", { command }, { sessionId: "s", cwd: server.folder });
  const decision = await new HookExecutor({ registry: new HookRegistry() }).decide(event);
  const call = { root: "/p", agent: "a", session: "s", input: command, shape: "x", askers: ["r"], policy: "p" };
  const request = addRequest(
    { ...decision, action: "ask", reasons: ["may I"] },
    { ...call, action: "ask", isShown: false },
    place,
  );
  const { token, hash } = newLink();
  changeApprovals(place, (known) => [
    { ...known, requests: known.requests.map((one) => (one.id === request?.id ? { ...one, link: hash } : one)) },
    true,
  ]);
  return { id: request?.id ?? "", token, place };
}

async function posted(server: PagesServer, path: string, body: object, login?: LoggedIn) {
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = { "content-type": "application/json", origin, ...login };
  const response = await fetch(`${origin}${path}`, { method: "POST", body: JSON.stringify(body), headers });
  return { status: response.status, ...((await response.json()) as object) } as { status: number; error?: string };
}

test("a page that is logged in approves with the PIN, and with nothing else where one is set up", async () => {
  const server = await pagesServer();
  const { id, place } = await waiting(server);
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const login = await server.logIn();
  const answer = (more: object) => posted(server, "/api/requests/answer", { id, answer: "once", ...more }, login);
  expect((await posted(server, "/api/requests/answer", { id, answer: "once", pin: "482913" })).status).toBe(401);
  expect((await answer({})).error).toBe("The PIN is missing.");
  expect((await answer({ pin: "000000" })).error).toBe("That is not the PIN.");
  expect(readApprovals(place).grants).toEqual([]);
  expect(await answer({ pin: "482913" })).toMatchObject({ status: 200, answered: [id] });
  expect(readApprovals(place).grants).toMatchObject([{ id, answer: "allow", left: 1, channel: "the page" }]);
});

test("without a PIN the terminal of the page is asked, and its no approves nothing", async () => {
  const answers = [false, true];
  const asked: string[] = [];
  const refuses = async () => ({ done: false, told: [] });
  const confirm = async (question: string) => {
    asked.push(question);
    return answers.shift() ?? false;
  };
  const previewAllow = async () => ({ path: "", before: undefined, after: "" });
  const acts = { allow: refuses, allowOnce: refuses, switchHook: refuses, savePolicy: refuses, previewAllow, confirm };
  const server = await pagesServer({ acts });
  const { id, place } = await waiting(server);
  const login = await server.logIn();
  const body = { id, answer: "3 times" };
  expect((await posted(server, "/api/requests/answer", body, login)).status).toBe(403);
  expect((await posted(server, "/api/requests/answer", body, login)).status).toBe(200);
  expect(asked).toEqual(["Approve make deploy?", "Approve make deploy?"]);
  expect(readApprovals(place).grants).toMatchObject([{ left: 3 }]);
});

test("the link of a notification answers its own request once: approving takes the PIN, denying only the token", async () => {
  const server = await pagesServer();
  const one = await waiting(server);
  const other = await waiting(server, "make other");
  const link = (more: object, { id, token } = one) => posted(server, "/link", { id, token, ...more });
  expect(await link({})).toMatchObject({ status: 200, request: { id: one.id, text: "make deploy" } });
  for (const wrong of [{ token: other.token }, { token: "x".repeat(32) }, { token: undefined }, { id: "ffffff" }])
    expect([wrong, (await link(wrong)).status]).toEqual([wrong, 404]);
  expect((await link({ answer: "once" })).error).toBe("Approving through a link needs a PIN.");
  savePersonChannel({ pin: hashPin("482913", 16) }, one.place);
  expect((await link({ answer: "once", pin: "1" })).status).toBe(403);
  expect((await link({ answer: "once", pin: "482913" })).status).toBe(200);
  expect([(await link({ answer: "once", pin: "482913" })).status, (await link({})).status]).toEqual([404, 404]);
});

test("a denial through a link gives the model its reason, and the link is used up", async () => {
  const server = await pagesServer();
  const { id, token, place } = await waiting(server);
  expect((await posted(server, "/link", { id, token, answer: "deny", reason: "not today" })).status).toBe(200);
  expect((await posted(server, "/link", { id, token, answer: "deny" })).status).toBe(404);
  expect(readApprovals(place).grants).toMatchObject([
    { answer: "deny", reason: "not today", channel: "the link of a notification" },
  ]);
});
