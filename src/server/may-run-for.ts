import type { MatchedHooks } from "../decide/context.ts";
import { isHijack } from "../runners/command-environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

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

/** The variables that say which programs are found, and which repository. Hooks never see those that `isHijack` names. */
const CHOOSES = /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|GIT_.*)$/;
const NODE_READS = /^NODE_(?!ENV$|EXTRA_CA_CERTS$)/;
const CERTIFICATES = /^(NODE_EXTRA_CA_CERTS|SSL_CERT_.*|OPENSSL_.*)$/;
