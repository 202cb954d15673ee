import type { Answer } from "../decision/result.ts";
import type { HookEvent } from "../event/event.ts";
import { duplicateKey } from "../event/json-scan.ts";
import type { Hook } from "../hook/hook.ts";
import { type HttpReply, MAX_BODY, post, requestHeaders } from "./http.ts";
import { wholePolicyInput } from "./policy-input.ts";
import { broken, type Ran, type RunContext } from "./runner.ts";

/** Asks an Open Policy Agent about a call; anything but a clear answer is a failure, and the id of its decision is kept. */
export async function runOpa(hook: Hook, event: HookEvent, { deadline, signal }: RunContext): Promise<Ran> {
  const { url = "", path = "", headers: written = {} } = hook.opa ?? {};
  const address = addressOf(url, path);
  if (address === undefined) return failed("`opa.url` is not an address that begins with http:// or https://");
  const body = Buffer.from(JSON.stringify({ input: wholePolicyInput(event) }));
  const headers = requestHeaders(written, body.length);
  if ("problem" in headers) return failed(headers.problem);
  const ended = await post({ url: address, headers: headers.all, body, deadline, signal });
  return "failure" in ended ? broken(ended.failure) : report(ended, address);
}

/** The address of a rule: `sluice/deny` and `sluice.deny` are the same. */
function addressOf(url: string, path: string): URL | undefined {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return undefined;
  const rule = path.replace(/^(?:data[./])?\/*/, "").replaceAll(".", "/");
  return new URL(`${url.replace(/(?<!\/)\/+$/, "")}/v1/data/${rule}`);
}

function report({ status, body, isCut }: HttpReply, { origin, pathname }: URL): Ran {
  const ran = { exitCode: null, stdout: body, stderr: "" };
  if (status !== 200)
    return { ...ran, failure: { why: "exception", message: `${origin}${pathname} answered ${status}` } };
  if (isCut) return { ...ran, failure: { why: "output_overflow", bytes: MAX_BODY } };
  const read = parsed(body);
  if (read === undefined) return { ...ran, failure: badAnswer("it is not JSON", body) };
  const twice = duplicateKey(body);
  if (twice !== undefined) return { ...ran, failure: badAnswer(`it has the key "${twice}" twice`, body) };
  const notes = typeof read.decision_id === "string" ? { notes: [`OPA decision ${read.decision_id}`] } : {};
  if (read.result === undefined)
    return { ...ran, ...notes, failure: badAnswer(`there is no rule at ${pathname.slice("/v1/data/".length)}`, body) };
  const answer = answerOf(read.result);
  return answer === undefined
    ? {
        ...ran,
        ...notes,
        failure: badAnswer("the rule gives neither a boolean, nor messages, nor an object with deny", body),
      }
    : { ...ran, stdout: "", ...notes, answer };
}

/** `allow`-like rules give a boolean, `deny`-like rules a list of messages; an object may have both. */
function answerOf(result: unknown): Answer | undefined {
  if (typeof result === "boolean")
    return result ? CONTINUE : { action: "deny", reason: "The policy does not allow it." };
  if (Array.isArray(result)) return fromMessages(result, "deny");
  if (typeof result !== "object" || result === null) return undefined;
  const { deny, ask, allow, reason } = result as Readonly<Record<string, unknown>>;
  const words = typeof reason === "string" ? reason : undefined;
  if (deny === true) return { action: "deny", reason: words ?? "The policy denies it." };
  if (Array.isArray(deny) && deny.length > 0) return fromMessages(deny, "deny");
  if (allow === false) return { action: "deny", reason: words ?? "The policy does not allow it." };
  if (Array.isArray(ask) && ask.length > 0) return fromMessages(ask, "ask");
  const isClear = deny === false || Array.isArray(deny) || allow === true || Array.isArray(ask);
  return isClear ? CONTINUE : undefined;
}

function fromMessages(messages: readonly unknown[], action: "deny" | "ask"): Answer | undefined {
  const texts = messages.map((message) =>
    typeof message === "string" ? message : (Object(message) as { msg?: unknown }).msg,
  );
  if (!texts.every((text) => typeof text === "string")) return undefined;
  return texts.length === 0 ? CONTINUE : { action, reason: texts.join("\n") };
}

function parsed(body: string): { readonly decision_id?: unknown; readonly result?: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === "object" && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

function badAnswer(message: string, body: string) {
  return { why: "bad_json", message, got: body.slice(0, 200) } as const;
}

function failed(message: string): Ran {
  return broken({ why: "exception", message });
}

const CONTINUE: Answer = { action: "continue" };
