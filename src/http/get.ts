import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type StartedRequest, startRequest } from "./start-request.ts";
import { whyUnreachable } from "./why-unreachable.ts";

/** What is fetched, and how much of it is taken. */
export interface GetOptions extends Pick<StartedRequest, "proxies" | "authorities"> {
  /** The headers for an address; a redirect may lead to another one. */
  readonly headersFor: (url: URL) => Readonly<Record<string, string>>;
  readonly most: number;
  /** Whether a redirect may lead to another host: only if a hash determines the bytes. */
  readonly mayLeaveHost: boolean;
  readonly timeoutMs?: number | undefined;
}

/** What an address answered. A body is there for 200 only. */
export interface Got {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Why nothing could be had. */
export class GetFailed extends Error {
  override readonly name = "GetFailed";
  readonly kind: "unreachable" | "redirect" | "half" | "large";
  /** The address, without what may be a credential in it. */
  readonly url: string;

  constructor(kind: GetFailed["kind"], { origin, pathname }: URL, why = "", options?: ErrorOptions) {
    super(why, options);
    this.kind = kind;
    this.url = `${origin}${pathname}`;
  }
}

/** Fetches an address, whole or not at all; rejects with `GetFailed`. */
export async function get(url: URL, options: GetOptions): Promise<Got> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const response = await answerOf(at, options, signal);
    const { statusCode: status = 0, headers } = response;
    if (status === 200) return { url: at, status, headers, body: await bodyOf(response, at, options.most, signal) };
    response.destroy();
    const isRedirect = status >= 300 && status < 400 && status !== 304 && headers.location !== undefined;
    if (!isRedirect) return { url: at, status, headers, body: NOTHING };
    at = redirected(at, headers.location ?? "", redirects, options);
  }
}

async function answerOf(
  url: URL,
  { headersFor, ...options }: GetOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = { "accept-encoding": "identity", "user-agent": "sluice", ...headersFor(url) };
  const failed = (error: unknown) =>
    new GetFailed("unreachable", url, whyUnreachable(error, signal.aborted), { cause: error });
  const request = await startRequest(url, { ...options, headers, signal }).catch((error: unknown) => {
    throw failed(error);
  });
  return new Promise((resolve, reject) => {
    request
      .on("response", resolve)
      .on("error", (error) => reject(failed(error)))
      .end();
  });
}

/** Another host would decide what is fetched, and http would let the network do so. */
function redirected(from: URL, location: string, redirects: number, { mayLeaveHost }: GetOptions): URL {
  const refuse = (why: string) => new GetFailed("redirect", from, why);
  if (!URL.canParse(location, from.href)) throw refuse("leads nowhere");
  const to = new URL(location, from);
  const isHttp = to.protocol === "https:" || to.protocol === "http:";
  if (!isHttp || (from.protocol === "https:" && to.protocol !== "https:")) throw refuse(`leads to ${to.protocol}//`);
  if (to.origin !== from.origin && !mayLeaveHost) throw refuse(`leads to another host, ${to.origin}`);
  if (redirects >= MAX_REDIRECTS) throw refuse("leads on and on");
  return to;
}

function bodyOf(response: IncomingMessage, url: URL, most: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= most) return;
      reject(new GetFailed("large", url));
      response.destroy();
    });
    response.on("end", () => (response.complete ? resolve(Buffer.concat(chunks)) : reject(new GetFailed("half", url))));
    response.on("error", (error) =>
      reject(
        signal.aborted
          ? new GetFailed("unreachable", url, whyUnreachable(error, true), { cause: error })
          : new GetFailed("half", url),
      ),
    );
  });
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 3;
const NOTHING = Buffer.alloc(0);
