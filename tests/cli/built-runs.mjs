// Runs the built command many times in this process, each time from its file anew, and writes down what every run has
// printed and how it has ended. A run is over when nothing keeps the process.
import fs from "node:fs";
import { createRequire } from "node:module";
import vm from "node:vm";

const require = createRequire(import.meta.url);
const [launcher, list] = process.argv.slice(2);
const runs = JSON.parse(fs.readFileSync(list, "utf8"));
const ended = [];
const printed = { 1: [], 2: [] };

const { writeSync } = fs;
fs.writeSync = (fd, bytes, ...rest) => {
  if (fd !== 1 && fd !== 2) return writeSync(fd, bytes, ...rest);
  return printed[fd].push(Buffer.from(bytes)) && bytes.length;
};

// A bundle is compiled by the first run that needs it.
const { Script } = vm;
const compiled = new Map();
vm.Script = function script(source, options) {
  if (!compiled.has(source)) compiled.set(source, new Script(source, options));
  return compiled.get(source);
};

process.on("beforeExit", next);
start();

function next() {
  if (ended.length === runs.length) return;
  const [out, err] = [1, 2].map((fd) => Buffer.concat(printed[fd].splice(0)).toString());
  ended.push({ code: process.exitCode ?? 0, out, err });
  // The run that has ended would end the process now.
  for (const listener of process.listeners("beforeExit")) if (listener !== next) process.off("beforeExit", listener);
  start();
}

function start() {
  process.exitCode = 0;
  const run = runs[ended.length];
  if (run === undefined) return fs.writeFileSync(`${list}.ended`, JSON.stringify(ended));
  process.chdir(run.cwd);
  process.env = { ...run.env };
  process.argv.splice(1, process.argv.length, launcher, ...run.words);
  delete require.cache[launcher];
  require(launcher);
  // What ends at once is followed by the next run too.
  setImmediate(() => {});
}
