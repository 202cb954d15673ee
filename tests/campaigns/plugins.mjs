// Lets a hostile plugin try one attack after the other beside hooks that deny: `npm run campaign plugins [part of a name]`.
// Each is called without a daemon and through it, and the call after it as well. Ends with 1 where a denial was lost.
// All of it takes about ten minutes.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSource } from "../../scripts/load-source.mjs";
import { freshHome, installedLine } from "./fresh/home.mjs";

const [part = ""] = process.argv.slice(2);
const { PATCHES, ENDS, BURNS, KILLS, attackModule } = await loadSource(
  fileURLToPath(new URL("../..", import.meta.url)),
  ["../tests/plugins/attacks.ts"],
);
const command = resolve("dist/sluice.cjs");
const { home, root, env } = freshHome("p-");
const settings = join(home, ".config/sluice");
const hooks = [
  {
    name: "hostile",
    event: "tool:pre_execute",
    module: "./hostile.mjs",
    timeout: 4,
    priority: 1,
    on_error: "continue",
  },
  { name: "honest", event: "tool:pre_execute", module: "./honest.mjs", timeout: 30, priority: 2 },
  { name: "program", event: "tool:pre_execute", command: "echo no from a program; exit 1", priority: 3 },
  { name: "rule", event: "tool:pre_execute:@shell", rules: 'args.command contains "rmm" -> deny("no rmm here")' },
];
writeFileSync(join(settings, "hooks.json"), JSON.stringify({ guards: "standard", hooks }));
writeFileSync(join(settings, "honest.mjs"), "export default { preToolUse: () => ['block', 'no from a plugin'] };\n");
sh(`'${process.execPath}' '${command}' install claude-code --yes`);
const WAYS = {
  cold: `'${process.execPath}' '${command}' run claude-code --cold || exit 2`,
  daemon: installedLine(home),
};
const CALLS = {
  "a call that hooks deny": [
    "Bash",
    { command: "rmm x; rm -rf ~" },
    ["no from a plugin", "no from a program", "no rmm here"],
  ],
  "the next call, of its own settings": [
    "Write",
    { file_path: join(settings, "hooks.json"), content: "{}" },
    ["protect"],
  ],
};
const tried = Object.entries({ ...PATCHES, ...ENDS, ...BURNS, ...KILLS }).filter(([name]) => name.includes(part));
let [calls, lost] = [0, 0];

for (const [name, code] of tried) {
  writeFileSync(join(settings, "hostile.mjs"), attackModule(code));
  for (const [way, line] of Object.entries(WAYS))
    for (const [what, [tool, input, reasons]] of Object.entries(CALLS)) {
      const session = `s${++calls}`;
      const payload = {
        hook_event_name: "PreToolUse",
        session_id: session,
        cwd: root,
        tool_name: tool,
        tool_input: input,
      };
      const { status, stdout, stderr } = sh(line, JSON.stringify(payload));
      // Where the process that decides was ended, the call is blocked without their reasons.
      const wanted = name in KILLS ? [] : reasons;
      const isBlocked = name in KILLS && status === 2;
      if (isBlocked || (isDenied(status, stdout, wanted) && !stderr.includes("Debugger"))) continue;
      lost++;
      console.log(
        `LOST: ${name}, ${way}, ${what}: exit code ${status}, ${stdout.slice(0, 600)}${stderr.slice(0, 300)}`,
      );
    }
}
sh(`'${process.execPath}' '${command}' serve --stop`);
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
console.log(`${tried.length} attacks, ${calls} calls, ${lost} denials lost`);
process.exit(lost === 0 ? 0 : 1);

function sh(line, input = "") {
  return spawnSync("/bin/sh", ["-c", line], { cwd: root, env, input, encoding: "utf8", timeout: 60_000 });
}

function isDenied(status, stdout, reasons) {
  try {
    const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
    const isWhole = reasons.every((reason) => permissionDecisionReason.toLowerCase().includes(reason));
    return status === 0 && permissionDecision === "deny" && isWhole;
  } catch {
    return false;
  }
}
