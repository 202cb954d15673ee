// Runs the command once in this process and writes down what V8 compiled on the way.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { RUN_LONG, RUN_ONCE } from "./run-once.mjs";

const require = createRequire(import.meta.url);
const WORDS = {
  run: ["run", "claude-code"],
  fire: ["fire", "tool:pre_execute", "--tool", "bash", "--args", '{"command":"ls"}'],
  list: ["list"],
  serve: ["serve", "--help"],
};
/** What most texts need of a library, so that it is compiled. */
const TRIED = {
  yaml: ({ parseDocument }) =>
    parseDocument("# a\na: &b\n  - c: [1, 'd', { e: \"f\" }]\n    g: |\n      h\ni: *b\n").toJS(),
  "jsonc-parser": ({ parseTree }) =>
    parseTree('{ /* a */ "b": [1, true, null, "c"], }', [], { allowTrailingComma: true }),
  minimatch: ({ Minimatch }) => new Minimatch("src/**/*.{ts,js}", { dot: true }).match("src/a/b.ts"),
};
const [dist, bundle, cache, id, verb] = process.argv.slice(2);
const filename = join(dist, `${bundle}.bundle`);
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
execFileSync(process.execPath, [join(dist, "sluice.cjs"), "trust", "--yes"], { stdio: "ignore" });

// The text has to be the same, to the letter, as in the launcher.
const script = new Script(readFileSync(filename, "latin1"), { filename });
const libraries = new Map();
// Every byte of the cache is read back at each start: what an agent calls is kept apart from what people call.
run(...WORDS[verb]);
process.on("exit", () => {
  if (bundle === "call") keepLibraries();
  writeFileSync(cacheOf(cache), script.createCachedData());
});

function run(...args) {
  process.argv = [process.execPath, filename, ...args];
  const module = { exports: {} };
  script.runInThisContext()(module.exports, load, module, (name) => import(name));
  module.exports.start(() => {});
}

function load(name) {
  const [, library] = /^\.\/libraries\/(.+)\.bundle$/.exec(name) ?? [];
  if (library === undefined) return require(name);
  const known = libraries.get(library);
  if (known !== undefined) return known.module.exports;
  const path = join(dist, name);
  const script = new Script(readFileSync(path, "latin1"), { filename: path });
  const module = { exports: {} };
  libraries.set(library, { module, script });
  script.runInThisContext()(module.exports, load, module);
  return module.exports;
}

/** V8 reads compiled code back only under the flags that it was written with: a call sets them before it loads a library. */
function keepLibraries() {
  for (const [name, tryOut] of Object.entries(TRIED)) tryOut(load(`./libraries/${name}.bundle`));
  setFlagsFromString(RUN_ONCE);
  for (const [name, { script }] of libraries) writeFileSync(cacheOf(`libraries/${name}`), script.createCachedData());
  setFlagsFromString(RUN_LONG);
}

function cacheOf(name) {
  return join(dist, `${name}-${id}.cache`);
}
