import { createRequire } from "node:module";

type Crypto = typeof import("node:crypto");
type ChildProcess = typeof import("node:child_process");
type Zlib = typeof import("node:zlib");

/** `createHash` of node:crypto. Everything here takes Node milliseconds to load and few calls need it, so the first use loads it. */
export const createHash: Crypto["createHash"] = (...given) => crypto().createHash(...given);

/** `randomBytes` of node:crypto. */
export const randomBytes = (size: number): Buffer => crypto().randomBytes(size);

/** `execFileSync` of node:child_process. */
export const execFileSync = ((...given: Parameters<ChildProcess["execFileSync"]>) =>
  late<ChildProcess>("node:child_process").execFileSync(...given)) as ChildProcess["execFileSync"];

/** `gunzipSync` of node:zlib. */
export const gunzipSync: Zlib["gunzipSync"] = (...given) => late<Zlib>("node:zlib").gunzipSync(...given);

function crypto(): Crypto {
  return late("node:crypto");
}

function late<T>(name: string): T {
  require ??= createRequire("/");
  return require(name) as T;
}

let require: NodeJS.Require | undefined;
