import { cpus, loadavg, type } from "node:os";

/** Where figures come from; without it they mean nothing. */
export function machine() {
  const processors = cpus();
  return {
    cpu: processors[0]?.model?.trim() || "unknown",
    cores: processors.length,
    arch: process.arch,
    os: type(),
    node: process.version,
    // What else ran: high load widens p90 and p99, ratios suffer less.
    load: Number(loadavg()[0].toFixed(2)),
  };
}
