/* Asks the browser for a passkey: a new one, or a proof by one that is known. */

/** What the authenticator answers, as JSON for the server. */
export async function askPasskey(kind: "create" | "use", options: object): Promise<unknown> {
  const credential =
    kind === "create"
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
            options as PublicKeyCredentialCreationOptionsJSON,
          ),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON),
        });
  return (credential as PublicKeyCredential | null)?.toJSON();
}

/** Why this page cannot use a passkey; undefined if it can. */
export function whyNoPasskey(): string | undefined {
  if (typeof PublicKeyCredential !== "function" || !("parseRequestOptionsFromJSON" in PublicKeyCredential))
    return "This browser has no passkeys, or is too old for them.";
  return location.hostname === "localhost"
    ? undefined
    : `Passkeys work only at http://localhost:${location.port}${location.pathname}`;
}
