import { cachedStat, type FileStamp, isUnchanged, NEVER_SEEN } from "../fs/stat-cache.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Lets this process stand where a caller stands: in its folder, with its environment, so that whatever asks for either
 * hears what it would hear in the caller's own process. False when it cannot, or may not: a caller with another home has
 * other hooks, and whoever could choose where programs are found would choose what runs.
 */
export function standInPlaceOf(
  own: NodeJS.ProcessEnv,
  platform = process.platform,
): (env: Environment, cwd: string) => boolean {
  // Windows does not tell the case of a name.
  const isKept = (name: string) => KEPT.test(platform === "win32" ? name.toUpperCase() : name);
  const home = PLACES.map((name) => own[name]);
  let worn: Environment = { ...own };
  let stood: { readonly path: string; readonly state: FileStamp } = { path: "", state: NEVER_SEEN };
  return (env, cwd) => {
    if (PLACES.some((name, index) => env[name] !== home[index])) return false;
    if (!stands(cwd)) return false;
    if (isSame(worn, env)) return true;
    for (const name of Object.keys(worn)) if (!(name in env) && !isKept(name)) delete own[name];
    for (const [name, value] of Object.entries(env)) if (worn[name] !== value && !isKept(name)) own[name] = value;
    worn = env;
    return true;
  };

  /** Most calls come from where the last one came from; another folder may have taken its place meanwhile. */
  function stands(path: string): boolean {
    const state = cachedStat(path);
    if (stood.path === path && state !== undefined && isUnchanged(stood.state, state)) return true;
    stood = { path, state };
    try {
      process.chdir(path);
      return true;
    } catch {
      stood = { path: "", state: NEVER_SEEN };
      return false;
    }
  }
}

/** Calls of one agent come with the same environment. */
function isSame(one: Environment, other: Environment): boolean {
  if (one === other) return true;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** What says whose hooks hold, and where decisions are remembered. */
const PLACES = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
/** What says which programs are found and what they load: the engine's own, whatever a caller says. */
const KEPT = /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|LD_.*|DYLD_.*|GIT_.*|NODE_.*|SLUICE_RUN)$/;
