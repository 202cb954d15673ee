import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDaemon } from "../daemon.ts";
import { runtimeDirOf } from "../runtime-dir.ts";

/** Whether a native client asks a daemon of this version and prints its answer; the daemon is started for this question alone. */
export async function reachesDaemon(path: string): Promise<boolean> {
  // The path of a socket has to be short.
  const folder = mkdtempSync(join(tmpdir().length > MAX_FOLDER ? "/tmp" : tmpdir(), "sluice-"));
  const of = (name: string) => join(folder, name);
  try {
    const daemon = await startDaemon({
      runtimeDir: {
        ...runtimeDirOf([path, path], {}),
        folder,
        socket: of("socket"),
        token: of("token"),
        lock: of("lock"),
      },
      answer: async ({ payload }) => ({ kind: "done", stdout: payload, stderr: "", exitCode: ANSWERED }),
    });
    // On a busy machine, a client may give up before the daemon has answered.
    const attempt = () => asks(path, of("client"));
    try {
      return (await attempt()) || (await attempt()) || (await attempt());
    } finally {
      daemon.stop("it was there for one question");
      await daemon.stopped;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A client looks for its daemon in the folder of its own name. */
function asks(path: string, as: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = spawn(path, ["/bin/sh", "-c", `exit ${COLD}`], {
      argv0: as,
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
      timeout: TIMEOUT_MS,
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
const TIMEOUT_MS = 5000;
const MAX_FOLDER = 60;
