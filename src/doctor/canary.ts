import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Adapter, Canary } from "../adapters/adapter.ts";
import { CANARY_VARIABLE, canaryReason } from "../engine/canary.ts";

/** What came of a synthetic call through the very command line that stands in an agent's settings. */
export type Flight =
  | { readonly came: "denied"; readonly ms: number }
  | { readonly came: "not denied"; readonly ms: number; readonly saw: string }
  | { readonly came: "to nothing"; readonly ms: number; readonly why: string };

/** Sends a shell call that has to be denied, and reads the answer as the agent would. */
export function fly(adapter: Adapter, canary: Canary, command: string, cwd: string, env: NodeJS.ProcessEnv): Flight {
  const mark = randomBytes(8).toString("hex");
  const payload = canary.payload(`echo ${mark}`, cwd);
  const began = performance.now();
  const ended = spawnSync("/bin/sh", ["-c", command], {
    cwd,
    env: { ...env, [CANARY_VARIABLE]: mark },
    input: JSON.stringify(payload),
    encoding: "utf8",
    timeout: PATIENCE_MS,
  });
  const ms = performance.now() - began;
  if (ended.error !== undefined) return { came: "to nothing", ms, why: ended.error.message };
  const { stdout, stderr, status } = ended;
  const id = /sluice why ([0-9a-f]+)/.exec(stdout + stderr)?.[1];
  const reason = canaryReason(mark) + (id === undefined ? "" : ` (why: sluice why ${id})`);
  const moment = adapter.moments[canary.moment];
  const wanted = moment?.encode({ action: "deny", reason, context: "", approved: false }, payload);
  const isSaid = sameJson(stdout, wanted?.stdout) && status === (wanted?.exitCode ?? 0);
  const isHeard = wanted?.stderr === undefined || stderr.includes(reason);
  if (isSaid && isHeard && (stdout + stderr).includes(mark)) return { came: "denied", ms };
  const saw = [`exit code ${status}`, stdout.trim(), stderr.trim()].filter(Boolean).join(", ");
  return { came: "not denied", ms, saw: saw.slice(0, LONGEST) };
}

function sameJson(text: string, wanted: object | string | undefined): boolean {
  if (typeof wanted !== "object") return text.trim() === (wanted ?? "").trim();
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(wanted);
  } catch {
    return false;
  }
}

const PATIENCE_MS = 20_000;
const LONGEST = 300;
