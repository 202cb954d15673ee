import { createRequire } from "node:module";
import { sha256 } from "./sha256.ts";

type Crypto = typeof import("node:crypto");
type ChildProcess = typeof import("node:child_process");
type Zlib = typeof import("node:zlib");

/** `createHash` of node:crypto. Everything here takes Node milliseconds to load and few calls need it, so the first use loads it. */
export const createHash: Crypto["createHash"] = (...given) => crypto().createHash(...given);

/** The SHA-256 digest of a text in hexadecimal; a short one needs no node:crypto where that is not loaded yet. */
export const sha256Text = (text: string): string =>
  text.length > SHORT || loadedCrypto !== undefined ? createHash("sha256").update(text).digest("hex") : sha256(text);

/** The SHA-256 digest of bytes in hexadecimal, at once where this Node can. */
export const sha256Bytes = (content: Buffer): string => {
  const { hash, createHash: begin } = crypto();
  // Node has `hash` since 20.12.
  return (
    (hash as Crypto["hash"] | undefined)?.("sha256", content, "hex") ?? begin("sha256").update(content).digest("hex")
  );
};

/** `execFileSync` of node:child_process. */
export const execFileSync = ((...given: Parameters<ChildProcess["execFileSync"]>) =>
  late<ChildProcess>("node:child_process").execFileSync(...given)) as ChildProcess["execFileSync"];

/** `gunzipSync` of node:zlib. */
export const gunzipSync: Zlib["gunzipSync"] = (...given) => late<Zlib>("node:zlib").gunzipSync(...given);

function crypto(): Crypto {
  loadedCrypto ??= late<Crypto>("node:crypto");
  return loadedCrypto;
}

/** Node has `getBuiltinModule` since 20.16; what replaces it loads one more part of Node. */
function late<T>(name: string): T {
  const { getBuiltinModule } = process as Partial<Pick<NodeJS.Process, "getBuiltinModule">>;
  if (getBuiltinModule !== undefined) return getBuiltinModule(name) as T;
  require ??= createRequire("/");
  return require(name) as T;
}

let require: NodeJS.Require | undefined;
let loadedCrypto: Crypto | undefined;
const SHORT = 8192;
