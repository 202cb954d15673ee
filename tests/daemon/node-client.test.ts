import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { callDaemon } from "../../src/server/clients/ask-daemon.ts";
import { type RuntimeDir, runtimeDirOf, whyNoRuntimeDir } from "../../src/server/runtime-dir.ts";
import { writeToken } from "../../src/server/token.ts";

const REQUEST = { words: ["run"], env: {}, cwd: "/", payload: "{}" };
const PATIENCE = { provenMs: 5000, askedMs: 200, confirms: ["READY", "HOOKS"] } as const;

/** What a daemon says while its client is stopped, and what comes of it. */
const SAID: Readonly<Record<string, readonly [lines: readonly string[], came: object]>> = {
  "question and answer": [["READY 1\n", "DONE 0 2 0\nok"], { outcome: "answer" }],
  nothing: [[], { outcome: "no answer" }],
  "a question and no answer": [["READY 1\n"], { outcome: "lost" }],
};

it.each(Object.entries(SAID))(
  "a node client that was stopped hears what was said meanwhile: %s",
  async (_, [lines, came]) => {
    const { runtimeDir, heard } = await talking(lines);
    const called = callDaemon(runtimeDir, REQUEST, PATIENCE);
    let isWatched = true;
    // Everything that this process does stops longer than its patience, behind its timers; the daemon goes on.
    const watch = () => {
      for (const at of [0, 1]) if (Atomics.compareExchange(heard, at, 1, 2) === 1) Atomics.wait(heard, 2, 0, 1200);
      if (isWatched) setImmediate(watch);
    };
    watch();
    onTestFinished(() => {
      isWatched = false;
    });
    expect(await called).toMatchObject(came);
  },
);

/** A daemon in another thread, which says one line to the request and one more to every word of its client. */
async function talking(
  lines: readonly string[],
): Promise<{ readonly runtimeDir: RuntimeDir; readonly heard: Int32Array<SharedArrayBuffer> }> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "n-"));
  const runtimeDir = runtimeDirOf(["node", "sluice"], { env: { XDG_STATE_HOME: home } });
  expect(whyNoRuntimeDir(runtimeDir)).toBeUndefined();
  const { daemon } = writeToken(runtimeDir.token);
  const heard = new Int32Array(new SharedArrayBuffer(12));
  const workerData = { socket: runtimeDir.socket, greeting: `SLUICE/3 ${daemon}\n`, lines, heard };
  const worker = new Worker(ENGINE, { eval: true, workerData });
  onTestFinished(async () => {
    await worker.terminate();
    rmSync(home, { recursive: true });
  });
  await new Promise((resolve) => worker.once("message", resolve));
  return { runtimeDir, heard };
}

/** Notes each word that it hears, and answers a little later. */
const ENGINE = `
  const { createServer } = require("node:net");
  const { parentPort, workerData: { socket, greeting, lines, heard } } = require("node:worker_threads");
  createServer((client) => {
    let [turn, at] = [0, 0];
    client.on("error", () => {});
    client.on("data", () => {
      if (turn++ === 0) return client.write(greeting);
      if (turn - 2 < 2) Atomics.store(heard, turn - 2, 1);
      setTimeout(() => {
        if (lines[at] !== undefined) client.write(lines[at++]);
      }, 100);
    });
  }).listen(socket, () => parentPort.postMessage("listening"));
`;
