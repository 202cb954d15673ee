type Environment = Readonly<Record<string, string | undefined>>;

/** Through which proxies addresses are reached. */
export interface ProxySettings {
  /** The proxy for https:// addresses. */
  readonly https: string | undefined;
  /** The proxy for http:// addresses. */
  readonly http: string | undefined;
  /** Hosts that are reached without one, as NO_PROXY lists them. */
  readonly except: string | undefined;
}

/** The settings of the environment: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; the lower-case spelling has priority. */
export function proxiesIn(env: Environment): ProxySettings {
  const named = (name: string) => env[name] || env[name.toUpperCase()] || undefined;
  const any = named("all_proxy");
  return { https: named("https_proxy") ?? any, http: named("http_proxy") ?? any, except: named("no_proxy") };
}

/** The proxy of an address; undefined if it is reached directly. Throws for a setting that is not an address of a proxy. */
export function proxyFor(url: URL, settings: ProxySettings): URL | undefined {
  const stated = url.protocol === "https:" ? settings.https : settings.http;
  if (stated === undefined || stated === "" || isExcepted(url, settings.except)) return undefined;
  const written = /^[a-z][\w+.-]*:\/\//i.test(stated) ? stated : `http://${stated}`;
  const proxy = URL.canParse(written) ? new URL(written) : undefined;
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol) || proxy.hostname === "") throw new BadProxy(stated);
  return proxy;
}

/** A proxy is configured that nothing can be sent through. */
class BadProxy extends Error {
  override readonly name = "BadProxy";

  constructor(stated: string) {
    super(
      `the proxy ${JSON.stringify(stated.replace(/\/\/[^/@]*@/, "//"))} is not an address that begins with http:// or https://`,
    );
  }
}

/** `example.com` and `.example.com` mean the host and all below it; `host:8080` one port; `10.0.0.0/8` a network; `*` everything. */
function isExcepted({ hostname, port, protocol }: URL, except = ""): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const at = port || (protocol === "https:" ? "443" : "80");
  return except
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const [, bracketed, plain = entry, onlyPort] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
      const name = (bracketed ?? plain).replace(/^\*?\.|\.$/g, "");
      if (name === "" || (onlyPort !== undefined && onlyPort !== at)) return false;
      return name.includes("/") ? isInNetwork(host, name) : host === name || host.endsWith(`.${name}`);
    });
}

function isInNetwork(host: string, network: string): boolean {
  const [base = "", bits = ""] = network.split("/");
  const [address, from] = [numberOf(host), numberOf(base)];
  const size = 2 ** (32 - Number(bits));
  if (address === undefined || from === undefined || !/^\d{1,2}$/.test(bits) || size < 1) return false;
  return Math.floor(address / size) === Math.floor(from / size);
}

/** An IPv4 address as a number. */
function numberOf(host: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}
