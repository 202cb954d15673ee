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

/**
 * Which test notices a change. What an earlier change has left in a cache neither hides it nor counts for it; of a sample
 * a cache may hide some, which then count as survivors.
 */
async function noticing({ id, isStatic, isSampled, which }) {
  if (!isStatic) {
    changes.activeMutant = id;
    const failing = await firstFailing(usual, which);
    changes.activeMutant = undefined;
    if (failing === undefined && isSampled) return undefined;
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
const [failures, leftOut] = [[], []];
const took = [];
for (const at of usual.keys()) {
  changes.currentTestId = at;
  const began = performance.now();
  const failing = await firstFailing(usual, [at]);
  took.push(performance.now() - began);
  if (failing?.message === "NEEDS A PROCESS") leftOut.push(at);
  else if (failing !== undefined) failures.push(failing);
}
changes.currentTestId = undefined;
const { static: atLoad = {}, perTest = {} } = changes.mutantCoverage ?? {};
process.send({ took, failures, leftOut, atLoad: Object.keys(atLoad), perTest });

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
