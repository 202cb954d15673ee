// Changes the code that decides, one place at a time, and counts the changes that no test notices:
// `npm run campaign mutants [slice…] [--least=85] [--list] [--again=output] [--most=n] [--seed=n]`. What can be changed is found by the instrumenter of
// Stryker, which it brings from npm; the tests run in one process, those alone that reach the changed place. A slice is a few
// files with the tests beside them; all of them take about half an hour on one idle core, because large rooms are sampled.
// Every change counts, also in code that no test runs. Changes that survive because they make no difference stand with their
// reason in mutants/survivors.mjs. Changed code may remove or overwrite anything, so it runs in a mount namespace of Linux where
// only a temporary folder can be written. Ends with 1 below the least score, or where more survivors are unexplained than are
// known; `--list` prints those as rows for that file, and `--again` tries only what such a run has printed into a file.
import { execFileSync, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { SLICES } from "./mutants/slices.mjs";
import { SURVIVORS } from "./mutants/survivors.mjs";

const [INSTRUMENTER, VERSION] = ["@stryker-mutator/instrumenter", "9.6.1"];
/** What guards show as examples is no code. */
const EXAMPLES = {
  shouldIgnore: ({ node }) => (["stops", "passes"].includes(node.key?.name) ? "an example" : undefined),
};
/** A change that makes a loop endless is noticed as well: milliseconds, and how many times what the tests take without a change. */
const [LEAST_PATIENCE, MAX_TIMES] = [15_000, 5];
/** Milliseconds of the processor that tests may take for one change, besides those beside its file: slower ones are not asked, and what they alone notice survives. */
const [MAX_QUICK, MAX_TESTED] = [500, 2000];
/** Modules that are loaded anew stay in memory. */
const MAX_LOADS = 60;

/** What a file of tests says before anything else: its hooks are not those of the file before it. */
const begins = (path) => `globalThis.__collected__.beginFile(${JSON.stringify(path)});`;

/** The instrumenter tells how far it is, to a log that is not read. */
const QUIET = new Proxy({}, { get: () => () => false });

const words = process.argv.slice(2);
const option = (name, usual) => Number(words.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? usual);
const least = option("least", 85);
/** Chooses the changes that are tried, where a file has more than its slice tries; another one tells what the tests do about changes for which none was written. */
const SEED = option("seed", 22);
const COUNTED = Object.keys(SLICES).filter((name) => SLICES[name].unexplained !== undefined);
const isListed = words.includes("--list");
const again = words.find((word) => word.startsWith("--again="))?.split("=")[1];
/** What a former run has listed, as the rows it wrote; undefined where everything is tried. */
const listedBefore =
  again === undefined ? undefined : new Set(readFileSync(again, "utf8").match(/\[".*"\](?=, \/\/)/g));
const named = words.filter((word) => Object.hasOwn(SLICES, word));
mkdirSync("node_modules/.cache", { recursive: true });
const folder = resolve(mkdtempSync("node_modules/.cache/sluice-mutants-"));
/** The one place that changed code can write. */
const temporary = mkdtempSync(join(tmpdir(), "sluice-mutants-"));
/** Root needs no namespace of users, in which files cannot be given to others. */
const NAMESPACES = process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"];
/** Runs what follows its first word with every mount read-only except for that folder, and for shared memory that is empty and its own. */
const READ_ONLY = `mount --bind "$1" "$1"
mount -t tmpfs tmpfs /dev/shm
while read -r _ at _; do
  case "$at" in "$1" | /dev/shm | /proc* | /dev/pts | /dev/mqueue) ;; *) mount -o remount,bind,ro "$at" 2>/dev/null || : ;; esac
done </proc/self/mounts
shift
exec "$@"`;

try {
  const { Instrumenter } = await import(instrumenterIn(resolve("node_modules/.cache/sluice-instrumenter")));
  const all = [];
  let isWorse = false;
  for (const name of named.length > 0 ? named : COUNTED) {
    const own = await judged(name, new Instrumenter(QUIET));
    all.push(...own);
    isWorse ||= own.filter(isUnexplained).length > (SLICES[name].unexplained ?? Number.POSITIVE_INFINITY);
  }
  for (const room of new Set(all.map(roomOf)))
    console.log(`${percent(all.filter((one) => roomOf(one) === room))}  in ${room}`);
  const [survivors, unexplained] = [all.filter(survives), all.filter(isUnexplained)];
  console.log(`${percent(all)}  of all; ${all.filter(({ status }) => status === "does not end").length} do not end`);
  console.log(`${survivors.length} survivors, unexplained survivors: ${unexplained.length}`);
  process.exitCode = score(all) < least || isWorse ? 1 : 0;
} finally {
  for (const made of [folder, temporary]) rmSync(made, { recursive: true, force: true });
}

/** The module of the instrumenter, which is fetched once. */
function instrumenterIn(cache) {
  const module = join(cache, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js");
  const file = join(cache, "package.json");
  const wanted = JSON.stringify({ dependencies: { [INSTRUMENTER]: VERSION } });
  if (existsSync(module) && readFileSync(file, "utf8") === wanted) return module;
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, wanted);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], { cwd: cache, stdio: "ignore" });
  return module;
}

