// Stands in for Vitest where tests run some thousand times in one process: it collects them, and whoever asks runs them.
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

/** Where the tests go; every suite has hooks that run before its tests. */
const collected = globalThis.__collected__;
let suite = { before: [], parent: undefined };
let finishing;

export function describe(_name, ...rest) {
  suite = { before: [], parent: suite };
  rest.at(-1)();
  suite = suite.parent;
}

export function test(_name, ...rest) {
  add(rest.find((one) => typeof one === "function"));
}
test.each =
  (rows) =>
  (_name, ...rest) => {
    const act = rest.find((one) => typeof one === "function");
    for (const row of rows) add(() => act(...(Array.isArray(row) ? row : [row])));
  };
export const it = test;

function add(act) {
  const own = suite;
  collected.tests.push(async () => {
    const hooks = [];
    for (let one = own; one !== undefined; one = one.parent) hooks.unshift(...one.before);
    finishing = [];
    try {
      for (const hook of hooks) await hook();
      await act({});
    } finally {
      for (const end of finishing) await end();
      finishing = undefined;
    }
  });
}

export const beforeEach = (hook) => suite.before.push(hook);
export const afterAll = (hook) => collected.atEnd.push(hook);
export function onTestFinished(end) {
  if (finishing === undefined) throw new Error("no test runs");
  finishing.push(end);
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
