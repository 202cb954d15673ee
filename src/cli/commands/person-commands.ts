import type { Command } from "../command.ts";
import { weakensUnless } from "../weakens.ts";

/** The verbs with which a person approves, denies and allows: an agent may only look at what they list. */
export const PERSON_COMMANDS: readonly Command[] = [
  {
    name: "trust",
    group: "set up",
    summary: "look at what this project would run, hook by hook, and approve exactly these bytes",
    usage: "[hook…] [--yes | --trust-hash <hash> | --deny | --revoke | --status]",
    options: {
      yes: { type: "boolean", means: "approve what is printed, without a question" },
      "trust-hash": {
        type: "string",
        value: "hash",
        means: "the same, and only if the hash over all hooks is this one",
      },
      deny: { type: "boolean", means: "never run anything of this project, whatever it becomes" },
      revoke: { type: "boolean", means: "forget the approvals of this project, or of the hooks that are named" },
      status: { type: "boolean", means: "only show; exit code 1 when something does not run" },
    },
    words: 99,
    // Without its approval, or denied, the project's hooks protect nothing.
    ...weakensUnless("status"),
    load: () => import("./trust.ts"),
  },
  {
    name: "pause",
    group: "recover",
    summary: "let agents change what Sluice protects, for a while; only at a terminal of your own",
    usage: "[10m] [--end | --status]",
    options: {
      end: { type: "boolean", means: "protect again at once" },
      status: { type: "boolean", means: "only show whether it is paused" },
    },
    words: 1,
    load: () => import("./pause.ts"),
  },
  {
    name: "allow",
    group: "daily",
    summary: "make the call of a guard's denial an exception in your own configuration; only at a terminal of your own",
    usage: "<id> [--once] [--width exact|folder|options] [--until 7d] [--reason <text>] [--dry-run]",
    options: {
      once: { type: "boolean", means: "write no exception: let exactly this call pass, once, within a few minutes" },
      width: {
        type: "string",
        value: "exact|folder|options",
        means:
          "this call alone, everything in its folder, or its program with these options; asked about when left out",
      },
      until: { type: "string", value: "7d|date", means: "when the exception ends; never when left out" },
      reason: { type: "string", value: "text", means: "why it is right, for those who read the configuration" },
      yes: { type: "boolean", means: "take the narrowest and ask nothing; it needs a terminal all the same" },
      "dry-run": { type: "boolean", means: "only show what would be written" },
    },
    words: 1,
    load: () => import("./allow.ts"),
  },
  {
    name: "allow-once",
    group: "decide",
    aliasOf: "allow --once",
    summary: "let the very call of a denial pass, once; only at a terminal of your own",
    usage: "<id>",
    options: {},
    words: 1,
    load: () => import("./allow-once.ts"),
  },
  {
    name: "approvals",
    group: "decide",
    summary: "list the calls that wait for your answer, and the answers that are in force",
    usage: "[revoke <id> | revoke --all]",
    options: { all: { type: "boolean", means: "with `revoke`: every answer" } },
    completes: ["revoke"],
    words: 99,
    load: () => import("./approvals.ts"),
  },
  {
    name: "approve",
    group: "decide",
    summary: "let a call pass that waits for your answer, or set up the PIN or passkey that proves it is you",
    usage: "<id> [--once | --for 30m | --times 3] [--shape] | setup [--pin | --passkey]",
    options: {
      once: { type: "boolean", means: "this call, once; the default" },
      for: { type: "string", value: "30m", means: "exactly this call for this long, at most 24h" },
      times: { type: "string", value: "number", means: "exactly this call so many times" },
      shape: { type: "boolean", means: "every call of this shape in this session, with other arguments too" },
      single: { type: "boolean", means: "not the other requests of the same shape" },
      remove: { type: "boolean", means: "with `setup`: a yes at a terminal is enough again" },
      pin: { type: "boolean", means: "with `setup`: a PIN, the default" },
      passkey: { type: "boolean", means: "with `setup`: a passkey, on a page in the browser of this machine" },
    },
    completes: ["setup"],
    words: 99,
    load: () => import("./approve.ts"),
  },
  {
    name: "deny",
    group: "decide",
    summary: "deny a call that waits for your answer, and say why",
    usage: "<id> [--reason <text>]",
    options: {
      reason: { type: "string", value: "text", means: "what the model is told" },
      single: { type: "boolean", means: "not the other requests of the same shape" },
    },
    words: 1,
    load: () => import("./approve.ts"),
  },
];
