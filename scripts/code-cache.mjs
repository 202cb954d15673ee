// Runs the command once in this process and writes down what V8 compiled on the way.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { Script } from "node:vm";

const WORDS = {
  run: ["run", "claude-code"],
  fire: ["fire", "tool:pre_execute", "--tool", "bash", "--args", '{"command":"ls"}'],
  list: ["list"],
};
const [filename, cache, verb] = process.argv.slice(2);
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

// Approving is rare, and what it needs is not kept.
process.env.XDG_STATE_HOME = resolve(".state");
execFileSync(process.execPath, [join(dirname(filename), "sluice.cjs"), "trust", "--yes"], { stdio: "ignore" });

// The text has to be the same, to the letter, as in the launcher.
const script = new Script(readFileSync(filename, "latin1"), { filename });
// Every byte of the cache is read back at each start: what an agent calls is kept apart from what people call.
run(...WORDS[verb]);
process.on("exit", () => writeFileSync(cache, script.createCachedData()));

function run(...args) {
  process.argv = [process.execPath, filename, ...args];
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, (name) => import(name));
}
