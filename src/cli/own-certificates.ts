/**
 * Some versions of node read all certificates that this variable names before they do anything else. A client that knows
 * that no connection will be opened hides it from our own node; hooks get it back.
 */
export function restoreCertificates(env: NodeJS.ProcessEnv): void {
  const { [HIDDEN]: hidden } = env;
  if (hidden === undefined) return;
  env.NODE_EXTRA_CA_CERTS = hidden;
  delete env[HIDDEN];
}

const HIDDEN = "SLUICE_EXTRA_CA_CERTS";
