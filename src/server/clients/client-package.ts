import { accessSync, constants, existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256Bytes } from "../../fs/late-builtins.ts";
import { readRegularFile, readRegularText } from "../../fs/regular-file.ts";
import { CLIENT_PACKAGE, modulesOf } from "../../policies/protect/client-modules.ts";
import { errorText } from "../../problem/problem.ts";
import type { ColdCommand } from "../runtime-dir.ts";
import type { Client } from "./make-client.ts";

/** A package with a native client, as npm installs one beside Sluice. */
export interface ClientPackage {
  readonly name: string;
  readonly folder: string;
}

/** The package beside this copy of Sluice, for the machine that it runs on. */
export type Packaged =
  | { readonly kind: "none" }
  | (ClientPackage & {
      readonly kind: "fit";
      readonly version: string;
      readonly path: string;
      /** The bytes that were checked are the bytes that are copied. */
      readonly bytes: Buffer;
    })
  | (ClientPackage & { readonly kind: "unfit"; readonly why: string });

/** The client that was installed with this copy of Sluice, as far as that shows without starting it. */
export function packagedClient([, launcher]: ColdCommand, version: string): Packaged {
  const { platform, arch } = process;
  const name = CLIENT_PACKAGE;
  const folder = modulesOf(dirname(dirname(launcher)))
    .map((modules) => join(modules, name))
    .find((path) => existsSync(path));
  if (platform === "win32" || folder === undefined) return { kind: "none" };
  const path = join(folder, "client");
  const unfit = (why: string): Packaged => ({ kind: "unfit", name, folder, why });
  const found = manifestIn(folder);
  if (found?.name !== name) return unfit("its package.json cannot be read, or is another package's");
  if (found.version !== version)
    return unfit(`its version is ${found.version ?? "unknown"}, and Sluice's is ${version}`);
  try {
    if (!statSync(path).isFile()) return unfit(`${path} is not a file`);
    const bytes = readRegularFile(path);
    if (!isProgramFor(bytes, platform, arch)) return unfit(`its client is not a program for ${platform} on ${arch}`);
    if (!mayBeStarted(path)) return unfit(`${path} may not be executed`);
    return { kind: "fit", name, folder, version, path, bytes };
  } catch (error) {
    return unfit(`its client cannot be read (${errorText(error)})`);
  }
}

function manifestIn(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  try {
    const { name, version } = JSON.parse(readRegularFile(join(folder, "package.json")).toString());
    return { name, version };
  } catch {
    return undefined;
  }
}

function mayBeStarted(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether these bytes begin like a program for that system and processor. Checked before anything is started: a file that
 * the system does not know as a program may be run as a script.
 */
export function isProgramFor(bytes: Buffer, platform: string, arch: string): boolean {
  const format = FORMATS[platform];
  const machine = format?.machines[arch];
  if (format === undefined || machine === undefined || bytes.length < LONGEST_HEADER) return false;
  return bytes.subarray(0, 4).equals(format.begins) && format.machine(bytes) === machine;
}

interface Format {
  readonly begins: Buffer;
  readonly machine: (bytes: Buffer) => number;
  /** The processors that node knows, by the number that the format has for them. */
  readonly machines: Readonly<Record<string, number>>;
}

/** The package that a client was copied from. */
interface Origin {
  readonly name: string;
  readonly version: string;
}

/** Records, beside a client, which package it was copied from. */
export function recordOrigin(path: string, { name, version }: Origin): void {
  writeFileSync(fileBeside(path), `${fingerprint(path)} ${name} ${version}\n`, { mode: 0o600 });
}

/** A client and its origin, as text. */
export function describeClient(client: Client): string {
  if (client.kind !== "native") return `the ${client.kind} client`;
  const origin = originOf(client);
  return `the native client, ${origin === undefined ? "compiled here" : `taken from ${origin.name} ${origin.version}`}`;
}

/** The package that a client was copied from; undefined for one that was compiled here since. */
function originOf({ path }: Pick<Client, "path">): Origin | undefined {
  try {
    const [bytes, name, version] = readRegularText(fileBeside(path)).trim().split(" ");
    return bytes === fingerprint(path) && name && version ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

function fileBeside(path: string): string {
  return join(dirname(path), "origin");
}

function fingerprint(path: string): string {
  return sha256Bytes(readRegularFile(path));
}

const FORMATS: Readonly<Record<string, Format>> = {
  linux: {
    begins: Buffer.from("\x7fELF", "latin1"),
    // Its sixth byte is the byte order.
    machine: (bytes) => (bytes[5] === 2 ? bytes.readUInt16BE(18) : bytes.readUInt16LE(18)),
    machines: { x64: 62, arm64: 183, arm: 40, ia32: 3, ppc64: 21, s390x: 22, riscv64: 243, loong64: 258 },
  },
  darwin: {
    begins: Buffer.from([0xcf, 0xfa, 0xed, 0xfe]),
    machine: (bytes) => bytes.readUInt32LE(4),
    machines: { x64: 0x01000007, arm64: 0x0100000c },
  },
};

const LONGEST_HEADER = 64;
