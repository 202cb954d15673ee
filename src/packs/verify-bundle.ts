import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configHome } from "../config/locate.ts";
import { importInstalled } from "../fs/import-package.ts";

/** What came of verifying the signatures of an attestation. */
export type SignatureVerdict =
  | { readonly kind: "verified" }
  /** What verification takes is not on this machine. */
  | { readonly kind: "unverified"; readonly why: string }
  /** The signatures do not hold, or are of somebody else. */
  | { readonly kind: "broken"; readonly why: string };

/**
 * Verifies an attestation with sigstore, where `@sigstore/verify` is installed and a trusted root is there: the signature, the
 * certificate and its authority, the transparency log, and that the workflow that signed belongs to the repository it names.
 */
export async function verifyBundle(
  bundle: Readonly<Record<string, unknown>>,
  repository: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SignatureVerdict> {
  const sigstore = await sigstoreIfThere();
  if (sigstore === undefined)
    return {
      kind: "unverified",
      why: "the package @sigstore/verify is not installed (npm install -g @sigstore/verify)",
    };
  const file = trustedRootFile(env);
  const root = await trustedRoot(file);
  if (root === undefined)
    return { kind: "unverified", why: `there is no trusted root of sigstore: ${file}, or the package @sigstore/tuf` };
  try {
    const { TrustedRoot, bundleFromJSON, toTrustMaterial, toSignedEntity, Verifier } = sigstore;
    const trusted = TrustedRoot.fromJSON(root);
    // A root of one's own may come without a log of certificates.
    const options = { ctlogThreshold: trusted.ctlogs.length > 0 ? 1 : 0 };
    const signer = new Verifier(toTrustMaterial(trusted), options).verify(toSignedEntity(bundleFromJSON(bundle)));
    const identity = signer.identity?.subjectAlternativeName ?? "";
    if (repository === undefined || !identity.startsWith(`${repository}/`))
      return {
        kind: "broken",
        why: `it is signed by ${identity || "an unknown key"}, not by a workflow of ${repository ?? "a repository"}`,
      };
    return { kind: "verified" };
  } catch (error) {
    return {
      kind: "broken",
      why: `its signature does not hold (${error instanceof Error ? error.message : String(error)})`,
    };
  }
}

/** The file of the user's own configuration that names the authorities of sigstore. */
function trustedRootFile(env: Readonly<Record<string, string | undefined>>): string {
  return join(configHome({ env }), "sluice", "sigstore-root.json");
}

async function trustedRoot(file: string): Promise<unknown> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const tuf = (await importInstalled("@sigstore/tuf").catch(() => undefined)) as
    | { getTrustedRoot?: () => Promise<unknown> }
    | undefined;
  return tuf?.getTrustedRoot?.().catch(() => undefined);
}

/** The parts of sigstore that are used, from an optional package that is loaded only here. */
interface Sigstore {
  readonly TrustedRoot: { fromJSON(root: unknown): { readonly ctlogs: readonly unknown[] } };
  readonly bundleFromJSON: (bundle: unknown) => unknown;
  readonly toTrustMaterial: (root: unknown) => unknown;
  readonly toSignedEntity: (bundle: unknown) => unknown;
  readonly Verifier: new (
    material: unknown,
    options: object,
  ) => {
    verify(entity: unknown): { readonly identity?: { readonly subjectAlternativeName?: string } };
  };
}

async function sigstoreIfThere(): Promise<Sigstore | undefined> {
  try {
    const names = ["@sigstore/verify", "@sigstore/bundle", "@sigstore/protobuf-specs"];
    const [verify, bundle, specs] = await Promise.all(names.map((name) => importInstalled(name)));
    const parts = [verify, bundle, specs].map((part) => ({ ...Object(Object(part).default), ...Object(part) }));
    return Object.assign({}, ...parts) as Sigstore;
  } catch {
    return undefined;
  }
}