/** Every change of a slice, and what became of it. */
async function judged(name, instrumenter) {
  const { files, tests, ...slice } = SLICES[name];
  const most = option("most", slice.most ?? Number.POSITIVE_INFINITY);
  const found = files.flatMap((pattern) => matching(pattern)).filter((file) => !file.endsWith(".test.ts"));
  const sources = new Map(found.map((file) => [resolve(file), readFileSync(file, "utf8")]));
  const given = [...sources].map(([path, content]) => ({ name: path, content, mutate: true }));
  const options = { plugins: null, excludedMutations: [], ignorers: [EXAMPLES] };
  const { files: changed, mutants: all } = await instrumenter.instrument(given, options);
  const mutants = all.filter(({ status }) => status !== "Ignored");
  const bundle = await bundled(
    name,
    tests.flatMap((pattern) => matching(pattern)),
    changed,
  );
  let runner = await started(bundle);
  const { files: testFiles, failures, leftOut, took, cost, atLoad, perTest } = runner.told;
  for (const { title, message } of failures)
    console.log(`fails here without a change, and is left out: ${title}: ${oneLine(message)}`);
  console.log(`${name}: ${took.length - failures.length - leftOut.length} tests in ${Math.round(sum(took))} ms`);
  // The quickest first: most changes are noticed by many tests.
  const unfit = new Set([...leftOut, ...failures.map(({ at }) => at)]);
  const run = [...took.keys()].filter((at) => !unfit.has(at));
  if (run.length === 0) throw new Error(`no test of ${name} can be run`);
  const everything = run.toSorted((one, other) => cost[one] - cost[other]);
  const noticing = new Map();
  const outcomes = [];
  /** The tests that run code of a file, by the file. */
  const runningIn = new Map(
    [...sources.keys()].map((path) => {
      const ids = mutants.filter(({ fileName }) => resolve(fileName) === path).map(({ id }) => id);
      return [path, everything.filter((at) => ids.some((id) => perTest[at]?.[id] !== undefined))];
    }),
  );
  const tellLast = () => {
    const file = outcomes.at(-1)?.file;
    if (file !== undefined) console.log(`${percent(outcomes.filter((one) => one.file === file))}  ${file}`);
  };
  const record = (outcome) => {
    if (outcome.file !== outcomes.at(-1)?.file) tellLast();
    outcomes.push(outcome);
    if (isListed && isUnexplained(outcome)) console.log(asRow(outcome));
  };
  for (const { id, fileName, location, replacement } of listedBefore === undefined ? sampled(mutants, most) : mutants) {
    const isStatic = atLoad.includes(id);
    const own = everything.filter((at) => perTest[at]?.[id] !== undefined);
    // What is made at first use is run by one test alone, and then by all that come after it.
    const isForAll = isStatic || own.length === 1;
    const reached = isForAll ? everything : own;
    const beside = reached.filter((at) => testFiles[at] === resolve(fileName).replace(/\.ts$/, ".test.ts"));
    // Such a change may show in any test: those that run code of the same file come first.
    const near = isForAll ? (runningIn.get(resolve(fileName)) ?? []) : [];
    const which = [...new Set([...beside, ...[near, reached].flatMap((tests) => within(MAX_TESTED, tests, cost))])];
    const source = sources.get(resolve(fileName)) ?? "";
    const outcome = {
      file: found.find((file) => resolve(file) === resolve(fileName)),
      line: location.start.line + 1,
      before: oneLine(textAt(source, location)),
      after: oneLine(replacement),
      on: source.split("\n")[location.start.line] ?? "",
    };
    if (listedBefore?.has(rowOf(outcome)) === false) continue;
    if (which.length === 0) {
      record({ ...outcome, status: "is not reached" });
      continue;
    }
    // A test that has noticed a change of this file is likely to notice the next one.
    const first = [...(noticing.get(fileName) ?? [])].toReversed().filter((at) => which.includes(at));
    const told = await runner.ask({
      id,
      isStatic,
      quick: [...new Set([...first, ...within(MAX_QUICK, which, cost)])],
      which: [...new Set([...first, ...which])],
    });
    if (told?.by !== undefined)
      noticing.set(fileName, new Set([...(noticing.get(fileName) ?? []), told.by].slice(-20)));
    const status = told === undefined ? "does not end" : told.by !== undefined ? "is noticed" : "survives";
    record({ ...outcome, status });
    if (told === undefined || told.loads > MAX_LOADS) {
      await runner.end();
      runner = await started(bundle, took);
    }
  }
  tellLast();
  await runner.end();
  return outcomes;
}

