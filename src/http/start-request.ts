import { type ClientRequest, request as httpRequest, type RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { type ProxySettings, proxyFor } from "./proxy.ts";

/** A request that is about to be sent. */
export interface StartedRequest {
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
  readonly proxies: ProxySettings;
  /** Certificates of authorities, in place of those that Node knows. */
  readonly authorities?: readonly string[] | undefined;
  /** Whether the connection is kept for the next request; through a proxy it never is. */
  readonly keepsConnection?: boolean;
}

/** Opens a request over http or https, through a proxy where one is configured. Its body is left to be written. */
export async function startRequest(url: URL, given: StartedRequest): Promise<ClientRequest> {
  const { method = "GET", headers, signal, proxies, authorities, keepsConnection = false } = given;
  const isSecure = url.protocol === "https:";
  const ca = authorities === undefined ? {} : { ca: [...authorities] };
  const options: RequestOptions = { method, headers: { ...headers }, signal, ...ca };
  const proxy = proxyFor(url, proxies);
  if (!isSecure && proxy !== undefined) return throughProxy(url, options, proxy);
  if (!isSecure) return httpRequest(url, { ...options, ...(!keepsConnection && { agent: false }) });
  const { request } = await import("node:https");
  if (proxy === undefined) return request(url, { ...options, ...(!keepsConnection && { agent: false }) });
  const socket = await tunnel(url, proxy, signal);
  const { connect } = await import("node:tls");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  return request(url, {
    ...options,
    createConnection: () => connect({ ...ca, ...servername, host, socket, ALPNProtocols: ["http/1.1"] }),
  });
}

/** A proxy did not open the way. */
class ProxyRefused extends Error {
  override readonly name = "ProxyRefused";
  readonly code = "PROXY_REFUSED";
}

/** A plain request goes to the proxy as a whole address. */
async function throughProxy(url: URL, options: RequestOptions, proxy: URL): Promise<ClientRequest> {
  const request = await requestTo(proxy);
  const path = `${url.origin}${url.pathname}${url.search}`;
  return request(proxy.origin, {
    ...options,
    agent: false,
    path,
    headers: { ...options.headers, host: url.host, ...authorizationOf(proxy) },
  });
}

/** A tunnel through a proxy, in which both ends use TLS: the proxy sees only the host. */
async function tunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const request = await requestTo(proxy);
  const authority = `${url.hostname}:${url.port || 443}`;
  return new Promise((resolve, reject) => {
    request(proxy.origin, {
      method: "CONNECT",
      path: authority,
      headers: { host: authority, "user-agent": "sluice", ...authorizationOf(proxy) },
      agent: false,
      signal,
    })
      .on("connect", ({ statusCode = 0 }, socket: Socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(new ProxyRefused(`the proxy ${proxy.host} answered ${statusCode}${WORDS[statusCode] ?? ""}`));
      })
      .on("response", ({ statusCode }) => reject(new ProxyRefused(`the proxy ${proxy.host} answered ${statusCode}`)))
      .on("error", (error: NodeJS.ErrnoException) =>
        reject(
          signal.aborted
            ? error
            : new ProxyRefused(`the proxy ${proxy.host} cannot be used: ${error.code ?? error.message}`),
        ),
      )
      .end();
  });
}

async function requestTo({ protocol }: URL): Promise<typeof httpRequest> {
  return protocol === "https:" ? (await import("node:https")).request : httpRequest;
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain).toString("base64")}` };
}

const WORDS: Readonly<Record<number, string>> = {
  403: ", it forbids this host",
  407: ", it wants a name and a password",
};
