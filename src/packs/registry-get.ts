import { rootCertificates } from "node:tls";
import { GetFailed, get } from "../http/get.ts";
import { problems } from "../problem/problem.ts";
import { type NpmConfig, withoutCredentials } from "./npm-config.ts";

/** What is fetched, and how much of it is taken. */
export interface RegistryRequest {
  readonly config: NpmConfig;
  readonly accept: string;
  readonly most: number;
  /** Whether a redirect may lead to another host: only where a hash says which bytes are meant. Credentials never follow it. */
  readonly mayLeaveHost: boolean;
}

/** Fetches an address of a registry, whole or not at all. Nothing for 404; throws the problem of what cannot be had. */
export async function registryGet(url: URL, options: RegistryRequest): Promise<Buffer | undefined> {
  const { config, accept, most, mayLeaveHost } = options;
  const headersFor = (at: URL) => {
    const authorization = at.origin === url.origin ? config.authorizationFor(at) : undefined;
    return { accept, ...(authorization !== undefined && { authorization }) };
  };
  const { authorities: own, proxies } = config;
  const authorities = own === undefined ? undefined : [...rootCertificates, own];
  const got = await get(url, { headersFor, most, mayLeaveHost, proxies, authorities }).catch((error: unknown) => {
    throw error instanceof GetFailed ? problemOf(error, most) : error;
  });
  if (got.status === 200) return got.body;
  if (got.status === 404) return undefined;
  const at = { url: withoutCredentials(got.url), status: got.status };
  throw got.status === 401 || got.status === 403 ? PROBLEMS.notAllowed(at) : PROBLEMS.otherStatus(at);
}

function problemOf(failed: GetFailed, most: number): Error {
  const { kind, url, message: why } = failed;
  if (kind === "redirect") return PROBLEMS.badRedirect({ url, why });
  if (kind === "half") return PROBLEMS.halfAnswer({ url });
  if (kind === "large") return PROBLEMS.answerTooLarge({ url, most });
  const isForeign = why.includes("certificate");
  const advised = isForeign ? `${why}; \`cafile\` in ~/.npmrc names its authority` : why;
  return PROBLEMS.registryUnreachable({ url, why: advised }, { cause: failed });
}

const PROBLEMS = problems("pack", {
  registryUnreachable: ({ url, why }: { url: string; why: string }) => ({
    what: `${url} cannot be reached: ${why}. Nothing was changed.`,
    fix: "Check the network, and `registry` and the proxies in .npmrc. A folder or a .tgz needs none: `sluice add ./pack.tgz`.",
  }),
  notAllowed: ({ url, status }: { url: string; status: number }) => ({
    what: `${url} answered ${status}: it requires credentials, or other ones.`,
    fix: "Log in with `npm login`: the token has to be in your own ~/.npmrc, for exactly this host.",
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
