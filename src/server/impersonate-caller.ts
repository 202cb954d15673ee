import type { MatchedHooks } from "../decide/context.ts";
import { cachedStat, type FileStamp, isUnchanged, NEVER_SEEN } from "../fs/stat-cache.ts";
import { isHijack } from "../runners/command-environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Lets this process take on the folder and the environment of a caller, so that code that asks for either gets what it
 * would get in the caller's own process. False when it cannot, or may not: a caller with another home has other hooks, and
 * a caller that could choose where programs are found would choose what runs.
 */
export function callerImpersonator(
  own: NodeJS.ProcessEnv,
  platform = process.platform,
): (env: Environment, cwd: string) => boolean {
  // Names of variables have no case on Windows.
  const isKept = (name: string) => KEPT.test(platform === "win32" ? name.toUpperCase() : name);
  const home = HOME_VARIABLES.map((name) => own[name]);
  let taken: Environment = { ...own };
  let entered: { readonly path: string; readonly state: FileStamp } = { path: "", state: NEVER_SEEN };
  return (env, cwd) => {
    if (HOME_VARIABLES.some((name, index) => env[name] !== home[index])) return false;
    if (!enters(cwd)) return false;
    if (isSame(taken, env)) return true;
    for (const name of Object.keys(taken)) if (!(name in env) && !isKept(name)) delete own[name];
    for (const [name, value] of Object.entries(env)) if (taken[name] !== value && !isKept(name)) own[name] = value;
    taken = env;
    return true;
  };

  /** Most calls come from the folder of the call before; another folder may have taken its place meanwhile. */
  function enters(path: string): boolean {
    const state = cachedStat(path);
    if (entered.path === path && state !== undefined && isUnchanged(entered.state, state)) return true;
    entered = { path, state };
    try {
      process.chdir(path);
      return true;
    } catch {
      entered = { path: "", state: NEVER_SEEN };
      return false;
    }
  }
}

/**
 * Whether a daemon may have hooks run for a caller. Hooks get the caller's environment as it is, so it may differ from the
 * daemon's in anything but where programs are found: a caller that could choose that would choose what runs outside of its
 * sandbox. What node itself reads when it starts matters to hooks that run inside of it.
 */
export function mayRunFor(
  env: Environment,
  own: Environment,
  { kinds, usesNetwork }: MatchedHooks,
  platform = process.platform,
): boolean {
  const names = Object.keys({ ...own, ...env });
  const chooses = (name: string) => CHOOSES.test(platform === "win32" ? name.toUpperCase() : name);
  if (names.some((name) => chooses(name) && !isHijack(name) && env[name] !== own[name])) return false;
  if (kinds.every((kind) => kind === "command")) return true;
  return !Object.keys(env).some(
    (name) => isHijack(name) || NODE_READS.test(name) || (usesNetwork && CERTIFICATES.test(name)),
  );
}

/** Calls of one agent come with the same environment. */
function isSame(one: Environment, other: Environment): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The variables that say whose hooks hold, and where decisions are recorded. */
const HOME_VARIABLES = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
/** The variables that say which programs are found and what they load: the daemon keeps its own. */
const KEPT = /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|LD_.*|DYLD_.*|GIT_.*|NODE_.*|SLUICE_RUN)$/;
/** The variables that say which programs are found, and which repository. Hooks never see those that `isHijack` names. */
const CHOOSES = /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|GIT_.*)$/;
const NODE_READS = /^NODE_(?!ENV$|EXTRA_CA_CERTS$)/;
const CERTIFICATES = /^(NODE_EXTRA_CA_CERTS|SSL_CERT_.*|OPENSSL_.*)$/;
