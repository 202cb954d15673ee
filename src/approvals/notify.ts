import type { IncomingMessage } from "node:http";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApprovalChannel, ApprovalSettings } from "../config/approval-settings.ts";
import { proxiesIn } from "../http/proxy.ts";
import { startRequest } from "../http/start-request.ts";
import { whyUnreachable } from "../http/why-unreachable.ts";
import { withoutControls } from "../problem/visible-text.ts";
import { runProcess } from "../runners/subprocess.ts";
import type { StatePlace } from "../trust/state-file.ts";
import { newLink } from "./link.ts";
import { changeApprovals, type Notified, type PendingRequest, readApprovals } from "./store.ts";

/** What a notification is sent with. */
interface NotifyContext extends StatePlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: ApprovalSettings;
  /** The address of the pages, if they are reached from somewhere. */
  readonly base: () => string | undefined;
  /** Waits for some milliseconds; the clock of this machine if left out. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Tells the user about a request through every configured channel, unless it is answered before that. Each request is
 * announced once, however many processes try; what became of it is stored with the request.
 */
export async function notifyAbout(id: string, context: NotifyContext): Promise<void> {
  const { settings, wait = sleep } = context;
  const due = readApprovals(context).requests.find((one) => one.id === id)?.at ?? 0;
  await wait(Math.max(0, Math.min(due + settings.afterMs - Date.now(), settings.afterMs)));
  const { token, hash } = newLink();
  const claimed = changeApprovals(context, (known) => {
    const request = known.requests.find((one) => one.id === id);
    if (request === undefined || request.notified !== undefined) return [known, undefined];
    const notified: Notified[] = settings.via.map((channel) => ({ via: nameOf(channel), state: "sending" }));
    const next: PendingRequest = { ...request, notified, link: hash };
    return [{ ...known, requests: known.requests.map((one) => (one === request ? next : one)) }, next];
  });
  if (claimed === undefined) return;
  const base = context.base();
  const link = base === undefined ? undefined : `${base.replace(/\/$/, "")}/requests/${id}#${token}`;
  const message = messageOf(claimed, settings, link);
  await Promise.all(
    settings.via.map(async (channel, at) => {
      const why = await delivered(channel, message, context);
      changeApprovals(context, (known) => [
        { ...known, requests: known.requests.map((one) => (one.id === id ? withResult(one, at, why) : one)) },
        true,
      ]);
    }),
  );
}

function withResult(request: PendingRequest, at: number, why: string | undefined): PendingRequest {
  const state = why === undefined ? { state: "sent" as const } : { state: "failed" as const, why };
  const { notified = [] } = request;
  return { ...request, notified: notified.map((one, index) => (index === at ? { via: one.via, ...state } : one)) };
}

/** What programs are sent; people get the same as text. */
interface Message {
  readonly type: "approval_request";
  readonly id: string;
  readonly agent: string;
  readonly project: string;
  readonly tool: string;
  readonly shape: string;
  readonly asked_by: readonly string[];
  readonly expires: string;
  readonly approve: string;
  readonly deny: string;
  readonly link?: string;
  readonly text?: string;
  readonly reasons?: readonly string[];
}

/** The shape of the call, and its arguments only where the user wants them to leave the machine. */
function messageOf(request: PendingRequest, settings: ApprovalSettings, link: string | undefined): Message {
  const { id, agent, root, tool, shape, askers, until, text, reasons } = request;
  return {
    ...{ type: "approval_request", id, agent, project: basename(root), tool, shape, asked_by: askers },
    ...{ expires: new Date(until).toISOString(), approve: `sluice approve ${id}`, deny: `sluice deny ${id}` },
    ...(link === undefined ? {} : { link }),
    ...(settings.arguments ? { text, reasons } : {}),
  };
}

function textOf({ agent, project, shape, asked_by, approve, link, text, reasons = [] }: Message): string {
  return withoutControls(
    [
      `${agent || "An agent"} in ${project} asks: ${text ?? shape}`,
      ...(reasons.length > 0 ? reasons : [`Asked by ${asked_by.join(", ")}.`]),
      link ?? `Answer with \`${approve}\`.`,
    ].join("\n"),
  );
}

/** Sends a message, several times if need be; returns why it could not be delivered. */
async function delivered(
  channel: ApprovalChannel,
  message: Message,
  context: NotifyContext,
): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const why = await ("command" in channel
      ? ran(channel.command, message, context)
      : posted(channel, message, context));
    if (why === undefined || tries === MAX_TRIES) return why;
    await (context.wait ?? sleep)(RETRY_MS * tries);
    // An answer makes it needless.
    if (!readApprovals(context).requests.some(({ id }) => id === message.id)) return why;
  }
}

async function posted(
  channel: Exclude<ApprovalChannel, { command: unknown }>,
  message: Message,
  { env }: NotifyContext,
): Promise<string | undefined> {
  const [address, headers, body] = bodyOf(channel, message);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const bytes = Buffer.from(body);
    const started = await startRequest(new URL(address), {
      method: "POST",
      headers: { ...headers, "content-length": bytes.length, "user-agent": "sluice" },
      signal,
      proxies: proxiesIn(env),
    });
    const status = await new Promise<number>((resolve, reject) => {
      started
        .on("error", reject)
        .on("response", (response: IncomingMessage) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
        .end(bytes);
    });
    return status >= 200 && status < 300 ? undefined : `the server answered ${status}`;
  } catch (error) {
    return whyUnreachable(error, signal.aborted);
  }
}

/** The address, headers and body for each kind of channel. */
function bodyOf(
  channel: Exclude<ApprovalChannel, { command: unknown }>,
  message: Message,
): [string, Record<string, string>, string] {
  const text = textOf(message);
  const json = { "content-type": "application/json" };
  if ("webhook" in channel) return [channel.webhook, json, JSON.stringify(message)];
  if ("slack" in channel) return [channel.slack, json, JSON.stringify({ text })];
  const click = message.link === undefined ? {} : { click: message.link };
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    title: "Sluice: approval needed",
    tags: "lock",
    ...click,
  };
  return [channel.ntfy, headers, text];
}

/** The user's own command gets the message on standard input. */
async function ran(
  command: string | readonly string[],
  message: Message,
  { env, home, root: _ }: NotifyContext,
): Promise<string | undefined> {
  const [program = "", ...args] = typeof command === "string" ? ["/bin/sh", "-c", command] : command;
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { exitCode, failure } = await runProcess({
    ...{ program, args, cwd: home ?? env.HOME ?? "/", env: Object.fromEntries(known) },
    ...{ stdin: `${JSON.stringify(message)}\n`, deadline: TIMEOUT_MS / 1000 },
  });
  if (failure !== undefined) return `the command failed: ${failure.why}`;
  return exitCode === 0 ? undefined : `the command ended with ${exitCode}`;
}

/** The kind of a channel: its address may hold a secret. */
function nameOf(channel: ApprovalChannel): string {
  return Object.keys(channel)[0] ?? "";
}

const MAX_TRIES = 4;
const RETRY_MS = 1500;
const TIMEOUT_MS = 10_000;
