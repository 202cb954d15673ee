import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ARCHIVE_LIMITS } from "../archive/read-archive.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { GetFailed, get } from "../http/get.ts";
import type { ProxySettings } from "../http/proxy.ts";
import { problems } from "../problem/problem.ts";

/** What an address gave. */
export type Downloaded =
  | { readonly kind: "same" }
  | { readonly kind: "bytes"; readonly bytes: Buffer; readonly etag: string | undefined };

/** How a file is fetched. */
export interface DownloadOptions {
  /** What the host called the file that is here already. */
  readonly etag?: string | undefined;
  readonly proxies: ProxySettings;
}

/** Fetches a file over http(s) or from the disk, whole or not at all; throws the problem of what cannot be had. */
export async function download(url: string, { etag, proxies }: DownloadOptions): Promise<Downloaded> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol === "file:") return readLocal(address);
  if (address?.protocol !== "http:" && address?.protocol !== "https:") throw PROBLEMS.noAddress({ url });
  const accept = { accept: "application/gzip, application/octet-stream, */*" };
  const headersFor = () => ({ ...accept, ...(etag !== undefined && { "if-none-match": etag }) });
  const most = ARCHIVE_LIMITS.packedBytes;
  const got = await get(address, { headersFor, most, mayLeaveHost: false, proxies }).catch((error: unknown) => {
    throw error instanceof GetFailed ? problemOf(error) : error;
  });
  if (got.status === 304 && etag !== undefined) return { kind: "same" };
  if (got.status !== 200) throw PROBLEMS.notThere({ url: `${got.url.origin}${got.url.pathname}`, status: got.status });
  return { kind: "bytes", bytes: got.body, etag: got.headers.etag };
}

function readLocal(address: URL): Downloaded {
  const path = fileURLToPath(address);
  try {
    if (statSync(path).size > ARCHIVE_LIMITS.packedBytes) throw PROBLEMS.tooLong({ url: path });
    return { kind: "bytes", bytes: readRegularFile(path), etag: undefined };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw PROBLEMS.unreachable({ url: path, why: (error as NodeJS.ErrnoException).code ?? "" }, { cause: error });
  }
}

function problemOf(failed: GetFailed): Error {
  const { kind, url, message: why } = failed;
  if (kind === "redirect") return PROBLEMS.badRedirect({ url, why });
  if (kind === "half") return PROBLEMS.half({ url });
  return kind === "large" ? PROBLEMS.tooLong({ url }) : PROBLEMS.unreachable({ url, why }, { cause: failed });
}

const PROBLEMS = problems("bundle", {
  noAddress: ({ url }: { url: string }) => ({
    what: `${url} is not an address that begins with https://, http:// or file://.`,
    fix: "Correct `managed.url`.",
  }),
  unreachable: ({ url, why }: { url: string; why: string }) => ({
    what: `${url} cannot be reached: ${why}.`,
    fix: "Check the address and the network; the bundle that was fetched before still applies.",
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
