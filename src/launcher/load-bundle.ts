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
  /** Names the contents of all bundles. */
  readonly id: string;
}

/** What every bundle exports. */
export interface BundleEntry {
  /** Runs the command line of this process; `answered` is told the exit code of an answer once that has been written. */
  start(answered: (exitCode: number) => void, build: Build): void;
  /** Does what the bundle is mostly used for, so that V8 compiles it. */
  warmUp(): Promise<unknown>;
}

/** A bundle of the built command, compiled. */
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

/** Compiles a bundle with the code that V8 has compiled of it before, where there is some. */
export function loadBundle(name: string, build: Build): LoadedBundle {
  const text = readBundle(name, build);
  return compiledFrom(text, storedCode(name, build, text.memory));
}

/** What V8 says to the compiled code of a bundle; where there is none, nothing is compiled to find out. */
export function codeCacheState(name: string, build: Build): LoadedBundle["cache"] {
  const cachedData = storedCode(name, build);
  return cachedData === undefined ? "absent" : compiledFrom(readBundle(name, build), cachedData).cache;
}

function storedCode(name: string, build: Build, memory?: Buffer): Buffer | undefined {
  const installed = readCodeCache(installedCodeCachePath(build.dist, name, build.id), ownerOf(build.launcher), memory);
  if (installed !== undefined) return installed;
  const own = codeCachePath(name, build.id);
  return own === undefined ? undefined : readCodeCache(own, undefined, memory);
}

/** Compiles a bundle from its text alone: everything works without compiled code, only slower. */
export function bundleFrom(name: string, build: Build): LoadedBundle {
  return compiledFrom(readBundle(name, build));
}

interface BundleText {
  readonly filename: string;
  readonly source: string;
  /** What the text was read into: memory that the system has given already can be filled again faster than new memory. */
  readonly memory: Buffer;
}

function readBundle(name: string, { dist }: Build): BundleText {
  const filename = join(dist, `${name}.cjs`);
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
