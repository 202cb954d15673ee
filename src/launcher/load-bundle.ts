import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { codeCachePath, installedCodeCachePath, ownerOf, readCodeCache } from "./code-cache.ts";

/** One build of the command. */
export interface Build {
  /** The file that is started. */
  readonly launcher: string;
  /** The folder with the bundles. */
  readonly dist: string;
  /** Identifies the content of all bundles. */
  readonly id: string;
}

/** The parts of the command, each with the bundle that contains it. V8's compiled code is kept per part. */
const BUNDLE_OF = { call: "call.cjs", daemon: "command.cjs", command: "command.cjs" } as const;

/** The name of a part. */
export type BundlePart = keyof typeof BUNDLE_OF;

/** What every bundle exports. */
export interface Bundle {
  readonly parts: Readonly<Partial<Record<BundlePart, () => Promise<PartEntry>>>>;
}

/** What every part exports. */
export interface PartEntry {
  /** Runs the command line of this process; `answered` is called with the exit code of an answer once that has been written. */
  start(answered: (exitCode: number) => void, build: Build): void;
  /** Does what the part is mostly used for, so that V8 compiles it. */
  warmUp(): Promise<unknown>;
}

/** A bundle of the command, compiled. */
export interface LoadedBundle {
  /** Runs it as Node runs a CommonJS module. */
  readonly run: (
    exports: object,
    require: (name: string) => unknown,
    module: object,
    importPackage: ImportPackage,
  ) => void;
  /** What V8 has compiled of it so far, to be read back by the next process. */
  readonly compiled: () => Buffer;
  readonly cache: "accepted" | "rejected" | "absent";
}

type ImportPackage = (name: string) => Promise<unknown>;

/** Compiles the bundle of a part, with the code that V8 compiled of this part before if it is stored. */
export function loadBundle(part: BundlePart, build: Build): LoadedBundle {
  const text = readBundle(part, build);
  return compiledFrom(text, storedCode(part, build, text.memory));
}

/** Whether V8 accepts the compiled code of a part. If none is stored, nothing is compiled. */
export function codeCacheState(part: BundlePart, build: Build): LoadedBundle["cache"] {
  const cachedData = storedCode(part, build);
  return cachedData === undefined ? "absent" : compiledFrom(readBundle(part, build), cachedData).cache;
}

function storedCode(part: BundlePart, build: Build, memory?: Buffer): Buffer | undefined {
  const installed = readCodeCache(installedCodeCachePath(build.dist, part, build.id), ownerOf(build.launcher), memory);
  if (installed !== undefined) return installed;
  const own = codeCachePath(part, build.id);
  return own === undefined ? undefined : readCodeCache(own, undefined, memory);
}

/** Compiles the bundle of a part from its text alone. Everything works without compiled code, only slower. */
export function bundleFrom(part: BundlePart, build: Build): LoadedBundle {
  return compiledFrom(readBundle(part, build));
}

interface BundleText {
  readonly filename: string;
  readonly source: string;
  /** What the text was read into: memory that the system has given already can be filled again faster than new memory. */
  readonly memory: Buffer;
}

function readBundle(part: BundlePart, { dist }: Build): BundleText {
  const filename = join(dist, BUNDLE_OF[part]);
  const memory = readFileSync(filename);
  // The bundler writes plain ASCII, which need not be decoded, as one function.
  return { filename, source: memory.toString("latin1"), memory };
}

function compiledFrom({ filename, source }: BundleText, cachedData?: Buffer): LoadedBundle {
  const script = new Script(source, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
  return {
    run: script.runInThisContext() as LoadedBundle["run"],
    compiled: () => script.createCachedData(),
    cache: cachedData === undefined ? "absent" : script.cachedDataRejected ? "rejected" : "accepted",
  };
}