/** The tests of a slice with the changed files in place of their own, as one module. */
async function bundled(name, tests, changed) {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: tests.map((file) => `import "./${file}";`).join("\n"), resolveDir: process.cwd() },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // The package says that its modules have no effects; tests are nothing else.
    ignoreAnnotations: true,
    logLevel: "error",
    alias: { vitest: fileURLToPath(new URL("mutants/vitest.mjs", import.meta.url)) },
    plugins: [
      {
        name: "changed",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const file = changed.find((one) => resolve(one.name) === path);
            if (file !== undefined) return { contents: file.content, loader: "ts" };
            const text = path.startsWith(resolve("tests")) ? asIfThere(path) : readFileSync(path, "utf8");
            return { contents: path.endsWith(".test.ts") ? begins(path) + text : text, loader: "ts" };
          }),
      },
    ],
  });
  return outfile;
}

/** A process that has run the tests once without a change; not once more where it is known how long they take. */
async function started(bundle, took = []) {
  const child = fork(fileURLToPath(new URL("mutants/worker.mjs", import.meta.url)), [bundle, JSON.stringify(took)], {
    execPath: "unshare",
    execArgv: [...NAMESPACES, "sh", "-ec", READ_ONLY, "sh", temporary, process.execPath],
    env: {
      ...process.env,
      TMPDIR: temporary,
      HOME: join(temporary, "home"),
      XDG_STATE_HOME: "",
      XDG_CONFIG_HOME: "",
      CASES: "10",
    },
  });
  child.on("error", () => console.error(`\`unshare\` cannot be started: this campaign needs Linux.`));
  const exited = once(child, "exit").then(() => undefined);
  const [told] = await Promise.race([once(child, "message"), exited.then(() => [])]);
  if (told === undefined)
    throw new Error("the tests could not be started where only a temporary folder can be written");
  return {
    told,
    /** What it says about a change; nothing where it does not come to an end, or ends itself. */
    ask: async (change) => {
      child.send(change);
      const usual = sum(change.which.map((at) => told.took[at]));
      const signal = AbortSignal.timeout(Math.ceil(LEAST_PATIENCE + MAX_TIMES * usual));
      const answer = once(child, "message", { signal }).then(
        ([said]) => said,
        () => undefined,
      );
      return await Promise.race([answer, exited]);
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.send("end");
      const end = setTimeout(() => child.kill("SIGKILL"), 2000);
      await once(child, "exit");
      clearTimeout(end);
    },
  };
}

/** A file of tests that finds what lies beside it from inside a bundle, too. */
function asIfThere(path) {
  const here = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href };
  return readFileSync(path, "utf8").replaceAll(/import\.meta\.(dirname|filename|url)/g, (_, word) =>
    JSON.stringify(here[word]),
  );
}

/** At most so many changes of each file: always the same ones, as long as what they change stays as it is. */
function sampled(mutants, most) {
  const rank = ({ fileName, replacement, location: { start, end } }) =>
    createHash("sha256")
      .update([basename(fileName), replacement, start.column, end.column, SEED].join())
      .digest("hex");
  return [...new Set(mutants.map(({ fileName }) => fileName))].flatMap((file) => {
    const all = mutants.filter(({ fileName }) => fileName === file);
    if (all.length <= most) return all;
    const chosen = new Set(all.toSorted((one, other) => rank(one).localeCompare(rank(other))).slice(0, most));
    return all.filter((one) => chosen.has(one));
  });
}

/** The first of these tests that together take no longer, and at least one. */
function within(most, tests, cost) {
  let all = 0;
  return tests.filter((at, place) => {
    all += cost[at];
    return place === 0 || all <= most;
  });
}

function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0);
}

function matching(pattern) {
  if (!pattern.includes("*")) return [pattern];
  const [before, after] = pattern.split("*");
  return readdirSync(before)
    .filter((name) => name.endsWith(after))
    .map((name) => `${before}${name}`);
}

/** As it would stand in the file of survivors. */
function asRow(outcome) {
  return `    ${rowOf(outcome)}, // ${outcome.line} ${outcome.status}`;
}

function rowOf({ file, before, after }) {
  return `[${[file, before, after].map((text) => JSON.stringify(text)).join(", ")}]`;
}

function roomOf({ file }) {
  return dirname(file).replace(/^src\//, "");
}

function survives({ status }) {
  return status === "survives" || status === "is not reached";
}

function isUnexplained(mutant) {
  const { file, before, after, on } = mutant;
  const isIt = ([where, from, to, line = ""]) => where === file && from === before && to === after && on.includes(line);
  return survives(mutant) && !SURVIVORS.some(({ survivors }) => survivors.some(isIt));
}

function score(mutants) {
  return 100 - (100 * mutants.filter(survives).length) / Math.max(1, mutants.length);
}

function percent(mutants) {
  return `${score(mutants).toFixed(1).padStart(5)} % of ${String(mutants.length).padStart(4)}`;
}

/** Where a change stands in its file; its lines and columns begin at 0. */
function textAt(source, { start, end }) {
  const lines = source.split("\n").slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column);
  lines[0] = lines[0].slice(start.column);
  return lines.join("\n");
}

function oneLine(text) {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 160);
}
