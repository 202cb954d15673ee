import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hashPin, savePersonChannel } from "../../src/approvals/person-channel.ts";
import { notifyAbout } from "../../src/approvals/notify.ts";
import { addRequest, answerRequests, useGrant } from "../../src/approvals/requests.ts";
import { changeApprovals, readApprovals } from "../../src/approvals/store.ts";
import type { ApprovalChannel } from "../../src/config/approval-settings.ts";
import { HookExecutor } from "../../src/engine/executor.ts";
import { HookEvent } from "../../src/event/event.ts";
import { HookRegistry } from "../../src/registry/registry.ts";
import { announceUiPort } from "../../src/policies/protect/ui-ports.ts";
import { COMMAND } from "../command-server/run-command.ts";
import { household } from "../protect/household.ts";
import { pagesServer } from "../ui/pages-server.ts";

interface Delivery {
  readonly headers: IncomingMessage["headers"];
  readonly path: string;
  readonly body: string;
}

/** A server as ntfy or a webhook's receiver is one; it keeps what it is sent and answers as the test wants. */
async function receiver(answer: (response: ServerResponse, count: number) => void = (response) => response.end()) {
  const got: Delivery[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    got.push({ headers: request.headers, path: request.url ?? "", body });
    answer(response, got.length);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/topic` };
}

const CALL = { root: "/work/shop", agent: "codex", session: "s", shape: "x", askers: ["ask-deploy"], policy: "p" };

/** A request that waits in a home of its own. */
async function waiting(command = "make deploy --token=abc123secret") {
  const home = mkdtempSync(join(tmpdir(), "notified-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const place = { env: { HOME: home }, root: "/elsewhere" };
  const id = await pending(command, place);
  const tell = (via: readonly ApprovalChannel[], more: object = {}) => {
    const settings = { via, afterMs: 0, waitMs: 0, arguments: false, ...more };
    return notifyAbout(id, {
      ...place,
      settings,
      base: () => "http://127.0.0.1:4000",
      wait: async () => {},
      ...more,
    });
  };
  return { id, place, tell };
}

async function pending(command: string, place: { readonly env: { readonly HOME: string }; readonly root: string }) {
  const event = HookEvent.toolPreExecute("Bash", { command }, { sessionId: "s", cwd: "/work/shop" });
  const decision = await new HookExecutor({ registry: new HookRegistry() }).decide(event);
  const call = { ...CALL, input: command, action: "ask", isShown: false } as const;
  const request = addRequest({ ...decision, action: "ask", reasons: ["Deploys reach users."] }, call, place);
  return request?.id ?? "";
}

const stateOf = ({ place }: Awaited<ReturnType<typeof waiting>>) =>
  readApprovals(place).requests.flatMap(({ notified = [] }) => notified);

it("a message of ntfy has the shape of the call and a link, and no argument", async () => {
  const { got, url } = await receiver();
  const made = await waiting();
  await made.tell([{ ntfy: url }]);
  const [message] = got;
  expect(message?.headers).toMatchObject({ title: "Sluice: approval needed" });
  expect(message?.headers.click).toMatch(new RegExp(`^http://127.0.0.1:4000/requests/${made.id}#[\\w-]{32}$`));
  expect(message?.body).toContain("codex in shop asks: make --token\nAsked by ask-deploy.");
  expect(JSON.stringify(message)).not.toMatch(/abc123secret|Deploys reach users|\/work\/shop/);
  expect(stateOf(made)).toEqual([{ via: "ntfy", state: "sent" }]);
});

it("a webhook gets JSON, Slack a text, a command JSON on standard input; arguments only where the user wants them", async () => {
  const [webhook, slack] = [await receiver(), await receiver()];
  const made = await waiting("make deploy to=web");
  const file = join(made.place.env.HOME, "told.json");
  await made.tell([{ webhook: webhook.url }, { slack: slack.url }, { command: `cat > ${file}` }], { arguments: true });
  const message = JSON.parse(webhook.got[0]?.body ?? "");
  expect(message).toMatchObject({
    ...{ type: "approval_request", id: made.id, project: "shop", tool: "Bash", text: "make deploy to=web" },
    ...{ reasons: ["Deploys reach users."], approve: `sluice approve ${made.id}`, asked_by: ["ask-deploy"] },
  });
  expect(JSON.parse(slack.got[0]?.body ?? "").text).toContain("codex in shop asks: make deploy to=web");
  const { readFileSync } = await import("node:fs");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(message);
});

