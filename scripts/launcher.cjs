#!/usr/bin/env node
// Starts the command. V8's compiled code lies beside it and saves the parsing; code that does not fit this node is ignored.
"use strict";
const { readFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

/** Commands that answer many times. */
const STAYING = ["serve", "mcp"];
const libraries = new Map();
const [verb] = process.argv.slice(2);
/** The exit code of the answer, known once the answer has been written. */
let answered;
let hasRefused = false;

if (verb === "run") guardExit();
const isCall = verb === "run" || verb === "fire";
const command = isCall ? compiled("call", verb) : compiled(verb === "serve" ? "engine" : "command");
if (!STAYING.includes(verb)) runOnce();
// Node takes its memory apart piece by piece at its end; a call that has been answered leaves it to the system. Who waits for this moment has it.
if (isCall) process.on("beforeExit", () => process.listenerCount("beforeExit") > 1 || process.exit());
const made = { exports: {} };
command(made.exports, load, made, (name) => import(name));
made.exports.start((exitCode) => {
  answered = exitCode;
});

/**
 * An agent goes on at any exit code but 2: a process that ends before it has written its answer ends with 2 and says why,
 * and one that has answered ends with the code of its answer. Plugins run in this process: what they set, end or take
 * away decides nothing, so neither `process.exitCode` nor a listener is relied on.
 */
function guardExit() {
  const { emit, reallyExit } = process;
  const ended = (code) => `its process ended with exit code ${code ?? 0} before the answer was written`;
  process.on("uncaughtException", (error) => process.exit(exitCodeFor(error instanceof Error ? error.message : error)));
  process.emit = function (name, ...rest) {
    try {
      return emit.call(this, name, ...rest);
    } finally {
      if (name === "exit") process.exitCode = exitCodeFor(ended(rest[0]));
    }
  };
  process.reallyExit = (code) => reallyExit.call(process, exitCodeFor(ended(code)));
}

/** Code that runs once is not worth a compiler's time: V8's first one takes a tenth of a call, and wins nothing back. */
function runOnce() {
  // Another V8 may have other flags, and would say so aloud.
  if (!process.versions.v8.startsWith("V8_KNOWN.")) return;
  const { noDeprecation } = process;
  process.noDeprecation = true;
  try {
    // The documented way, `node:v8`, takes longer to load than most of what this saves.
    process.binding("v8").setFlagsFromString("RUN_ONCE");
  } catch {
    // Another node may not let us; the call is only slower then.
  }
  process.noDeprecation = noDeprecation;
}

/** A library of ours lies beside the bundle; everything else is node's to find. */
function load(name) {
  const [, library] = /^\.\/libraries\/(.+)\.bundle$/.exec(name) ?? [];
  if (library === undefined) return require(name);
  if (!libraries.has(library)) {
    const made = { exports: {} };
    libraries.set(library, made);
    compiled(`libraries/${library}`)(made.exports, load, made);
  }
  return libraries.get(library).exports;
}

function compiled(bundle, cache = bundle) {
  const filename = join(__dirname, `${bundle}.bundle`);
  // A bundle is one function and plain ASCII, so it need not be decoded.
  const source = readFileSync(filename, "latin1");
  let cachedData;
  try {
    cachedData = readFileSync(join(__dirname, `${cache}-BUILD.cache`));
  } catch {
    // Without it the text is parsed.
  }
  return new Script(source, { filename, cachedData }).runInThisContext();
}

function exitCodeFor(why) {
  if (answered !== undefined) return answered;
  if (!hasRefused) {
    hasRefused = true;
    try {
      writeSync(2, `Sluice could not decide: ${why}. \`sluice doctor\` looks for the cause.\n`);
    } catch {
      // Nobody listens; the exit code says enough.
    }
  }
  return 2;
}
