import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { callEngine } from "../../src/server/call-engine.ts";
import { type Quarters, quartersOf, whyNoQuarters } from "../../src/server/quarters.ts";
import { writeToken } from "../../src/server/token.ts";

const REQUEST = { words: ["run"], env: {}, cwd: "/", payload: "{}" };
const PATIENCE = { provenMs: 5000, askedMs: 200, goesOnAt: ["READY", "HOOKS"] } as const;

/** What an engine says while its client is stopped, and what comes of it. */
const SAID: Readonly<Record<string, readonly [lines: readonly string[], came: object]>> = {
  "question and answer": [["READY 1\n", "DONE 0 2 0\nok"], { came: "answer" }],
  nothing: [[], { came: "nothing" }],
  "a question and no answer": [["READY 1\n"], { came: "lost" }],
};

it.each(Object.entries(SAID))(
  "a node client that was stopped hears what was said meanwhile: %s",
  async (_, [lines, came]) => {
    const { quarters, heard } = await talking(lines);
    const called = callEngine(quarters, REQUEST, PATIENCE);
    let isWatched = true;
    // Everything that this process does stops longer than its patience, behind its timers; the engine goes on.
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

/** An engine in another thread, which says one line to the request and one more to every word of its client. */
async function talking(
  lines: readonly string[],
): Promise<{ readonly quarters: Quarters; readonly heard: Int32Array<SharedArrayBuffer> }> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "n-"));
  const quarters = quartersOf(["node", "sluice"], { env: { XDG_STATE_HOME: home } });
  expect(whyNoQuarters(quarters)).toBeUndefined();
  const { engine } = writeToken(quarters.token);
  const heard = new Int32Array(new SharedArrayBuffer(12));
  const workerData = { socket: quarters.socket, greeting: `SLUICE/3 ${engine}\n`, lines, heard };
  const worker = new Worker(ENGINE, { eval: true, workerData });
  onTestFinished(async () => {
    await worker.terminate();
    rmSync(home, { recursive: true });
  });
  await new Promise((resolve) => worker.once("message", resolve));
  return { quarters, heard };
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
