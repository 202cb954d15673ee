// Plants secrets in the arguments of calls and looks for them in the journal: `npm run campaign secrets [turns] [seed]`.
// Each turn is seven hundred places in memory; sixty of the last turn go through the built command. Ends with 1 at any leak,
// and where more than one of two hundred harmless strings is taken for a secret.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSource } from "../../scripts/load-source.mjs";

const [turns = "20", seed = "1"] = process.argv.slice(2);
const root = process.cwd();
const { redactor, secretPlaces, harmlessTexts } = await loadSource(root, [
  "trace/redact.ts",
  "../tests/trace/secret-places.ts",
]);
const { value, text } = redactor();
const isLeak = (hidden, written) => written.includes(hidden) || written.includes(JSON.stringify(hidden).slice(1, -1));
let [planted, leaks, harmless, taken] = [0, 0, 0, 0];
for (let turn = 0; turn < Number(turns); turn++) {
  const places = secretPlaces(Number(seed) * 7919 + turn);
  planted += places.length;
  for (const { place, args, hidden } of places)
    if (isLeak(hidden, JSON.stringify(value(args)))) {
      leaks++;
      console.log(`leaks: ${place}   ${JSON.stringify(args)}`);
    }
  const texts = harmlessTexts(Number(seed) * 104_729 + turn, 2000);
  harmless += texts.length;
  taken += texts.filter((one) => text(one) !== one).length;
}
console.log(
  `${planted} secrets planted, ${leaks} leak; of ${harmless} harmless strings ${taken} are taken for a secret`,
);

const command = join(root, "dist/sluice.cjs");
if (!existsSync(command)) throw new Error("Build first: npm run build");
const folder = mkdtempSync(join(tmpdir(), "sluice-secrets-"));
let [sent, written] = [0, ""];
try {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state"), SLUICE_DAEMON: "off" };
  mkdirSync(join(folder, "project"));
  const places = secretPlaces(Number(seed)).filter((_, index) => index % 12 === 0);
  for (const { args } of places) {
    const payload = {
      session_id: "s",
      cwd: join(folder, "project"),
      hook_event_name: "PreToolUse",
      tool_name: "Write",
    };
    const { status } = spawnSync(process.execPath, [command, "run", "claude-code", "--cold"], {
      env,
      cwd: payload.cwd,
      input: JSON.stringify({ ...payload, tool_input: args }),
    });
    if (status === 0) sent++;
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) written += readFileSync(join(entry.parentPath, entry.name), "utf8");
  const found = places.filter(({ hidden }) => isLeak(hidden, written));
  for (const { place } of found) console.log(`leaks through the command: ${place}`);
  leaks += found.length + (sent === places.length && written.includes("[redacted:") ? 0 : 1);
  console.log(`${sent} of ${places.length} calls of the built command, ${found.length} leak`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = leaks === 0 && taken <= harmless / 200 ? 0 : 1;
