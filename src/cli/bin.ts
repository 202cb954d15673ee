import { COMPILE, compileBundle, compileLater } from "../launcher/compile-bundle.ts";
import { guardExit } from "../launcher/guard-exit.ts";
import {
  type Build,
  type Bundle,
  type BundlePart,
  type LoadedBundle,
  loadBundle,
  type PartEntry,
} from "../launcher/load-bundle.ts";

/** Written in by the build. */
declare const SLUICE_BUILD: string;

/** The commands that have their own part. */
const PARTS: Readonly<Record<string, BundlePart>> = { run: "call", serve: "daemon" };
const STAYING = ["serve", "mcp"];

const build: Build = { launcher: __filename, dist: __dirname, id: SLUICE_BUILD };
const [verb = "", word = ""] = process.argv.slice(2);
// Everything that reads a call or a setting looks for the user's folder under this name, which Windows does not set.
if (process.platform === "win32" && process.env.USERPROFILE) process.env.HOME ||= process.env.USERPROFILE;

if (verb === COMPILE) void compileBundle(word as BundlePart, build, evaluated);
else {
  // Whatever breaks while an agent waits for its answer, the call is blocked.
  const answered = verb === "run" ? guardExit() : () => {};
  // Node takes its memory apart piece by piece at its end; a process that has nothing left to do leaves it to the system.
  process.on("beforeExit", () => process.listenerCount("beforeExit") > 1 || process.exit());
  startPart(PARTS[verb] ?? "command", answered);
}

function startPart(part: BundlePart, answered: (exitCode: number) => void): void {
  const loaded = loadBundle(part, build);
  if (loaded.cache !== "accepted") compileLater(part, build, STAYING.includes(verb));
  void evaluated(loaded, part).then(({ start }) => start(answered, build));
}

/** Runs a bundle as Node runs a CommonJS module, and loads one of its parts. */
async function evaluated({ run }: LoadedBundle, part: BundlePart): Promise<PartEntry> {
  const module = { exports: {} };
  run(module.exports, requireOnce(), module, (name) => import(name));
  const load = (module.exports as Bundle).parts[part];
  if (load === undefined) throw new Error(`The bundle does not contain the part "${part}".`);
  return load();
}

/** Every file of a bundle requires the parts of Node that it uses, and Node looks each of them up anew. */
function requireOnce(): (name: string) => unknown {
  const known = new Map<string, unknown>();
  return (name) => {
    if (!known.has(name)) known.set(name, require(name));
    return known.get(name);
  };
}
