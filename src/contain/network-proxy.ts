import { lookup } from "node:dns/promises";
import { appendFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { proxiesIn, proxyFor } from "../http/proxy.ts";
import { compileGlob } from "../pattern/glob.ts";

/** What the proxy of a box allows, and where it notes what it refused. */
export interface NetworkProxySettings {
  /** Names or patterns such as `*.npmjs.org`, with a port if only that one is meant. */
  readonly hosts: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with each host that is not allowed. */
  readonly refused: (host: string) => void;
}

/** A proxy for HTTP and, by CONNECT, for everything else over TCP, that reaches the allowed hosts alone. */
export function networkProxy(settings: NetworkProxySettings): Server {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url ?? "") : undefined;
      const upstream = url?.protocol === "http:" ? proxyFor(url, proxiesIn(settings.env)) : undefined;
      const target = url?.protocol === "http:" ? await targetOf(url.host, 80, upstream, settings) : undefined;
      if (url === undefined || target === undefined) {
        outgoing.writeHead(403, { "content-type": "text/plain" }).end(refusalText(incoming.url ?? ""));
        return;
      }
      const { method, headers } = incoming;
      const { "proxy-connection": _, "proxy-authorization": __, ...kept } = headers;
      const sent = request(
        {
          ...{ host: target.address, port: target.port, method, setHost: false },
          path: upstream === undefined ? url.pathname + url.search : url.href,
          headers: { ...kept, host: url.host },
        },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      sent.on("error", (error) => outgoing.headersSent || outgoing.writeHead(502).end(`${error.message}\n`));
      incoming.pipe(sent);
    })();
  });
  server.on("connect", (incoming, socket, head) => {
    socket.on("error", () => socket.destroy());
    void (async () => {
      const url = `https://${incoming.url}`;
      const upstream = URL.canParse(url) ? proxyFor(new URL(url), proxiesIn(settings.env)) : undefined;
      const target = await targetOf(incoming.url ?? "", 443, upstream, settings);
      if (target === undefined) {
        const text = refusalText(incoming.url ?? "");
        socket.end(
          `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
        );
        return;
      }
      const server = connect(target.port, target.address, () => {
        // Another proxy answers for itself.
        if (upstream === undefined) socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        else server.write(`CONNECT ${incoming.url} HTTP/1.1\r\nhost: ${incoming.url}\r\n\r\n`);
      });
      join(socket, server, head);
    })();
  });
  return server;
}

function join(socket: Duplex, server: Socket, head: Buffer): void {
  server.once("connect", () => {
    if (head.length > 0) server.write(head);
    socket.pipe(server).pipe(socket);
  });
  server.on("error", () => socket.destroy());
  server.on("close", () => socket.destroy());
  socket.on("close", () => server.destroy());
}

/** Where an allowed host is reached; undefined if it is not allowed. */
async function targetOf(
  authority: string,
  usual: number,
  upstream: URL | undefined,
  { hosts, refused }: NetworkProxySettings,
): Promise<{ readonly address: string; readonly port: number } | undefined> {
  const parts = /^(?:\[([\da-f:]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(authority);
  const host = (parts?.[1] ?? parts?.[2] ?? "").toLowerCase().replace(/\.$/, "");
  const port = Number(parts?.[3] ?? usual);
  const isAllowed = hosts.some((pattern) => isMeant(pattern.toLowerCase(), host, port));
  if (isAllowed && host !== "" && upstream !== undefined)
    return { address: upstream.hostname, port: Number(upstream.port) || 80 };
  const address = isAllowed && host !== "" ? await addressOf(host) : undefined;
  if (address === undefined) refused(host || authority);
  return address === undefined ? undefined : { address, port };
}

function isMeant(pattern: string, host: string, port: number): boolean {
  const [, name = pattern, only] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  return (only === undefined || Number(only) === port) && compileGlob(name)(host);
}

/** The address of a host. A name of others that leads to this machine is not followed: its owner could reach local services. */
async function addressOf(host: string): Promise<string | undefined> {
  if (isIP(host) !== 0) return host;
  const found = await lookup(host).catch(() => undefined);
  return found !== undefined && (host === "localhost" || !THIS_MACHINE.test(found.address)) ? found.address : undefined;
}

/** Notes refused hosts in a file, each once. */
export function noteRefused(path: string): (host: string) => void {
  const noted = new Set<string>();
  return (host) => {
    if (noted.size < MAX_NOTED && noted.size !== noted.add(host).size) appendFileSync(path, `${host}\n`);
  };
}

function refusalText(url: string): string {
  return `Sluice: the contained program may not reach ${url}. \`contain: { network: { hosts } }\` lists what it may reach.\n`;
}

const THIS_MACHINE = /^(?:127\.|0\.|169\.254\.|::1$|::$|fe80:|::ffff:127\.)/i;
const MAX_NOTED = 20;
