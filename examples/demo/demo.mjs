// A scripted agent at work: its calls are real, so are the hooks, and so is what they stop.
// No service, no key, no model.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { HookBlockedError, HookConfig, HookEvent, HookExecutor, HookRegistry, ToolExecutor } from "../../dist/index.js";

const SESSION = [
  ["session:start"],
  ["Read", { file_path: "src/greet.ts" }],
  ["bash", { command: "ls src" }],
  ["bash", { command: "sudo rm -rf /var/cache" }],
  ["write_file", { file_path: "src/bye.ts", content: "export const bye = () => 'Bye'; // TODO: names\n" }],
  ["Read", { file_path: ".env" }],
  ["run_shell_command", { command: "npm install left-pad", dry_run: true }],
  ["bash", { command: "curl -s file:///etc/hostname > /dev/null; echo fetched" }],
  ["Write", { file_path: "src/slow.ts", content: "export const slow = true;\n" }],
  ["Shell", { command: "git push origin main" }],
  ["session:stop"],
  ["bash", { command: "touch tests-passed && echo 12 tests passed" }],
  ["session:stop"],
];

const project = mkdtempSync(join(tmpdir(), "sluice-demo-"));
cpSync(new URL("project", import.meta.url), project, { recursive: true });

const seen = [];
const registry = new HookRegistry();
registry.loadHooks(HookConfig.loadProject(project));
const executor = new HookExecutor({ registry, trace: { decision: (decision) => seen.push(decision) } });
const agent = new ToolExecutor({ executor });
const context = { sessionId: "demo", cwd: project, agent: "demo" };

const run = promisify(execFile);
const shell = ({ command, dry_run }) =>
  dry_run ? `(would run) ${command}` : run("sh", ["-c", command], { cwd: project }).then(({ stdout }) => stdout.trim());
const read = ({ file_path }) => readFileSync(resolve(project, file_path), "utf8");
const write = ({ file_path, content }) => {
  writeFileSync(resolve(project, file_path), content);
  return `wrote ${content.length} bytes`;
};
const TOOLS = { bash: shell, Shell: shell, run_shell_command: shell, Read: read, write_file: write, Write: write };

const began = performance.now();
const paint =
  process.env.NO_COLOR || (!process.stdout.isTTY && !process.env.FORCE_COLOR)
    ? () => (text) => text
    : (code) => (text) => `\u001b[${code}m${text}\u001b[0m`;
const [bold, dim, red, green, yellow, cyan] = [1, 2, 31, 32, 33, 36].map(paint);
const tally = { continue: 0, modify: 0, ask: 0, deny: 0 };

console.log(
  `${bold("An agent works in a project with these hooks")}  ${dim("examples/demo/project/.sluice/hooks.yaml")}\n`,
);
for (const [name, args] of SESSION) await step(name, args);
rmSync(project, { recursive: true });
console.log(
  `${bold(`${SESSION.length} calls`)}: ${green(`${tally.continue} went through`)}, ${yellow(`${tally.modify} changed`)}, ` +
    `${yellow(`${tally.ask} held for a person`)}, ${red(`${tally.deny} stopped`)}  ${dim(`in ${Math.round(performance.now() - began)} ms`)}`,
);

async function step(name, args) {
  seen.length = 0;
  const shown = args ? JSON.stringify(args) : "";
  console.log(`${cyan("▶")} ${bold(name)} ${dim(shown.length > 90 ? `${shown.slice(0, 89)}…` : shown)}`);
  let outcome = "";
  try {
    if (args) outcome = String(await agent.execute({ name, execute: TOOLS[name] }, args, context)).split("\n")[0];
    else await executor.decide(new HookEvent({ type: name, ...context }));
  } catch (error) {
    if (!(error instanceof HookBlockedError)) throw error;
  }
  for (const decision of seen) for (const result of decision.results) showResult(result, decision);
  const [first] = seen;
  tally[first.action]++;
  if (first.action === "deny") console.log(`  ${red(bold("✗ stopped"))}   ${first.reasons.join("; ")}`);
  else if (first.action === "ask")
    console.log(`  ${yellow(bold("? held"))}      ${first.reasons.join("; ")}; no user is here to say yes`);
  else if (first.action === "modify") console.log(`  ${yellow(bold("~ changed"))}   ${JSON.stringify(first.input)}`);
  else console.log(`  ${green(bold("✓ went through"))} ${dim(outcome)}`);
  for (const decision of seen)
    for (const words of decision.contexts) console.log(`  ${cyan("→ to the agent")} ${words.trim()}`);
  console.log();
}

function showResult({ hook, action, wouldBe, reason, error, durationMs }, { event }) {
  const said = wouldBe && wouldBe !== "continue" ? `would ${wouldBe} (monitor)` : error ? `failed, ${action}` : action;
  const colour = error || action === "deny" ? red : said === "continue" ? green : yellow;
  const why = error ? `it ${error}` : said === "continue" ? "" : (reason ?? "").split("\n").at(-1);
  const when = event.isGate ? "before" : "after ";
  console.log(
    `    ${dim(when)} ${hook.name.padEnd(20)} ${colour(said.padEnd(20))} ${dim(`${durationMs.toFixed(0)} ms`.padStart(6))}  ${dim(why)}`,
  );
}
