import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { PUBLIC_KEY } from "../config/managed-bundle.ts";
import { problems } from "../problem/problem.ts";

/** A new pair: the private key as PEM, the public one as configurations write it. */
export function generateKeys(): { readonly privatePem: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { privatePem: String(privateKey.export({ type: "pkcs8", format: "pem" })), publicKey: publicText(publicKey) };
}

/** A private key that was read from a file. */
export interface SigningKey {
  readonly publicKey: string;
  /** The signature of bytes, in base64. */
  sign(content: Uint8Array): string;
}

/** Reads the private key that `generateKeys` made. */
export function readSigningKey(pem: string, file: string): SigningKey {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw PROBLEMS.noPrivateKey({ is: "is no private key" }, { place: { file }, cause: error });
  }
  if (key.asymmetricKeyType !== "ed25519")
    throw PROBLEMS.noPrivateKey(
      { is: `is a key for ${key.asymmetricKeyType}, and Ed25519 is wanted` },
      { place: { file } },
    );
  return {
    publicKey: publicText(createPublicKey(key)),
    sign: (content) => sign(null, content, key).toString("base64"),
  };
}

/** Whether a signature in base64 is that of a public key over these bytes. Never throws. */
export function isSignedBy(publicKey: string, content: Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, rawKey(publicKey)]), format: "der", type: "spki" });
    return verify(null, content, key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** Checks how a public key is written. */
export function readPublicKey(text: string): string {
  if (!PUBLIC_KEY.test(text)) throw PROBLEMS.noPublicKey({ text });
  return text;
}

/** A public key as messages name it. */
export function shortKey(publicKey: string): string {
  return `${publicKey.slice(0, "ed25519:".length + 8)}…`;
}

function rawKey(publicKey: string): Buffer {
  return Buffer.from(publicKey.slice("ed25519:".length), "base64");
}

function publicText(key: KeyObject): string {
  const der = key.export({ type: "spki", format: "der" });
  return `ed25519:${der.subarray(SPKI.length).toString("base64")}`;
}

/** The bytes before the 32 bytes of an Ed25519 key in its DER form (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

const PROBLEMS = problems("bundle", {
  noPrivateKey: ({ is }: { is: string }) => ({
    what: `This file ${is}.`,
    fix: "`sluice bundle keygen --out <file>` makes one.",
  }),
  noPublicKey: ({ text }: { text: string }) => ({
    what: `${JSON.stringify(text)} is not a public key.`,
    fix: "`sluice bundle keygen` prints it: `ed25519:` and 44 characters.",
  }),
});
