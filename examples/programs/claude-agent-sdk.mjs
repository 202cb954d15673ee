// The `hooks` option of the Claude Agent SDK, driven with what the SDK really sends at each hook event.
// In a program of yours: query({ prompt, options: { hooks: claudeAgentHooks(hooks) } }).
import { readFileSync } from "node:fs";
import { Hook, HookExecutor, HookRegistry } from "sluice";
import { claudeAgentHooks, hooksFrom } from "sluice/claude-agent-sdk";

const registry = new HookRegistry();
const answer = (said) => `cat > /dev/null; echo '${JSON.stringify(said)}'`;
const HOOKS = [
  { event: "PreToolUse:Bash", command: 'grep -q "x.txt" && echo "x.txt is not yours" && exit 1 || exit 0' },
  { event: "PostToolUse", command: answer({ context: "tests live in tests/" }) },
  { event: "PermissionRequest:WebFetch", command: 'echo "no network here"; exit 1' },
  { event: "Stop", command: 'echo "the tests have not run"; exit 1' },
  { event: "SessionStart", command: 'echo "the main branch is frozen"' },
];
registry.loadHooks(HOOKS.map((hook) => Hook.fromJSON(hook)));

const hooks = hooksFrom({ executor: new HookExecutor({ registry }) });
const option = claudeAgentHooks(hooks);

const RECORDED = [
  "SessionStart.startup",
  "UserPromptSubmit",
  "PreToolUse.Bash",
  "PostToolUse.Bash",
  "PostToolUseFailure.Bash",
  "PermissionRequest.WebFetch",
  "Stop",
  "SessionEnd.other",
];
for (const name of RECORDED) {
  const recording = new URL(`../../fixtures/claude-code/${name}.json`, import.meta.url);
  const payload = { ...JSON.parse(readFileSync(recording, "utf8")), cwd: process.cwd() };
  const [{ hooks: callbacks }] = option[payload.hook_event_name];
  const [callback] = callbacks;
  const said = await callback(payload, payload.tool_use_id, { signal: new AbortController().signal });
  console.log(`${payload.hook_event_name.padEnd(19)} ${JSON.stringify(said)}`);
}
