import { expect, test } from "vitest";
import { CircuitBreaker } from "./ask-model.ts";

function handBreaker() {
  const hands = { now: 0 };
  const clock = { wall: () => 0, steady: () => hands.now * 1000 };
  return { hands, breaker: new CircuitBreaker(clock) };
}

test("five failures within half a minute are a pause of half a minute", () => {
  const { hands, breaker } = handBreaker();
  for (let failure = 0; failure < 5; failure++) {
    expect(breaker.refusal).toBeUndefined();
    breaker.failed();
  }
  expect(breaker.refusal).toBe("the model failed 5 times within 30 s; it is asked again in 30 s");
  hands.now = 29.5;
  expect(breaker.refusal).toContain("again in 1 s");
  hands.now = 30;
  expect(breaker.refusal).toBeUndefined();
});

test("after the pause one failure is enough, and one success ends it", () => {
  const { hands, breaker } = handBreaker();
  for (let failure = 0; failure < 5; failure++) breaker.failed();
  hands.now = 31;
  breaker.failed();
  expect(breaker.refusal).toBeDefined();
  hands.now = 62;
  breaker.succeeded();
  breaker.failed();
  expect(breaker.refusal).toBeUndefined();
});

test("failures that lie far apart are no pattern", () => {
  const { hands, breaker } = handBreaker();
  for (let failure = 0; failure < 20; failure++) {
    hands.now += 8;
    breaker.failed();
    expect(breaker.refusal).toBeUndefined();
  }
});
