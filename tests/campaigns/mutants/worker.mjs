// Runs the tests of one bundle under one change after the other, as the process that started it asks for.
const [bundle] = process.argv.slice(2);
const changes = {};
globalThis.__stryker__ = changes;
const atEnd = [];
let loads = 0;

/** The tests of the bundle, loaded anew; a change that acts while a module is loaded has to be active by then. */
async function load(active) {
  changes.activeMutant = active;
  globalThis.__collected__ = { tests: [], atEnd };
  await import(`${bundle}?${++loads}`);
  const { tests } = globalThis.__collected__;
  return tests;
}

/** The first of these tests that fails. */
async function firstFailing(tests, which) {
  for (const at of which) {
    try {
      await tests[at]();
    } catch (error) {
      return { at, message: String(error?.message ?? error) };
    }
  }
  return undefined;
}

/** Whether a test notices a change. What an earlier change has left in a cache neither hides it nor counts for it. */
async function isNoticed({ id, isStatic, which }) {
  if (!isStatic) {
    changes.activeMutant = id;
    const failing = await firstFailing(usual, which);
    changes.activeMutant = undefined;
    if (failing !== undefined && (await firstFailing(usual, [failing.at])) === undefined) return true;
  }
  let fresh;
  try {
    fresh = await load(isStatic ? id : undefined);
  } catch {
    return true;
  }
  changes.activeMutant = id;
  const failing = await firstFailing(fresh, which);
  changes.activeMutant = undefined;
  if (failing !== undefined && !isStatic) usual = await load(undefined);
  return failing !== undefined;
}

let usual = await load(undefined);
const failures = [];
for (const at of usual.keys()) {
  changes.currentTestId = at;
  const failing = await firstFailing(usual, [at]);
  if (failing !== undefined) failures.push(failing);
}
changes.currentTestId = undefined;
const { static: atLoad = {}, perTest = {} } = changes.mutantCoverage ?? {};
process.send({ count: usual.length, failures, atLoad: Object.keys(atLoad), perTest });

process.on("message", async (asked) => {
  if (asked === "end") {
    for (const end of atEnd) await end();
    process.exit(0);
  }
  process.send({ isNoticed: await isNoticed(asked), loads });
});
