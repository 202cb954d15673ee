// Stands in for Vitest where tests run some thousand times in one process: it collects them, and the campaign runs them.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import { fn, restoreAllMocks, spyOn } from "@vitest/spy";

/** Where the tests go; every suite has hooks that run before its tests. */
const collected = globalThis.__collected__;
const suiteIn = (parent) => ({ first: [], before: [], after: [], parent });
let suite = suiteIn(undefined);
let finishing;

/** A file has hooks and an environment of its own, as if it ran in a process of its own. */
let file;
collected.beginFile = (path) => {
  file = { path, env: collected.env };
  collected.enter(file);
  suite = suiteIn(undefined);
};

const actOf = (rest) => rest.find((one) => typeof one === "function");
const forRows =
  (each) =>
  (rows) =>
  (name, ...rest) => {
    const act = actOf(rest);
    // A row is a list of arguments only where all rows are lists.
    const isTable = rows.every((row) => Array.isArray(row));
    for (const row of rows) each(`${name} ${JSON.stringify(row)}`, () => act(...(isTable ? row : [row])));
  };
const unless = (usual) => (isLeftOut) => (isLeftOut ? () => undefined : usual);

export function describe(_name, ...rest) {
  suite = suiteIn(suite);
  actOf(rest)();
  suite = suite.parent;
}

export function test(name, ...rest) {
  add(name, actOf(rest));
}
for (const usual of [describe, test])
  Object.assign(usual, {
    each: forRows(usual),
    skipIf: unless(usual),
    runIf: (isWanted) => unless(usual)(!isWanted),
  });
export const it = test;

function add(name, act) {
  const [own, ownFile] = [suite, file];
  const run = async () => {
    collected.enter(ownFile);
    const suites = [];
    for (let one = own; one !== undefined; one = one.parent) suites.unshift(one);
    finishing = [];
    try {
      for (const one of suites) for (const hook of one.first.splice(0)) await hook();
      for (const hook of suites.flatMap((one) => one.before)) await hook();
      await act({});
    } finally {
      for (const end of [...suites.toReversed().flatMap((one) => one.after), ...finishing.toReversed()]) await end();
      finishing = undefined;
    }
  };
  collected.tests.push(Object.assign(run, { title: name, file: file.path }));
}

/** What the run of tests has built; a test that asks for it starts a process, which knows nothing of changes, and is left out. */
export function inject() {
  throw new Error("NEEDS A PROCESS");
}

export const beforeAll = (hook) => suite.first.push(hook);
export const beforeEach = (hook) => suite.before.push(hook);
export const afterEach = (hook) => suite.after.push(hook);
export const afterAll = (hook) => collected.atEnd.push(hook);
export function onTestFinished(end) {
  if (finishing === undefined) throw new Error("no test runs");
  finishing.push(end);
}

/** Values of the environment as they were before a test changed them. */
const stubbed = new Map();
const RealDate = Date;
export const vi = {
  fn,
  spyOn,
  restoreAllMocks,
  /** Tries again until it passes, as often as Vitest does at most. */
  waitFor: async (act) => {
    for (let left = 20; ; left--)
      try {
        return await act();
      } catch (error) {
        if (left === 0) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
  },
  /** Only the date, which goes on from there. */
  useFakeTimers: ({ now }) => {
    const ahead = now - RealDate.now();
    globalThis.Date = class extends RealDate {
      static now() {
        return RealDate.now() + ahead;
      }
      constructor(...given) {
        super(...(given.length > 0 ? given : [RealDate.now() + ahead]));
      }
    };
  },
  useRealTimers: () => {
    globalThis.Date = RealDate;
  },
  stubEnv: (name, value) => {
    if (!stubbed.has(name)) stubbed.set(name, process.env[name]);
    setEnv(name, value);
  },
  unstubAllEnvs: () => {
    for (const [name, value] of stubbed) setEnv(name, value);
    stubbed.clear();
  },
};

function setEnv(name, value) {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
export const expect = (value, message) => chai.expect(value, message);
Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect);
