import { readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import { ARCHIVE_LIMITS } from "../archive/read-archive.ts";
import { problems } from "../problem/problem.ts";

/** What an address gave. */
export type Downloaded =
  | { readonly kind: "same" }
  | { readonly kind: "bytes"; readonly bytes: Buffer; readonly etag: string | undefined };

/** Fetches a file over http(s) or from the disk, whole or not at all; throws the problem of what cannot be had. */
export async function download(url: string, etag?: string, timeoutMs = TIMEOUT_MS): Promise<Downloaded> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === "file:") return readLocal(address);
  if (address?.protocol !== "http:" && address?.protocol !== "https:") throw PROBLEMS.noAddress({ url });
  const signal = AbortSignal.timeout(timeoutMs);
  let at = address;
  for (let redirects = 0; ; redirects++) {
    const response = await get(at, etag, signal);
    const { statusCode: status = 0, headers } = response;
    if (status === 304 && etag !== undefined) {
      response.destroy();
      return { kind: "same" };
    }
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy();
      at = redirected(at, headers.location, redirects);
      continue;
    }
    if (status !== 200) {
      response.destroy();
      throw PROBLEMS.notThere({ url: nameOf(at), status });
    }
    return { kind: "bytes", bytes: await body(response, at, signal), etag: headers.etag };
  }
}

function readLocal(address: URL): Downloaded {
  const path = fileURLToPath(address);
  try {
    if (statSync(path).size > ARCHIVE_LIMITS.packedBytes) throw PROBLEMS.tooLong({ url: nameOf(address) });
    return { kind: "bytes", bytes: readFileSync(path), etag: undefined };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw PROBLEMS.unreachable({ url: path, why: (error as NodeJS.ErrnoException).code ?? "" }, { cause: error });
  }
}

async function get(url: URL, etag: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? (await import("node:https")).request : httpRequest;
  return new Promise((resolve, reject) => {
    const headers = {
      accept: "application/gzip, application/octet-stream, */*",
      "accept-encoding": "identity",
      "user-agent": "sluice",
      ...(etag !== undefined && { "if-none-match": etag }),
    };
    request(url, { agent: false, headers, signal })
      .on("response", resolve)
      .on("error", (error) => reject(unreachable(url, error, signal)))
      .end();
  });
}

/** A redirect to another host would let that host decide what is enforced, and one to http would let the network. */
function redirected(from: URL, location: string, redirects: number): URL {
  if (!URL.canParse(location, from.href)) throw PROBLEMS.badRedirect({ url: nameOf(from), why: "leads nowhere" });
  const to = new URL(location, from);
  if (to.origin !== from.origin) throw PROBLEMS.badRedirect({ url: nameOf(from), why: `leads to ${to.origin}` });
  if (redirects >= MOST_REDIRECTS) throw PROBLEMS.badRedirect({ url: nameOf(from), why: "leads on and on" });
  return to;
}

function body(response: IncomingMessage, url: URL, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= ARCHIVE_LIMITS.packedBytes) return;
      reject(PROBLEMS.tooLong({ url: nameOf(url) }));
      response.destroy();
    });
    response.on("end", () =>
      response.complete ? resolve(Buffer.concat(chunks)) : reject(PROBLEMS.half({ url: nameOf(url) })),
    );
    response.on("error", (error) =>
      reject(signal.aborted ? unreachable(url, error, signal) : PROBLEMS.half({ url: nameOf(url) })),
    );
  });
}

function unreachable(url: URL, error: Error, signal: AbortSignal): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  const why = signal.aborted ? "it takes too long to answer" : (WORDS[code] ?? (error.message || code));
  return PROBLEMS.unreachable({ url: nameOf(url), why }, { cause: error });
}

/** An address as messages show it; what may be a credential in it stays out. */
function nameOf({ origin, protocol, pathname }: URL): string {
  return protocol === "file:" ? pathname : `${origin}${pathname}`;
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
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate cannot be verified",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

const PROBLEMS = problems("bundle", {
  noAddress: ({ url }: { url: string }) => ({
    what: `${url} is no address that begins with https://, http:// or file://.`,
    fix: "Correct `managed.url`.",
  }),
  unreachable: ({ url, why }: { url: string; why: string }) => ({
    what: `${url} cannot be reached: ${why}.`,
    fix: "Check the address and the network; what was fetched before goes on counting.",
  }),
  notThere: ({ url, status }: { url: string; status: number }) => ({
    what: `${url} answered ${status} in place of a bundle.`,
    fix: "Publish the bundle there, or correct `managed.url`.",
  }),
  badRedirect: ({ url, why }: { url: string; why: string }) => ({
    what: `${url} answered with a redirect that ${why}; only redirects on the same host are followed.`,
    fix: "Write the final address into `managed.url`.",
  }),
  half: ({ url }: { url: string }) => ({
    what: `${url} sent only a part of the bundle.`,
    fix: "The next fetch tries again.",
  }),
  tooLong: ({ url }: { url: string }) => ({
    what: `${url} holds more than ${ARCHIVE_LIMITS.packedBytes} bytes; no bundle does.`,
    fix: "Publish a bundle there that `sluice bundle build` made.",
  }),
});
