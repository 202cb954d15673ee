import { configHome } from "../config/locate.ts";
import { answer } from "../decide/answer.ts";
import type { Caller, DaemonCaller } from "../decide/caller.ts";
import { DecidedElsewhere, type MatchedHooks, Undecided } from "../decide/context.ts";
import { layersToKeep } from "../decide/layers.ts";
import { signsIn } from "../decide/project.ts";
import { attempt } from "../event/attempt.ts";
import { cachedStat, type FileStamp, isUnchanged, NEVER_SEEN, withStatCache } from "../fs/stat-cache.ts";
import { isHijack } from "../runners/command-environment.ts";
import { configCache } from "./config-cache.ts";
import { type ClientConsent, UNCONFIRMED } from "./connection.ts";
import type { DaemonOptions } from "./daemon.ts";
import { COLD, type DaemonAnswer, type Request } from "./protocol.ts";
import type { ColdCommand } from "./runtime-dir.ts";

/**
 * Answers requests as the cold command would, byte for byte, from memory. Where hooks have to run that start something, it
 * reports that before anything has run; what it is not sure of is left to the cold command.
 */
export function requestAnswerer(cold: ColdCommand): DaemonOptions["answer"] {
  // A caller with another home is not answered here.
  const home = configHome();
  const context: AnswerContext = {
    daemon: {
      layers: configCache(layersToKeep, { markersIn: signsIn, home: () => home }),
      afterwards: afterAnswer,
    },
    beforeHooks: (matched) => Promise.reject(new DecidedElsewhere(matched)),
  };
  const own = { ...process.env };
  const impersonate = callerImpersonator(process.env);
  return async (request, consent) => {
    const { words, env, cwd } = request;
    const [program, launcher, command] = words;
    if (program !== cold[0] || launcher !== cold[1] || command !== "run") return COLD;
    const answered = await withStatCache(() =>
      impersonate(env, cwd)
        ? answerHere(request, consent ? withConsent(context, consent) : context)
        : Promise.resolve(COLD),
    );
    if (!(answered instanceof Undecided)) return answered;
    consent?.takeBack?.();
    if (!(answered instanceof DecidedElsewhere)) return UNCONFIRMED;
    const { matched } = answered;
    const { kinds, root, patience: timeoutMs, usesNetwork } = matched;
    if (!mayRunFor(env, own, matched)) return { kind: "cold", usesNetwork };
    return { kind: "hooks", request, project: kinds.includes("plugin") ? root : undefined, timeoutMs, usesNetwork };
  };
}

/** Runs an act after the answer. One that fails does not end the process: the next call waits until it has been recorded. */
export function afterAnswer(act: () => void): void {
  setImmediate(() => attempt(act));
}

/** How a daemon or a worker decides, for any caller. */
export interface AnswerContext extends Pick<Caller, "begin" | "beforeHooks"> {
  readonly daemon: DaemonCaller;
}

/**
 * A call that passes without a message is recorded when its client confirms the answer, and what was kept for it is forgotten
 * when the client does not; everything else waits for a confirmation.
 */
function withConsent({ daemon, beforeHooks }: AnswerContext, consent: ClientConsent): AnswerContext {
  // Every call comes here, and copying an object costs more than naming its parts.
  return {
    daemon: {
      layers: daemon.layers,
      afterwards: (act) => void consent.given.then((isGiven) => isGiven && daemon.afterwards(act)),
      unlessArrives: consent.unlessGiven,
    },
    beforeHooks,
    begin: () => confirmedSoon(consent.ask()),
  };
}

/** Calls are decided one after the other: a client that is slow to confirm does not keep the others waiting. */
async function confirmedSoon(confirmed: Promise<boolean>): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    limit = setTimeout(resolve, CONFIRMATION_MS, false);
  });
  const isConfirmed = await Promise.race([confirmed, late]);
  clearTimeout(limit);
  if (!isConfirmed) throw new Undecided("the client has not confirmed yet that this call may be decided here");
}

/** Answers in this process, which has taken on the folder and the environment of the caller. */
export async function answerHere(
  { words, env, cwd, payload, value, caller: parent }: Request,
  { daemon, begin, beforeHooks }: AnswerContext,
): Promise<DaemonAnswer | Undecided> {
  const stated = statedCall(words.slice(3));
  if (stated === undefined) return COLD;
  try {
    const call = { text: payload, value, ...stated };
    const { stdout, stderr, exitCode } = await answer(call, { cwd, env, parent, daemon, begin, beforeHooks });
    return { kind: "done", stdout, stderr, exitCode };
  } catch (error) {
    return error instanceof Undecided ? error : COLD;
  }
}

/** What agents state after `sluice run`: an agent, and a hook event where the payload has none. Undefined for anything else. */
function statedCall(
  args: readonly string[],
): { readonly agent: string | undefined; readonly hookEvent: string | undefined } | undefined {
  let [agent, hookEvent]: (string | undefined)[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const isStated = word === HOOK_EVENT_OPTION || word.startsWith(`${HOOK_EVENT_OPTION}=`);
    if (isStated) hookEvent = word === HOOK_EVENT_OPTION ? args[++at] : word.slice(HOOK_EVENT_OPTION.length + 1);
    else if (agent === undefined) agent = word;
    else return undefined;
    if ((isStated ? hookEvent : word)?.startsWith("-") ?? true) return undefined;
  }
  return { agent, hookEvent };
}

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
  // Names of variables ignore case on Windows.
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
  if (kinds.every((kind) => kind === "command" || kind === "plugin")) return true;
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

/** The variables that determine whose hooks apply, and where decisions are recorded. */
const HOME_VARIABLES = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
/** The variables that determine which programs are found and what they load: the daemon keeps its own. */
const KEPT = /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|LD_.*|DYLD_.*|GIT_.*|NODE_.*|SLUICE_RUN)$/;
/** The variables that determine which programs are found, and which repository. Hooks never see those that `isHijack` names. */
const CHOOSES = /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|GIT_.*)$/;
const NODE_READS = /^NODE_(?!ENV$|EXTRA_CA_CERTS$)/;
const CERTIFICATES = /^(NODE_EXTRA_CA_CERTS|SSL_CERT_.*|OPENSSL_.*)$/;

const CONFIRMATION_MS = 20;
const HOOK_EVENT_OPTION = "--moment";
