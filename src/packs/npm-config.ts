import { join, resolve } from "node:path";
import { attempt } from "../event/attempt.ts";
import { homeDir } from "../fs/home-dir.ts";
import { readRegularFile } from "../fs/regular-file.ts";
import { type ProxySettings, proxiesIn } from "../http/proxy.ts";
import { problems } from "../problem/problem.ts";

/** What npm's configuration says about registries. */
export interface NpmConfig {
  /** The registry of a package, with a slash at its end. */
  registryFor(name: string): URL;
  /** The header that identifies the user to a host; undefined if the user has no credentials for exactly that host. */
  authorizationFor(url: URL): string | undefined;
  /** Certificates of authorities besides those that Node knows. */
  readonly authorities: string | undefined;
  /** Through which proxies registries are reached. */
  readonly proxies: ProxySettings;
  /** What of the configuration is ignored, and why. */
  readonly notes: readonly string[];
}

/** The places of npm's configuration. */
export interface NpmSurroundings {
  /** The project, whose `.npmrc` may name registries. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads npm's configuration as far as it is about fetching: the environment, the project's `.npmrc`, the user's. A project may
 * name registries. Credentials of the user go only to the host for which the user's own file has them: a project can neither
 * send them elsewhere nor name variables of the environment that are to be sent.
 */
export function npmConfig({ root, env }: NpmSurroundings): NpmConfig {
  const home = homeDir(env);
  const user = entriesIn(variable("npm_config_userconfig", env) ?? join(home, ".npmrc"), env);
  const project = entriesIn(join(root, ".npmrc"), undefined);
  const notes = [...project].flatMap(([key, value]) => {
    const name = `.npmrc of the project: ${key.replace(/:[^:]*$/, ":…")}`;
    if (isCredential(key) && value.includes("${"))
      return [`${name} names a variable, which is not read for a project. Put it into your own ~/.npmrc.`];
    return PROXIES.has(key) ? [`${name} does not count: a project names no proxy. Put it into your own ~/.npmrc.`] : [];
  });
  const registryFor = (name: string) => {
    const [scope] = name.startsWith("@") ? name.split("/") : [undefined];
    const keys = scope === undefined ? ["registry"] : [`${scope}:registry`, "registry"];
    for (const key of keys) {
      const stated = fromEnvironment(key, env) ?? project.get(key) ?? user.get(key);
      if (stated !== undefined && stated !== "") return registryAt(stated);
    }
    return new URL(DEFAULT_REGISTRY);
  };
  const authorizationFor = (url: URL) => {
    if (url.protocol !== "https:" && !isLoopback(url.hostname)) return undefined;
    for (const path of pathsOf(url)) {
      const own = credentialAt(user, `//${url.host}${path}`);
      if (own !== undefined) return own;
      // What a project itself has in its file goes to the host that it names; it is not a secret of the user.
      const shared = new Map([...project].filter(([, value]) => !value.includes("${")));
      const theirs = credentialAt(shared, `//${url.host}${path}`);
      if (theirs !== undefined) return theirs;
    }
    return undefined;
  };
  return {
    registryFor,
    authorizationFor,
    authorities: authoritiesIn(user, env),
    proxies: npmProxies(user, env),
    notes,
  };
}

/** npm's own settings, else the variables that all programs know. `null` and `false` mean none. */
function npmProxies(user: ReadonlyMap<string, string>, env: NpmSurroundings["env"]): ProxySettings {
  const stated = (...names: readonly string[]) => {
    for (const name of names) {
      const value = variable(`npm_config_${name.replaceAll("-", "_")}`, env) ?? user.get(name);
      if (value !== undefined && value !== "") return value === "null" || value === "false" ? "" : value;
    }
    return undefined;
  };
  const all = proxiesIn(env);
  return {
    https: stated("https-proxy", "proxy") ?? all.https,
    http: stated("proxy", "http-proxy", "https-proxy") ?? all.http,
    except: stated("noproxy", "no-proxy") ?? all.except,
  };
}

/** A variable of npm, in either case. */
function variable(name: string, env: NpmSurroundings["env"]): string | undefined {
  return env[name] ?? env[name.toUpperCase()];
}

/** An address without what may be a credential in it. */
export function withoutCredentials({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Whether a host is this machine. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function registryAt(stated: string): URL {
  const url = URL.canParse(stated) ? new URL(stated) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") throw PROBLEMS.badRegistry({ stated });
  return new URL(url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`, url.origin);
}

/** Every folder of an address, the longest first. */
function pathsOf({ pathname }: URL): string[] {
  const parts = pathname.split("/").filter((part) => part !== "");
  return Array.from({ length: parts.length + 1 }, (_, left) => {
    const kept = parts.slice(0, parts.length - left).join("/");
    return kept === "" ? "/" : `/${kept}/`;
  });
}

function credentialAt(entries: ReadonlyMap<string, string>, at: string): string | undefined {
  const token = entries.get(`${at}:_authToken`);
  if (token) return `Bearer ${token}`;
  const basic = entries.get(`${at}:_auth`);
  if (basic) return `Basic ${basic}`;
  const [name, password] = [entries.get(`${at}:username`), entries.get(`${at}:_password`)];
  if (!name || !password) return undefined;
  const plain = Buffer.from(password, "base64").toString("utf8");
  return `Basic ${Buffer.from(`${name}:${plain}`).toString("base64")}`;
}

function isCredential(key: string): boolean {
  return /(?:^|:)(?:_authToken|_auth|_password|username)$/.test(key);
}

/** The lines of an `.npmrc`. Variables are put in only where an environment is given. */
function entriesIn(file: string, env: NpmSurroundings["env"] | undefined): Map<string, string> {
  const entries = new Map<string, string>();
  for (const line of textOf(file).split(/\r?\n/)) {
    const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const plain = value.replace(/^(["'])(.*)\1$/, "$2");
    entries.set(
      key,
      env === undefined ? plain : plain.replaceAll(/\$\{(\w+)\??\}/g, (_, name: string) => env[name] ?? ""),
    );
  }
  return entries;
}

function textOf(file: string): string {
  return attempt(() => readRegularFile(file).toString().slice(0, LONGEST)) ?? "";
}

/** `npm_config_registry`, in either case; scoped registries have no variable. */
function fromEnvironment(key: string, env: NpmSurroundings["env"]): string | undefined {
  return key === "registry" ? variable("npm_config_registry", env) : undefined;
}

function authoritiesIn(user: ReadonlyMap<string, string>, env: NpmSurroundings["env"]): string | undefined {
  const file = variable("npm_config_cafile", env) ?? user.get("cafile");
  const stated = file ? textOf(resolve(file)) : user.get("ca")?.replaceAll("\\n", "\n");
  return stated || undefined;
}

const PROXIES: ReadonlySet<string> = new Set(["proxy", "https-proxy", "http-proxy", "noproxy", "no-proxy"]);
const DEFAULT_REGISTRY = "https://registry.npmjs.org/";
const LONGEST = 1024 * 1024;

const PROBLEMS = problems("pack", {
  badRegistry: ({ stated }: { stated: string }) => ({
    what: `npm's configuration names the registry ${JSON.stringify(stated.slice(0, 80))}, which is not an address.`,
    fix: "Correct `registry` in .npmrc: it begins with https:// or http://.",
  }),
});
