import type { DaemonHome, Ended } from "./daemon-home.ts";

interface HowToCall {
  readonly leaveOpen?: boolean;
  /** Bytes that are written at a time; all at once when left out. */
  readonly pieces?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a call without stopping this process, in pieces or with the pipe left open where that is asked for. */
export async function ended(
  at: DaemonHome,
  payload: string,
  { leaveOpen = false, pieces = 0, args, env }: HowToCall = {},
): Promise<Ended> {
  const child = at.start(args, env);
  const said = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text) => (said.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text) => (said.stderr += text));
  child.stdin?.on("error", () => {});
  const limit = setTimeout(() => child.kill("SIGKILL"), 80_000);
  for (let at = 0; pieces > 0 && at < payload.length; at += pieces) {
    child.stdin?.write(payload.slice(at, at + pieces));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (pieces === 0) child.stdin?.write(payload);
  if (!leaveOpen) child.stdin?.end();
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(limit);
  return { ...said, exitCode };
}
