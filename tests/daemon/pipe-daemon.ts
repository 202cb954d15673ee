/**
 * A daemon as a process of its own, at the runtimeDir that the first word names. It answers with its number and the payload,
 * and says on standard output where it answers and why it left.
 */

import { startDaemon } from "../../src/server/daemon.ts";
import type { RuntimeDir } from "../../src/server/runtime-dir.ts";

const runtimeDir = JSON.parse(process.argv[2] ?? "") as RuntimeDir;
const { address, stopped } = await startDaemon({
  runtimeDir,
  answer: async ({ payload }) => {
    // A call that names a time is held up that long.
    await new Promise((resolve) => setTimeout(resolve, Number(payload) || 0));
    return { kind: "done", stdout: `${process.pid} ${payload}`, stderr: "", exitCode: 0 };
  },
});
if (address !== undefined) process.stdout.write(`at ${address}\n`);
process.stdout.write(`left: ${await stopped}\n`);
process.exit();
