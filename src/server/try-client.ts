import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quartersOf } from "./quarters.ts";
import { startEngine } from "./serve.ts";

/** Whether a native client asks an engine of this version and prints its answer; the engine is there for this question alone. */
export async function isAnswered(path: string): Promise<boolean> {
  // The name of a socket has to be short.
  const folder = mkdtempSync(join(tmpdir().length > LONGEST_FOLDER ? "/tmp" : tmpdir(), "sluice-"));
  const of = (name: string) => join(folder, name);
  try {
    const engine = await startEngine({
      quarters: { ...quartersOf([path, path], {}), folder, socket: of("socket"), token: of("token"), lock: of("lock") },
      answer: async ({ payload }) => ({ kind: "done", stdout: payload, stderr: "", exitCode: ANSWERED }),
    });
    // On a busy machine, a client may give up before its engine was heard.
    const turn = () => asks(path, of("client"));
    try {
      return (await turn()) || (await turn()) || (await turn());
    } finally {
      engine.leave("it was there for one question");
      await engine.left;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A client looks for its engine in the folder that it is told it lies in. */
function asks(path: string, as: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = spawn(path, ["/bin/sh", "-c", `exit ${COLD}`], {
      argv0: as,
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
      timeout: PATIENCE_MS,
      killSignal: "SIGKILL",
    });
    let said = "";
    client.stdout.setEncoding("utf8").on("data", (piece) => {
      said += piece;
    });
    client.stdin.on("error", () => {});
    client.on("error", () => resolve(false));
    client.on("close", (code) => resolve(code === ANSWERED && said === PAYLOAD));
    client.stdin.end(PAYLOAD);
  });
}

const PAYLOAD = JSON.stringify({ hook_event_name: "PreToolUse" });
const ANSWERED = 42;
const COLD = 43;
const PATIENCE_MS = 5000;
const LONGEST_FOLDER = 60;
