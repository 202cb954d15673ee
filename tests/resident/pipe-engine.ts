/**
 * An engine as a process of its own, at the quarters that the first word names. It answers with its number and the payload,
 * and says on standard output where it answers and why it left.
 */
import type { Quarters } from "../../src/server/quarters.ts";
import { startEngine } from "../../src/server/serve.ts";

const quarters = JSON.parse(process.argv[2] ?? "") as Quarters;
const { address, left } = await startEngine({
  quarters,
  answer: async ({ payload }) => {
    // A call that names a time is held up that long.
    await new Promise((resolve) => setTimeout(resolve, Number(payload) || 0));
    return { kind: "done", stdout: `${process.pid} ${payload}`, stderr: "", exitCode: 0 };
  },
});
if (address !== undefined) process.stdout.write(`at ${address}\n`);
process.stdout.write(`left: ${await left}\n`);
process.exit();
