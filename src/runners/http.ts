import type { HookEvent } from "../event/event.ts";
import type { Hook } from "../hook/hook.ts";
import { MOST_BODY, post, type Reply } from "./http-exchange.ts";
import { requestHeaders } from "./http-headers.ts";
import { readAnswer } from "./read-answer.ts";
import { broken, type Ran, type RunContext } from "./runner.ts";

/** Posts the event as JSON; the server answers with what a command hook would print. */
export async function runHttp(hook: Hook, event: HookEvent, context: RunContext): Promise<Ran> {
  const url = addressOf(hook.url ?? "");
  if (url === undefined) return failed(`\`url\` is no address that begins with http:// or https://`);
  const body = Buffer.from(event.toText());
  const headers = requestHeaders(hook.headers ?? {}, body.length);
  if ("problem" in headers) return failed(headers.problem);
  const { deadline, signal } = context;
  const ended = await post({ url, headers: headers.all, body, deadline, signal });
  return "failure" in ended ? broken(ended.failure) : report(ended, nameOf(url));
}

function addressOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** An address as messages show it; what may be a credential in it stays out. */
function nameOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function report({ status, encoding, body, isCut }: Reply, name: string): Ran {
  const ran = { exitCode: null, stdout: body, stderr: "" };
  const why = whyRefused(status, encoding);
  if (why !== undefined) return { ...ran, failure: { why: "exception", message: `${name} ${why}` } };
  if (isCut) return { ...ran, failure: { why: "output_overflow", bytes: MOST_BODY } };
  return { ...ran, ...readAnswer(body) };
}

/** Only a plain 2xx is an answer. A redirect is none: whoever controls it would get the event and the headers. */
function whyRefused(status: number, encoding: string): string | undefined {
  if (status >= 300 && status < 400)
    return `answered ${status}, a redirect; none is followed, so name the final address`;
  if (status < 200 || status >= 300) return `answered ${status}`;
  if (encoding !== "" && encoding !== "identity") return `answered in ${encoding}, which was not asked for`;
  return undefined;
}

function failed(message: string): Ran {
  return broken({ why: "exception", message });
}
