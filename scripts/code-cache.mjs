// Runs the command once in this process and writes down what V8 compiled on the way.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, Script } from "node:vm";

const [filename, cache] = process.argv.slice(2);
mkdirSync(".sluice", { recursive: true });
writeFileSync(
  ".sluice/hooks.yaml",
  `# Every part that most files use, so that it is compiled.
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
const script = new Script(readFileSync(filename, "latin1"), {
  filename,
  importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
process.argv = [process.execPath, filename, "fire", "tool:pre_execute", "--tool", "bash", "--args", '{"command":"ls"}'];
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(filename), module);
process.on("exit", () => writeFileSync(cache, script.createCachedData()));
