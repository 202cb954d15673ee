import { expect, test } from "vitest";
import { onAbort } from "./on-abort.ts";

test("taking a listener back twice leaves another run's listener alone", () => {
  const controller = new AbortController();
  const heard: string[] = [];
  const forget = onAbort(controller.signal, () => heard.push("first"));
  forget();
  onAbort(controller.signal, () => heard.push("second"));
  forget();
  controller.abort();
  expect(heard).toEqual(["second"]);
});

test("everybody who shares a signal hears of the abort, once", () => {
  const controller = new AbortController();
  const heard: number[] = [];
  for (let index = 0; index < 20; index++) onAbort(controller.signal, () => heard.push(index));
  controller.abort();
  controller.abort();
  expect(heard).toHaveLength(20);
});
