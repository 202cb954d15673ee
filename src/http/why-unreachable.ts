/** Why an address did not answer, as text for a person. */
export function whyUnreachable(error: unknown, isTooLate = false): string {
  if (isTooLate) return "it takes too long to answer";
  const { code = "", message = "" } = Object(error) as { readonly code?: string; readonly message?: string };
  return WORDS[code] ?? (message || code);
}

const NO_AUTHORITY = "its certificate cannot be verified: Node does not know the authority that signed it";

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ENOTFOUND: "no such host is known",
  EAI_AGAIN: "the host name cannot be resolved at present",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "it takes too long to answer",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NO_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NO_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: NO_AUTHORITY,
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};
