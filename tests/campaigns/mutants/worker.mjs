// Runs the tests of one bundle under one change after the other, as the process that started it asks for.
// The tests run once without a change at first, unless how long they take is given.
import { accessSync, constants } from "node:fs";

// A change may remove anything that can be written.
for (const path of [process.argv[2], process.cwd(), "/"])
  if (isWritable(path)) {
    console.error(
      `${path} can be written here, so no change is tried: this campaign needs mount namespaces (\`unshare --user --mount\`).`,
    );
    process.exit(2);
  }

const [bundle, known] = process.argv.slice(2);
const took = JSON.parse(known ?? "[]");
const isFirst = took.length === 0;
const changes = {};
globalThis.__stryker__ = changes;
const atEnd = [];
let loads = 0;
const env = { ...process.env };
/** The file of tests whose environment this is. */
let current = { env };

function enter(file) {
  if (file === current) return;
  current.env = { ...process.env };
  current = file;
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(file.env, name)) delete process.env[name];
  Object.assign(process.env, file.env);
}

/** The tests of the bundle, loaded anew; a change that acts while a module is loaded has to be active by then. */
async function load(active) {
  changes.activeMutant = active;
  globalThis.__collected__ = { tests: [], atEnd, env, enter };
  await import(`${bundle}?${++loads}`);
  const { tests } = globalThis.__collected__;
  return tests;
}

/** What no code has caught fails the test that runs at the time, as in a usual run of tests. */
let uncaught;
for (const kind of ["uncaughtException", "unhandledRejection"]) process.on(kind, (error) => (uncaught = { error }));

/** A test that waits for what never comes fails as well. */
async function inTime(run, milliseconds) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("is late")), milliseconds);
  });
  try {
    await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}

const [PATIENCE_MS, MAX_TIMES] = [3000, 5];

/** The first of these tests that fails. */
async function firstFailing(tests, which) {
  for (const at of which) {
    uncaught = undefined;
    try {
      await inTime(tests[at](), PATIENCE_MS + MAX_TIMES * (took[at] ?? PATIENCE_MS));
      if (uncaught !== undefined) throw uncaught.error;
    } catch (error) {
      return { at, message: String(error?.message ?? error) };
    }
  }
  return undefined;
}

/** Which test notices a change; quick ones are asked first. What an earlier change has left in a cache neither hides it nor counts for it. */
async function noticing({ id, isStatic, quick, which }) {
  if (!isStatic) {
    changes.activeMutant = id;
    const failing = await firstFailing(usual, quick);
    changes.activeMutant = undefined;
    if (failing !== undefined && (await firstFailing(usual, [failing.at])) === undefined) return failing.at;
  }
  let fresh;
  try {
    fresh = await load(isStatic ? id : undefined);
  } catch {
    return -1;
  }
  changes.activeMutant = id;
  const failing = await firstFailing(fresh, which);
  changes.activeMutant = undefined;
  if (failing !== undefined && !isStatic) usual = await load(undefined);
  return failing?.at;
}

let usual = await load(undefined);
const [failures, leftOut, cost] = [[], [], []];
for (const at of isFirst ? usual.keys() : []) {
  changes.currentTestId = at;
  const [began, spent] = [performance.now(), process.cpuUsage()];
  const failing = await firstFailing(usual, [at]);
  took.push(performance.now() - began);
  const { user, system } = process.cpuUsage(spent);
  cost.push((user + system) / 1000);
  if (failing?.message === "NEEDS A PROCESS") leftOut.push(at);
  else if (failing !== undefined) failures.push({ ...failing, title: usual[at].title });
}
changes.currentTestId = undefined;
const { static: atLoad = {}, perTest = {} } = changes.mutantCoverage ?? {};
process.send({
  files: usual.map(({ file }) => file),
  took,
  cost,
  failures,
  leftOut,
  atLoad: Object.keys(atLoad),
  perTest,
});

process.on("message", async (asked) => {
  if (asked === "end") {
    for (const end of atEnd)
      await Promise.resolve()
        .then(end)
        .catch(() => undefined);
    process.exit(0);
  }
  process.send({ by: await noticing(asked), loads });
});
process.on("disconnect", () => process.exit(1));

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