it("a receiver that is down is tried four times; what failed is stored, and the request waits on", async () => {
  const { got, url } = await receiver((response) => response.writeHead(503).end());
  const made = await waiting();
  await made.tell([{ webhook: url }, { ntfy: "http://127.0.0.1:1/topic-of-mine" }]);
  expect(got).toHaveLength(4);
  expect(stateOf(made)).toEqual([
    { via: "webhook", state: "failed", why: "the server answered 503" },
    { via: "ntfy", state: "failed", why: "nothing listens there" },
  ]);
  expect(JSON.stringify(stateOf(made))).not.toContain("topic-of-mine");
  expect(readApprovals(made.place)).toMatchObject({ requests: [{ id: made.id }], grants: [] });
});

it("a receiver that comes back gets the message, with the same link each time", async () => {
  // It takes the message and loses the connection before it answers.
  const { got, url } = await receiver((response, count) => (count < 3 ? response.destroy() : response.end()));
  const made = await waiting();
  await made.tell([{ ntfy: url }]);
  expect(stateOf(made)).toEqual([{ via: "ntfy", state: "sent" }]);
  expect(got).toHaveLength(3);
  expect(new Set(got.map(({ headers }) => headers.click)).size).toBe(1);
});

it("a request is announced once, however many processes try at the same time", async () => {
  const { got, url } = await receiver();
  const made = await waiting();
  await Promise.all([1, 2, 3, 4].map(() => made.tell([{ ntfy: url }])));
  await made.tell([{ ntfy: url }]);
  expect(got).toHaveLength(1);
});

it("what is answered before the first notification is not announced", async () => {
  const { got, url } = await receiver();
  const made = await waiting();
  const answer = async () => {
    answerRequests([made.id], { answer: "deny" }, { by: "ada", channel: "a terminal" }, made.place);
  };
  await made.tell([{ ntfy: url }], { wait: answer, afterMs: 20_000 });
  expect(got).toEqual([]);
});

it("a receiver that answers late keeps no answer from being given meanwhile", async () => {
  let answer = () => {};
  const { url } = await receiver((response) => {
    answer = () => response.end();
  });
  const made = await waiting();
  const told = made.tell([{ ntfy: url }]);
  await expect.poll(() => stateOf(made)).toEqual([{ via: "ntfy", state: "sending" }]);
  answerRequests([made.id], { answer: "allow", on: "input", forMs: 60_000, times: 1 }, BY, made.place);
  await expect.poll(() => answer.toString()).not.toBe("() => {}");
  answer();
  await told;
  expect(readApprovals(made.place)).toMatchObject({ requests: [], grants: [{ id: made.id, left: 1 }] });
});

const BY = { by: "ada", channel: "the page" } as const;

it("the link answers after the call has timed out, for the retry; a second time, and after a day, it opens nothing", async () => {
  const { got, url } = await receiver();
  const server = await pagesServer();
  const place = { env: { HOME: server.folder, XDG_STATE_HOME: `${server.folder}/state` }, root: "/elsewhere" };
  savePersonChannel({ pin: hashPin("482913", 16) }, place);
  const origin = `http://127.0.0.1:${server.port}`;
  const linkOf = async (command: string) => {
    const id = await pending(command, place as never);
    const settings = { via: [{ ntfy: url }], afterMs: 0, waitMs: 0, arguments: false };
    await notifyAbout(id, { ...place, settings, base: () => origin, wait: async () => {} });
    const token = String(got.at(-1)?.headers.click).split("#")[1];
    return async (more: object = {}) => {
      const body = JSON.stringify({ id, token, pin: "482913", ...more });
      const headers = { "content-type": "application/json", origin };
      return (await fetch(`${origin}/link`, { method: "POST", headers, body })).status;
    };
  };
  const link = await linkOf("make deploy");
  expect(await link({ answer: "once" })).toBe(200);
  const call = { ...CALL, input: "make deploy", action: "ask" } as const;
  expect(useGrant(call, place)?.answer).toBe("allow");
  expect([await link({ answer: "once" }), await link({ answer: "deny" }), await link()]).toEqual([404, 404, 404]);
  expect(useGrant(call, place)).toBe(undefined);

  const late = await linkOf("make other");
  changeApprovals(place, (known) => [
    { ...known, requests: known.requests.map((one) => ({ ...one, until: Date.now() - 1 })) },
    true,
  ]);
  expect(await late({ answer: "once" })).toBe(404);
});

