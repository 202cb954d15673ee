// What a vector expects, compared with what happened.
import { isDeepStrictEqual } from "node:util";

/** Every expectation that does not hold, as a sentence. */
export function failuresOf({ whyInvalidContext }, { expect }, ran) {
  const { recorded, records, invocations } = ran;
  const points = recorded.map(({ interception_point }) => interception_point);
  return [
    ...recorded.flatMap((context) => {
      const why = whyInvalidContext(context);
      return why === undefined ? [] : [`the context of ${context.interception_point} is not valid: ${why}`];
    }),
    ...recorded.flatMap(({ sequence }, at) =>
      at > 0 && sequence <= recorded[at - 1].sequence ? [`sequence ${sequence} does not follow`] : [],
    ),
    ...interceptionFailures(expect, recorded, points),
    ...(expect.interceptions_absent ?? [])
      .filter((point) => points.includes(point))
      .map((point) => `${point} was emitted and should not have been`),
    ...recordFailures(expect.records ?? [], records),
    ...differs("tool_invocations", expect, invocations),
    ...(expect.tool_not_invoked ?? [])
      .filter((tool) => invocations.some(({ name }) => name === tool))
      .map((tool) => `${tool} was invoked and should not have been`),
    ...differs("final_output", expect, ran.output),
    ...outcomeFailures(expect, ran),
    ...identityFailures(expect, records),
  ];
}

function outcomeFailures({ run_outcome, run_outcome_by_posture: by }, { outcome, posture, error }) {
  const wanted = by === undefined ? run_outcome : by.outcomes[posture];
  if (by !== undefined && by.outcomes.continue !== run_outcome)
    return [
      `the vector contradicts itself: run_outcome is ${run_outcome}, for the default posture ${by.outcomes.continue}`,
    ];
  const why = error instanceof Error ? ` (${error.message})` : "";
  return outcome === wanted ? [] : [`the run ended as ${outcome}${why}, expected ${wanted}`];
}

function differs(name, expect, got) {
  if (!Object.hasOwn(expect, name) || isDeepStrictEqual(got ?? null, expect[name])) return [];
  return [`${name} is ${JSON.stringify(got)}, expected ${JSON.stringify(expect[name])}`];
}

function identityFailures({ identities_equal: wanted }, records) {
  if (wanted === undefined) return [];
  const isEqual = records.every(({ input_identity, enforced_identity }) => input_identity === enforced_identity);
  return isEqual === wanted ? [] : [`the identities before and after are ${isEqual ? "equal" : "different"}`];
}

/** In order. With `sequence_strict` the list is the whole list; otherwise others may be between. */
function interceptionFailures({ interceptions, sequence_strict = true }, recorded, points) {
  if (sequence_strict) {
    const wanted = interceptions.map(({ interception_point }) => interception_point);
    // Nothing can be recorded where no interceptor runs.
    if (!isDeepStrictEqual(points, wanted)) return [`the points were ${list(points)}, expected ${list(wanted)}`];
    return interceptions.flatMap((wish, at) => contextFailures(wish, recorded[at]));
  }
  return inOrder(interceptions, recorded, contextFailures);
}

function recordFailures(wishes, records) {
  return inOrder(wishes, records, ({ interception_point, assert = {}, absent = [], present = [] }, record) => [
    ...pathFailures(assert, record, `the record of ${interception_point}`),
    ...absent.filter((path) => valueAtPath(record, path).isThere).map((path) => `the record has ${path}`),
    ...present.filter((path) => !valueAtPath(record, path).isThere).map((path) => `the record lacks ${path}`),
  ]);
}

/** Finds each wish after the one before it; reports what the best candidate lacks. */
function inOrder(wishes, items, check) {
  let from = 0;
  for (const wish of wishes) {
    let nearest;
    let found = -1;
    for (let at = from; at < items.length && found < 0; at++) {
      if (items[at].interception_point !== wish.interception_point) continue;
      const failures = check(wish, items[at]);
      if (failures.length === 0) found = at;
      else nearest ??= failures;
    }
    if (found < 0) return nearest ?? [`${wish.interception_point} is missing, or not in this place`];
    from = found + 1;
  }
  return [];
}

function contextFailures({ interception_point, context = {}, ...texts }, recorded) {
  const { context_must_contain = [], context_must_not_contain = [] } = texts;
  const whole = JSON.stringify(recorded);
  return [
    ...pathFailures(context, recorded, interception_point),
    ...context_must_contain.filter((text) => !whole.includes(text)).map((text) => `the context lacks ${text}`),
    ...context_must_not_contain.filter((text) => whole.includes(text)).map((text) => `the context contains ${text}`),
  ];
}

function pathFailures(wishes, value, what) {
  return Object.entries(wishes).flatMap(([path, wanted]) => {
    const got = valueAtPath(value, path).value ?? null;
    if (isDeepStrictEqual(got, wanted)) return [];
    return [`${what}: ${path} is ${JSON.stringify(got)}, expected ${JSON.stringify(wanted)}`];
  });
}

/** The value at a path such as `tool_call.args.url` or `verdicts[0].reason`. */
export function valueAtPath(value, path) {
  const keys = path.split(/[.[\]]/).filter((key) => key !== "");
  let current = value;
  for (const key of keys) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return { isThere: false };
    current = current[key];
  }
  return { isThere: true, value: current };
}

function list(names) {
  return names.length === 0 ? "none" : names.join(", ");
}
