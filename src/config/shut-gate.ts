import { EVENT_NAMES, eventSpec } from "../event/catalogue.ts";

/** Rules that ask about every call that can still be stopped. At the end of a session only once, or the session would never end. */
export function askAtGates(reason: string): string {
  const gates = EVENT_NAMES.filter((name) => eventSpec(name).gate);
  const [ends, others] = [
    gates.filter((name) => eventSpec(name).keepsWorking),
    gates.filter((name) => !eventSpec(name).keepsWorking),
  ];
  const text = JSON.stringify(reason);
  return [
    `event in ${JSON.stringify(others)} -> ask(${text})`,
    `event in ${JSON.stringify(ends)} and stop_hook_active equals false -> ask(${text})`,
  ].join("\n");
}
