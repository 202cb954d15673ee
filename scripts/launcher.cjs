#!/usr/bin/env node
// Starts the command. V8's compiled code lies beside it and saves the parsing; code that does not fit this node is ignored.
"use strict";
const { readFileSync, writeSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

const UNANSWERED = 86;
/** Commands that answer many times. */
const STAYING = ["serve", "mcp"];
const libraries = new Map();

// An agent goes on at any exit code but 2: whatever breaks while one waits, the gate stays shut and says why.
if (process.argv[2] === "run") {
  process.exitCode = UNANSWERED;
  process.on("uncaughtException", ({ message }) => refuse(message));
  process.on("exit", () => {
    if (process.exitCode === UNANSWERED) refuse("it ended without an answer");
  });
}

const [verb] = process.argv.slice(2);
const isCall = verb === "run" || verb === "fire";
const command = isCall ? compiled("call", verb) : compiled(verb === "serve" ? "engine" : "command");
if (!STAYING.includes(verb)) runOnce();
// Node takes its memory apart piece by piece at its end; a call that has been answered leaves it to the system. Who waits for this moment has it.
if (isCall) process.on("beforeExit", () => process.listenerCount("beforeExit") > 1 || process.exit());
command(exports, load, module, (name) => import(name));

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

function refuse(why) {
  writeSync(2, `Sluice could not decide: ${why}. This is a fault in Sluice; \`sluice doctor\` looks for its cause.\n`);
  process.exit(2);
}
