import type { Command } from "../command.ts";

/** The verbs for many machines: signed bundles, shipping of decisions, the state of a fleet. */
export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: "bundle",
    group: "teams",
    summary: "hooks for many machines: make keys, build and sign a bundle, verify, publish and fetch it",
    usage: "keygen | build <folder> | verify <file> | publish <file> | fetch",
    options: {
      out: { type: "string", value: "file", means: "with `keygen` and `build`: the file to write" },
      key: { type: "string", multiple: true, value: "file", means: "with `build`: the private key; may be repeated" },
      public: {
        type: "string",
        multiple: true,
        value: "ed25519:…",
        means: "with `verify` and `publish`: a public key that may have signed it",
      },
      version: { type: "string", value: "number", means: "with `build`: one more than before when left out" },
      expires: { type: "string", value: "30d|date", means: "with `build`: when it ends; 30 days when left out" },
      after: { type: "string", value: "file", means: "with `build`: the bundle before this one" },
      replaces: {
        type: "string",
        value: "file|hash",
        means: "with `build`: the bundle before, which this one may hold less than",
      },
      ring: {
        type: "string",
        value: "percent",
        means: "with `build`: the share of machines that get it; all when left out",
      },
      fallback: { type: "string", value: "file", means: "with `build --ring`: the bundle for all other machines" },
      to: { type: "string", value: "folder", means: "with `publish`: the folder of the static host" },
      replay: {
        type: "string",
        value: "journal|file",
        means: "with `publish`: refuse a bundle that would let a recorded call pass that the published one stops",
      },
      accept: { type: "string", value: "hash", means: "with `publish --replay`: what opens is meant" },
    },
    completes: ["keygen", "build", "verify", "publish", "fetch"],
    words: 2,
    load: () => import("./bundle.ts"),
  },
  {
    name: "evidence",
    group: "teams",
    summary:
      "write signed evidence for an auditor: who approved what, which policy was in force, whether the trace verifies",
    usage: "[--since 90d] [--out <folder>] [--key <file>] | verify <file>",
    options: {
      since: { type: "string", value: "90d|date", means: "how far back; 90 days when left out" },
      out: { type: "string", value: "folder", means: "where evidence.json and evidence.html go; here when left out" },
      key: { type: "string", value: "file", means: "the private key that signs; the machine's own when left out" },
      public: { type: "string", value: "ed25519:…", means: "with `verify`: the public key that must have signed it" },
    },
    completes: ["verify"],
    words: 2,
    load: () => import("./evidence.ts"),
  },
  {
    name: "ship",
    group: "teams",
    summary: "send the journal of decisions to a collector, a database, a stream or a file, each record at least once",
    usage: "[--to otlp+http://…|postgres://…|nats://…|file:…] [--once]",
    options: {
      to: {
        type: "string",
        value: "address",
        means: "the target; that of `telemetry` or OTEL_EXPORTER_OTLP_ENDPOINT when left out",
      },
      once: { type: "boolean", means: "end when everything up to now has arrived" },
      arguments: { type: "boolean", means: "also what calls were asked to do; without it, only what became of them" },
      protocol: {
        type: "string",
        value: "http/json",
        means: "for collectors: http/protobuf (the default) or http/json",
      },
    },
    load: () => import("./ship.ts"),
  },
  {
    name: "fleet",
    group: "teams",
    summary:
      "which bundle and version the machines have that ship to one place, and which need a person; share counts with them",
    usage: "status --from postgres://…|file:///share/ | share [--once]",
    options: {
      from: { type: "string", value: "address", means: "with `status`: what machines ship to" },
      once: { type: "boolean", means: "with `share`: exchange once what machines count together, and end" },
    },
    completes: ["status", "share"],
    words: 1,
    load: () => import("./fleet.ts"),
  },
];
