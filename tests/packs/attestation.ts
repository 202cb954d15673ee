import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(`sigstore/${name}`, import.meta.url), "utf8");
const AUTHORITY = new X509Certificate(read("authority.pem"));
const WORKFLOW = new X509Certificate(read("workflow.pem"));
const KEY = createPrivateKey(read("workflow-key.pem"));
const LOG = generateKeyPairSync("ec", { namedCurve: "P-256" });
const LOG_KEY = LOG.publicKey.export({ type: "spki", format: "der" });
const LOG_ID = createHash("sha256").update(LOG_KEY).digest();
/** The certificates hold from 2026 on for a hundred years. */
const SIGNED_AT = Date.parse("2030-01-01T00:00:00Z") / 1000;
const TYPE = "application/vnd.in-toto+json";

/** The repository whose workflow the certificate is for. */
export const REPOSITORY = "https://github.com/acme/git-safety";

/** A root of trust for the chain and the log of these tests. */
export const TRUSTED_ROOT = {
  mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
  tlogs: [
    {
      baseUrl: "https://log.example",
      hashAlgorithm: "SHA2_256",
      publicKey: {
        rawBytes: LOG_KEY.toString("base64"),
        keyDetails: "PKIX_ECDSA_P256_SHA_256",
        validFor: { start: "2020-01-01T00:00:00Z" },
      },
      logId: { keyId: LOG_ID.toString("base64") },
    },
  ],
  certificateAuthorities: [
    {
      subject: { organization: "sluice tests", commonName: "authority" },
      uri: "https://authority.example",
      certChain: { certificates: [{ rawBytes: AUTHORITY.raw.toString("base64") }] },
      validFor: { start: "2020-01-01T00:00:00Z" },
    },
  ],
  ctlogs: [],
  timestampAuthorities: [],
};

/** What an attestation is about, and who signs it. */
export interface Attested {
  readonly name: string;
  readonly version: string;
  readonly packed: Uint8Array;
  readonly repository?: string;
  readonly key?: KeyObject;
}

/** The answer of a registry that holds an attestation of a build. */
export function attestations({ name, version, packed, repository = REPOSITORY, key = KEY }: Attested): object {
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      {
        name: `pkg:npm/${name.replace("@", "%40")}@${version}`,
        digest: { sha512: createHash("sha512").update(packed).digest("hex") },
      },
    ],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        externalParameters: { workflow: { repository, path: ".github/workflows/release.yml", ref: "refs/heads/main" } },
        resolvedDependencies: [
          { uri: `git+${repository}`, digest: { gitCommit: "0123456789abcdef0123456789abcdef01234567" } },
        ],
      },
    },
  };
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = sign(
    "sha256",
    Buffer.concat([Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${payload.length} `), payload]),
    key,
  );
  const body = {
    apiVersion: "0.0.1",
    kind: "dsse",
    spec: {
      payloadHash: { algorithm: "sha256", value: createHash("sha256").update(payload).digest("hex") },
      signatures: [
        { signature: signature.toString("base64"), verifier: Buffer.from(WORKFLOW.toString()).toString("base64") },
      ],
    },
  };
  const canonicalizedBody = Buffer.from(JSON.stringify(body)).toString("base64");
  const entry = { body: canonicalizedBody, integratedTime: SIGNED_AT, logID: LOG_ID.toString("hex"), logIndex: 1 };
  const bundle = {
    mediaType: "application/vnd.dev.sigstore.bundle+json;version=0.1",
    verificationMaterial: {
      x509CertificateChain: { certificates: [{ rawBytes: WORKFLOW.raw.toString("base64") }] },
      tlogEntries: [
        {
          logIndex: "1",
          logId: { keyId: LOG_ID.toString("base64") },
          kindVersion: { kind: "dsse", version: "0.0.1" },
          integratedTime: String(SIGNED_AT),
          inclusionPromise: {
            signedEntryTimestamp: sign("sha256", Buffer.from(JSON.stringify(entry)), LOG.privateKey).toString("base64"),
          },
          canonicalizedBody,
        },
      ],
      timestampVerificationData: { rfc3161Timestamps: [] },
    },
    dsseEnvelope: {
      payload: payload.toString("base64"),
      payloadType: TYPE,
      signatures: [{ sig: signature.toString("base64"), keyid: "" }],
    },
  };
  return { attestations: [{ predicateType: "https://slsa.dev/provenance/v1", bundle }] };
}
