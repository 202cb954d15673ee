import { createRequire } from "node:module";
import { sha256 } from "./sha256.ts";

type Crypto = typeof import("node:crypto");
type ChildProcess = typeof import("node:child_process");
type Zlib = typeof import("node:zlib");

/** `createHash` of node:crypto. The modules here take milliseconds to load and few calls need them, so the first use loads them. */
export const createHash: Crypto["createHash"] = (...given) => crypto().createHash(...given);

/** The SHA-256 digest of a text in hexadecimal. A short text does not load node:crypto. */
export const sha256Text = (text: string): string =>
  text.length > MAX_SHORT || loadedCrypto !== undefined ? sha256Bytes(text) : sha256(text);

/** The SHA-256 digest of bytes, or of a text of any length, in hexadecimal. */
export const sha256Bytes = (content: Uint8Array | string): string => {
  const { hash, createHash: begin } = crypto();
  // `hash` exists since Node 20.12.
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

/** `getBuiltinModule` exists since Node 20.16. */
function late<T>(name: string): T {
  const { getBuiltinModule } = process as Partial<Pick<NodeJS.Process, "getBuiltinModule">>;
  if (getBuiltinModule !== undefined) return getBuiltinModule(name) as T;
  require ??= createRequire("/");
  return require(name) as T;
}

let require: NodeJS.Require | undefined;
let loadedCrypto: Crypto | undefined;
const MAX_SHORT = 8192;
