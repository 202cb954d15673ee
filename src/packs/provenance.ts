import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configHome } from "../config/locate.ts";
import type { PackProvenance } from "../config/pack-lock.ts";
import { importInstalled } from "../fs/import-package.ts";
import { errorText, Problem, problems } from "../problem/problem.ts";
import { repositoryOf } from "./candidate.ts";
import type { NpmConfig } from "./npm-config.ts";
import { registryGet } from "./registry-get.ts";

/** Of which bytes the provenance is asked for, and where. */
export interface ProvenanceQuery {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly registry: URL;
  readonly config: NpmConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a registry proves about the build of a package, and what the user should know about it. */
export interface ReadProvenance {
  readonly provenance: PackProvenance;
  readonly notes: readonly string[];
}

/**
 * Asks the registry for the attestations of a version. One that is about other bytes, or whose signatures do not hold, is
 * refused. Without what verification takes, the provenance counts as unverified, and that is said.
 */
export async function readProvenance(query: ProvenanceQuery): Promise<ReadProvenance> {
  const { name, version, integrity, registry, config } = query;
  const url = new URL(`-/npm/v1/attestations/${name.replace("/", "%2f")}@${version}`, registry);
  const bytes = await registryGet(url, { config, accept: "application/json", most: MAX_BYTES, mayLeaveHost: false });
  if (bytes === undefined) return { provenance: { state: "none" }, notes: [] };
  const bundle = slsaBundle(bytes);
  if (bundle === undefined) return { provenance: { state: "none" }, notes: [] };
  const statement = statementIn(bundle);
  if (statement === undefined) throw PROBLEMS.badAttestation({ name, version, why: "it cannot be read" });
  if (!isAbout(statement, name, version, integrity))
    throw PROBLEMS.badAttestation({ name, version, why: "it is about other bytes" });
  const built = buildOf(statement);
  const result = await verifyBundle(bundle, built.repository, query.env);
  if (result.kind === "broken") throw PROBLEMS.badAttestation({ name, version, why: result.why });
  const isVerified = result.kind === "verified";
  const notes = isVerified ? [] : [`The provenance was not verified: ${result.why}.`];
  return { provenance: { state: isVerified ? "verified" : "unverified", ...built }, notes };
}

/** An attestation about how a package was built, as registries keep it. */
type AttestationBundle = Readonly<Record<string, unknown>>;

function slsaBundle(bytes: Buffer): AttestationBundle | undefined {
  try {
    const { attestations } = Object(JSON.parse(bytes.toString("utf8"))) as { attestations?: unknown };
    const all = Array.isArray(attestations) ? attestations : [];
    const found: unknown = all.find((one) =>
      /^https:\/\/slsa\.dev\/provenance\/v\d/.test(String(Object(one).predicateType)),
    );
    const { bundle } = Object(found) as { bundle?: unknown };
    return typeof bundle === "object" && bundle !== null ? (bundle as AttestationBundle) : undefined;
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    return undefined;
  }
}

interface Statement {
  readonly subject: readonly { readonly name: string; readonly digest: Readonly<Record<string, string>> }[];
  readonly predicate: Readonly<Record<string, unknown>>;
}

/** What is signed: the payload of the bundle's envelope. */
function statementIn(bundle: AttestationBundle): Statement | undefined {
  try {
    const { payload } = Object(bundle.dsseEnvelope) as { payload?: unknown };
    const { subject, predicate } = Object(
      JSON.parse(Buffer.from(String(payload), "base64").toString("utf8")),
    ) as Record<string, unknown>;
    const isWhole = Array.isArray(subject) && typeof predicate === "object" && predicate !== null;
    return isWhole ? { subject, predicate: predicate as Statement["predicate"] } : undefined;
  } catch {
    return undefined;
  }
}

function isAbout({ subject }: Statement, name: string, version: string, integrity: string): boolean {
  const wanted = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const sha512 = Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
  return subject.some((one) => one?.name === wanted && one.digest?.sha512 === sha512);
}

/** The repository, the commit and the workflow that a statement names. */
function buildOf({ predicate }: Statement): Pick<PackProvenance, "repository" | "commit" | "workflow"> {
  const definition = Object(predicate.buildDefinition) as Record<string, unknown>;
  const { workflow } = Object(definition.externalParameters) as { workflow?: unknown };
  const { repository, path } = Object(workflow) as Record<string, unknown>;
  const [source] = Array.isArray(definition.resolvedDependencies) ? definition.resolvedDependencies : [];
  const { gitCommit } = Object(Object(source).digest) as Record<string, unknown>;
  return {
    repository: repositoryOf(repository),
    commit: typeof gitCommit === "string" ? gitCommit : undefined,
    workflow: typeof path === "string" ? path : undefined,
  };
}

/** What came of verifying the signatures of an attestation. */
type SignatureVerdict =
  | { readonly kind: "verified" }
  /** What verification takes is not on this machine. */
  | { readonly kind: "unverified"; readonly why: string }
  /** The signatures do not hold, or are of somebody else. */
  | { readonly kind: "broken"; readonly why: string };

/**
 * Verifies an attestation with sigstore, where `@sigstore/verify` is installed and a trusted root is there: the signature, the
 * certificate and its authority, the transparency log, and that the workflow that signed belongs to the repository it names.
 */
async function verifyBundle(
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
      why: `its signature does not hold (${errorText(error)})`,
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

const MAX_BYTES = 4 * 1024 * 1024;

const PROBLEMS = problems("pack", {
  badAttestation: ({ name, version, why }: { name: string; version: string; why: string }) => ({
    what: `The provenance of ${name}@${version} does not hold: ${why}. Nothing was changed.`,
    fix: "Do not use this version; tell its authors and the operators of the registry.",
  }),
});