it("a call that cannot ask waits for the answer, notifies meanwhile, and passes with an approval alone", async () => {
  const { got, url } = await receiver();
  const made = household();
  const rule = `{ name: ask-deploy, event: "tool:pre_execute:@shell", type: inline, rules: 'args.command starts_with "make deploy" -> ask("may I")' }`;
  const settings = (wait: string) =>
    made.put(
      "~/.config/sluice/hooks.yaml",
      `approvals: { via: [{ webhook: "${url}" }], after: 0s, wait: ${wait} }\nhooks:\n  - ${rule}\n`,
    );
  const codex = (command: string) => {
    const payload = {
      ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: made.root, turn_id: "t", model: "m" },
      ...{ tool_name: "Bash", tool_input: { command }, tool_use_id: "u" },
    };
    const env = { PATH: process.env.PATH, HOME: made.home, SLUICE_RESIDENT: "0" };
    const child = spawn(process.execPath, [COMMAND, "run", "codex", "--cold"], { cwd: made.root, env });
    child.stdin.end(JSON.stringify(payload));
    let out = "";
    child.stdout.on("data", (piece) => {
      out += piece;
    });
    return new Promise<string>((resolve) => child.on("close", () => resolve(out)));
  };
  const place = { env: { HOME: made.home }, root: "/elsewhere" };
  settings("60s");
  const answered = codex("make deploy");
  await expect.poll(() => got.length, { timeout: 20_000 }).toBe(1);
  const { id } = JSON.parse(got[0]?.body ?? "");
  answerRequests([id], { answer: "allow", on: "input", forMs: 60_000, times: 1 }, BY, place);
  expect(await answered).not.toContain('"deny"');
  settings("1s");
  expect(await codex("make deploy again")).toMatch(/waiting for approval \w+: try again/);
}, 60_000);

it("where the agent shows its dialog while hooks run, an answer on the page ends the dialog, and the first answer counts", async () => {
  const made = household();
  const rule = `{ name: ask-deploy, event: "tool:pre_execute:@shell", type: inline, rules: 'args.command starts_with "make deploy" -> ask("may I")' }`;
  made.put("~/.config/sluice/hooks.yaml", `hooks:\n  - ${rule}\n`);
  const place = { env: { HOME: made.home }, root: "/elsewhere" };
  onTestFinished(announceUiPort(43522, place));
  const dialog = (command: string) => {
    const payload = {
      ...{ hook_event_name: "PermissionRequest", session_id: "s", cwd: made.root, permission_mode: "default" },
      ...{ tool_name: "Bash", tool_input: { command } },
    };
    const env = { PATH: process.env.PATH, HOME: made.home, SLUICE_RESIDENT: "0" };
    const child = spawn(process.execPath, [COMMAND, "run", "claude-code", "--cold"], { cwd: made.root, env });
    child.stdin.end(JSON.stringify(payload));
    let out = "";
    child.stdout.on("data", (piece) => {
      out += piece;
    });
    return new Promise<string>((resolve) => child.on("close", () => resolve(out)));
  };
  const asked = (command: string) => {
    expect(made.bash(command).action).toBe("ask");
    const { requests } = readApprovals(place);
    return requests.find(({ text }) => text === command)?.id ?? "";
  };
  const [approved, denied, unasked] = ["make deploy a", "make deploy b", "make other"];
  const ids = [asked(approved), asked(denied)];
  const answers = [dialog(approved), dialog(denied), dialog(unasked)];
  // What Sluice did not ask is not its question.
  expect(await answers[2]).toBe("");
  answerRequests([ids[0] ?? ""], { answer: "allow", on: "input", forMs: 60_000, times: 1 }, BY, place);
  answerRequests([ids[1] ?? ""], { answer: "deny", reason: "not today" }, BY, place);
  const decisionOf = async (text: Promise<string>) => JSON.parse(await text).hookSpecificOutput.decision;
  expect(await decisionOf(answers[0] as Promise<string>)).toEqual({ behavior: "allow" });
  expect(await decisionOf(answers[1] as Promise<string>)).toMatchObject({
    behavior: "deny",
    message: expect.stringContaining("ada denied this call: not today"),
  });
  expect(made.bash(approved).action).toBe("ask");
}, 60_000);
