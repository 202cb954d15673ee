import { addresses } from "./addresses.ts";
import type { Guard } from "./guard.ts";
import { services } from "./services.ts";

/** Tools other than shells: one hook for everything that they do, so that every other call pays for it once. */
export const tools: Guard = {
  title: "Acting through tools other than shells",
  why: `${services.why} ${addresses.why}`,
  rules: [...services.rules, ...addresses.rules],
  stops: () => [...services.stops(), ...addresses.stops()],
  passes: () => [...services.passes(), ...addresses.passes()],
};
