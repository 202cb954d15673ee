// Runs the command once in this process and writes down what V8 compiled on the way.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Script } from "node:vm";

const [filename, cache] = process.argv.slice(2);
mkdirSync(".sluice", { recursive: true });
writeFileSync(
  ".sluice/hooks.yaml",
  `# Every part that most files use, so that it is compiled.
guards: standard
hooks:
  - name: a
    event: session:start, tool:post_execute:@write, tool:*:x*
    description: "what it does"
    command: |
      echo a

      echo b
    timeout: 5s
  - name: 'b'
    matcher:
      events: [Stop, "session:end"]
      tools: [x]
    command: "true" # a comment
    priority: 10
    enabled: true
`,
);
writeFileSync(
  ".sluice/hooks.json",
  `{ "hooks": [
    { "name": "c", "matcher": { "events": ["Stop"], "tools": ["x"] }, "command": "true", "timeout": 5, "on_error": "deny" },
    { "event": "session:start", "command": "echo \\"a\\"", "enabled": false }
  ] }`,
);

// The text has to be the same, to the letter, as in the launcher.
const script = new Script(readFileSync(filename, "latin1"), { filename });
process.env.XDG_STATE_HOME = resolve(".state");
run("trust", "--yes");
for (let turn = 0; turn < 1000 && !existsSync(".state/sluice/trust"); turn++) await setTimeout(10);
run("fire", "tool:pre_execute", "--tool", "bash", "--args", '{"command":"ls"}');
// What an agent calls most: its payload comes on standard input.
run("run", "claude-code");
process.on("exit", () => writeFileSync(cache, script.createCachedData()));

function run(...args) {
  process.argv = [process.execPath, filename, ...args];
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, (name) => import(name));
}
