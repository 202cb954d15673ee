import { request as httpRequest, type IncomingMessage } from "node:http";
import { rootCertificates } from "node:tls";
import { problems } from "../problem/problem.ts";
import { type NpmConfig, withoutCredentials } from "./npm-config.ts";

/** What is fetched, and how much of it is taken. */
export interface GetOptions {
  readonly config: NpmConfig;
  readonly accept: string;
  readonly most: number;
  /** Whether a redirect may lead to another host: only where a hash says which bytes are meant. Credentials never follow it. */
  readonly mayLeaveHost: boolean;
  readonly timeoutMs?: number;
}

/** Fetches an address, whole or not at all. Nothing for 404; throws the problem of what cannot be had. */
export async function httpGet(url: URL, options: GetOptions): Promise<Buffer | undefined> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const response = await send(at, options, at.origin === url.origin, signal);
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy();
      at = redirected(at, headers.location, redirects, options);
      continue;
    }
    if (status === 200) return body(response, at, options.most, signal);
    response.destroy();
    if (status === 404) return undefined;
    const isRefused = status === 401 || status === 403;
    throw isRefused
      ? PROBLEMS.notAllowed({ url: withoutCredentials(at), status })
      : PROBLEMS.otherStatus({ url: withoutCredentials(at), status });
  }
}

async function send(
  url: URL,
  { config, accept }: GetOptions,
  isFirstHost: boolean,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const request = isSecure ? (await import("node:https")).request : httpRequest;
  const authorization = isFirstHost ? config.authorizationFor(url) : undefined;
  const ca = isSecure && config.authorities !== undefined ? { ca: [...rootCertificates, config.authorities] } : {};
  const headers = {
    accept,
    "accept-encoding": "identity",
    "user-agent": "sluice",
    ...(authorization !== undefined && { authorization }),
  };
  return new Promise((resolve, reject) => {
    request(url, { agent: false, headers, signal, ...ca })
      .on("response", resolve)
      .on("error", (error) => reject(unreachable(url, error, signal)))
      .end();
  });
}

function redirected(from: URL, location: string, redirects: number, { mayLeaveHost }: GetOptions): URL {
  const url = withoutCredentials(from);
  if (!URL.canParse(location, from.href)) throw PROBLEMS.badRedirect({ url, why: "leads nowhere" });
  const to = new URL(location, from);
  const isHttp = to.protocol === "https:" || to.protocol === "http:";
  if (!isHttp || (from.protocol === "https:" && to.protocol !== "https:"))
    throw PROBLEMS.badRedirect({ url, why: `leads to ${to.protocol}//` });
  if (to.origin !== from.origin && !mayLeaveHost)
    throw PROBLEMS.badRedirect({ url, why: `leads to another host, ${to.origin}` });
  if (redirects >= MOST_REDIRECTS) throw PROBLEMS.badRedirect({ url, why: "leads on and on" });
  return to;
}

function body(response: IncomingMessage, at: URL, most: number, signal: AbortSignal): Promise<Buffer> {
  const url = withoutCredentials(at);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= most) return;
      reject(PROBLEMS.answerTooLarge({ url, most }));
      response.destroy();
    });
    response.on("end", () =>
      response.complete ? resolve(Buffer.concat(chunks)) : reject(PROBLEMS.halfAnswer({ url })),
    );
    response.on("error", (error) =>
      reject(signal.aborted ? unreachable(at, error, signal) : PROBLEMS.halfAnswer({ url })),
    );
  });
}

function unreachable(url: URL, error: Error, signal: AbortSignal): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  const why = signal.aborted ? "it takes too long to answer" : (WORDS[code] ?? (error.message || code));
  return PROBLEMS.registryUnreachable({ url: withoutCredentials(url), why }, { cause: error });
}

const TIMEOUT_MS = 30_000;
const MOST_REDIRECTS = 3;

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  ENOTFOUND: "no such host is known",
  EAI_AGAIN: "the host name cannot be resolved at present",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself; `cafile` in ~/.npmrc names its authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified; `cafile` in ~/.npmrc names its authority",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate cannot be verified; `cafile` in ~/.npmrc names its authority",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

const PROBLEMS = problems("pack", {
  registryUnreachable: ({ url, why }: { url: string; why: string }) => ({
    what: `${url} cannot be reached: ${why}. Nothing was changed.`,
    fix: "Check the network and `registry` in .npmrc. A folder or a .tgz needs neither: `sluice add ./pack.tgz`.",
  }),
  notAllowed: ({ url, status }: { url: string; status: number }) => ({
    what: `${url} answered ${status}: it wants credentials, or others.`,
    fix: "Log in with `npm login`: the token has to stand in your own ~/.npmrc, for exactly this host.",
  }),
  otherStatus: ({ url, status }: { url: string; status: number }) => ({
    what: `${url} answered ${status}. Nothing was changed.`,
    fix: "Try again later; ask the operators of the registry.",
  }),
  badRedirect: ({ url, why }: { url: string; why: string }) => ({
    what: `${url} answered with a redirect that ${why}. It was not followed, and nothing was changed.`,
    fix: "Name the final address as `registry` in .npmrc, if you trust it.",
  }),
  halfAnswer: ({ url }: { url: string }) => ({
    what: `${url} sent only a part of its answer. Nothing was changed.`,
    fix: "Try again.",
  }),
  answerTooLarge: ({ url, most }: { url: string; most: number }) => ({
    what: `${url} sent more than ${most} bytes. Nothing was changed.`,
    fix: "No pack is that large: check the name.",
  }),
});
