// Runs the command once in this process and writes down what V8 compiled on the way.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, Script } from "node:vm";

const [filename, cache] = process.argv.slice(2);
mkdirSync(".sluice", { recursive: true });
writeFileSync(
  ".sluice/hooks.yaml",
  "hooks:\n  - name: a\n    event: session:start\n    command: echo a\n    timeout: 5s\n",
);
writeFileSync(
  ".sluice/hooks.json",
  '{ "hooks": [{ "matcher": { "events": ["Stop"], "tools": ["x"] }, "command": "true" }] }',
);

// The text has to be the same, to the letter, as in the launcher.
const source = `(function (exports, require, module) {${readFileSync(filename, "utf8")}\n})`;
const script = new Script(source, {
  filename,
  importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
process.argv = [process.execPath, filename, "fire", "tool:pre_execute", "--tool", "bash", "--args", '{"command":"ls"}'];
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(filename), module);
process.on("exit", () => writeFileSync(cache, script.createCachedData()));
