import { COMPILE, compileBundle, compileLater } from "../launcher/compile-bundle.ts";
import { guardExit } from "../launcher/guard-exit.ts";
import { type Build, type BundleEntry, type LoadedBundle, loadBundle } from "../launcher/load-bundle.ts";

/** Written in by the build. */
declare const SLUICE_BUILD: string;

/** The commands that have a bundle of their own. */
const BUNDLES: Readonly<Record<string, string>> = { run: "call", serve: "daemon" };
const STAYING = ["serve", "mcp"];

const build: Build = { launcher: __filename, dist: __dirname, id: SLUICE_BUILD };
const [verb = "", word = ""] = process.argv.slice(2);

if (verb === COMPILE) void compileBundle(word, build, evaluated);
else {
  // Whatever breaks while an agent waits for its answer, the call is blocked.
  const answered = verb === "run" ? guardExit() : () => {};
  const bundle = BUNDLES[verb] ?? "command";
  const loaded = loadBundle(bundle, build);
  if (loaded.cache !== "accepted") compileLater(bundle, build, STAYING.includes(verb));
  // Node takes its memory apart piece by piece at its end; a process that has nothing left to do leaves it to the system.
  process.on("beforeExit", () => process.listenerCount("beforeExit") > 1 || process.exit());
  evaluated(loaded).start(answered, build);
}

/** Runs a bundle as Node runs a CommonJS module. */
function evaluated({ run }: LoadedBundle): BundleEntry {
  const module = { exports: {} };
  run(module.exports, requireOnce(), module, (name) => import(name));
  return module.exports as BundleEntry;
}

/** Every file of a bundle requires the parts of Node that it uses, and Node looks each of them up anew. */
function requireOnce(): (name: string) => unknown {
  const known = new Map<string, unknown>();
  return (name) => {
    if (!known.has(name)) known.set(name, require(name));
    return known.get(name);
  };
}
