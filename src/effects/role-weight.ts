import type { Role } from "./effect.ts";

/** What a role of a program means for work that needs an intent. */
export type Weight =
  /** It changes nothing in the project besides the paths that are reported. */
  | "nothing"
  /** Something changes, so an intent is needed. */
  | "changes"
  /** Which files change is not known before the run. */
  | "unknown"
  /** What is lost by it does not come back: a person has to approve. */
  | "destroys";

/** How much each role weighs. */
export const ROLE_WEIGHTS: Readonly<Record<Role, Weight>> = {
  delete: "changes",
  overwrite: "changes",
  permission: "changes",
  "history-rewrite": "destroys",
  "work-loss": "destroys",
  privilege: "nothing",
  "network-in": "nothing",
  "network-out": "nothing",
  "package-install": "unknown",
  publish: "changes",
  kill: "nothing",
  disk: "destroys",
  persistence: "changes",
  "run-code": "unknown",
  "typed-code": "unknown",
  exhaust: "destroys",
  database: "destroys",
  cloud: "destroys",
  container: "unknown",
  account: "destroys",
  settings: "changes",
  power: "destroys",
  message: "nothing",
  payment: "destroys",
  "trace-removal": "destroys",
  recoverable: "nothing",
  production: "nothing",
  outage: "destroys",
  "foreign-source": "nothing",
  unverified: "nothing",
  expose: "changes",
  export: "nothing",
  record: "nothing",
  reveal: "nothing",
};
