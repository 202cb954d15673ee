// Grows every construct that a call may carry, and measures how long its decision takes: `npm run campaign growth [largest]`.
// Ends with 1 where a decision took more than two seconds of processor time.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";

const [largest = "100000"] = process.argv.slice(2);
const LIMIT_MS = 2000;
const sizes = [30, 300, 3000, 20_000, 60_000, 100_000, 300_000].filter((size) => size <= Number(largest));
const root = process.cwd();
const { growingCalls } = await loadSource(root, ["../tests/dos/growing-calls.ts"]);
const folder = mkdtempSync(join(tmpdir(), "sluice-growth-"));
Object.assign(process.env, {
  HOME: folder,
  XDG_STATE_HOME: join(folder, "state"),
  XDG_CONFIG_HOME: join(folder, "config"),
});
const project = join(folder, "project");
mkdirSync(join(project, ".sluice"), { recursive: true });
mkdirSync(join(folder, "config/sluice"), { recursive: true });
writeFileSync(join(folder, "config/sluice/hooks.yaml"), "guards: standard\n");
const { createHookEngine } = await import(pathToFileURL(join(root, "dist/index.js")).href);
const engine = await createHookEngine({ root: project, sessionId: "growth" });
let [count, slow, worst] = [0, 0, { ms: 0, name: "" }];
try {
  for (const { name, tool, input } of growingCalls())
    for (const size of sizes) {
      const toolInput = input(size);
      const began = process.cpuUsage();
      const { allow, reason } = await engine.preToolUse({ toolName: tool, toolInput, cwd: project });
      const { user, system } = process.cpuUsage(began);
      const ms = (user + system) / 1000;
      count++;
      if (ms > worst.ms) worst = { ms, name: `${name} x ${size}` };
      if (ms > LIMIT_MS) {
        slow++;
        console.log(`${Math.round(ms)} ms  ${name} x ${size}  ${allow ? "passed" : `stopped: ${reason.slice(0, 80)}`}`);
        if (ms > 4 * LIMIT_MS) break;
      }
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${count} calls, ${slow} took more than ${LIMIT_MS / 1000} s; the longest ${Math.round(worst.ms)} ms: ${worst.name}`,
);
process.exit(slow === 0 ? 0 : 1);
